"""The documentation names everything there is, and nothing that is not."""

import re
import typing
from pathlib import Path

import msgspec
import pytest

from muniment.engine.decide import RULES
from muniment.log.codec import KINDS
from muniment.model import errors
from muniment.model.commands import AnyCommand
from muniment.model.policy import Policy

ROOT = Path(__file__).parents[2]
VOCABULARY = (ROOT / "docs" / "vocabulary.md").read_text()
NAMED = set(re.findall(r"`([^`\s]+)`", VOCABULARY))

# Every word of the four documents that a reader may come looking for.
SEED_WORDS = """
ReflectiveLog|module_state_events|WM|CWM|SEM|episodic|episodic_summary|ActionRequest|council|
BrainState|job_seed|session|tick|seeded ts|snapshot constants|major goal|admin / council endpoints|
MemoryItem|short_term|semantic|profile|space|owner|ai_profile|created_at|expires_at|policy contract|
phase|trace events|idetic memory|LTM|STM|persona|visibility|agent_id|loop_id|Identity config|
ActorMemoryView|SubconsciousMemoryView|dream()|learn()|backfill|tuning policy|Identity instructions|
EM|SM|conversation history|turn trace|audit trail|task_id|episode_id|turn|step_index|configuration|
coefficients|WM tail summary|rolling summaries|hybrid index|skills|patterns|thread|episode|
System Change Proposal|compaction|skill extraction|Frontal Cortex|Consciousness templates
"""


@pytest.mark.parametrize("word", [w for w in SEED_WORDS.replace("\n", "").split("|") if w])
def test_every_word_of_the_four_documents_has_a_place_in_the_vocabulary(word: str) -> None:
    assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", VOCABULARY), word


@pytest.mark.parametrize("wire", sorted(KINDS))
def test_every_event_is_documented(wire: str) -> None:
    assert wire in NAMED


@pytest.mark.parametrize("asked", sorted(RULES))
def test_every_command_is_documented(asked: str) -> None:
    assert asked in NAMED


def test_every_command_has_exactly_one_decision_and_one_row_of_access() -> None:
    tags = {kind.__struct_config__.tag for kind in typing.get_args(AnyCommand)}

    assert tags == set(RULES)


def _reasons() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "src" / "muniment").rglob("*.py"):
        text = path.read_text()
        found.update(re.findall(r"deny\(\s*\"(\w+)\"", text))
        found.update(re.findall(r"RefusedError\(\s*\"(\w+)\"", text))
        if path.parent.name == "rules" or path.parent.parent.name == "rules":
            found.update(re.findall(r"return \"(\w+_\w+)\"", text))
    return found - {"council_quorum"}


@pytest.mark.parametrize("reason", sorted(_reasons()))
def test_every_reason_of_a_refusal_is_documented(reason: str) -> None:
    assert reason in NAMED


def _errors() -> list[type[errors.MunimentError]]:
    found = [errors.MunimentError]
    for kind in found:
        found.extend(kind.__subclasses__())
    return found


def test_every_error_has_its_own_documented_code() -> None:
    codes = [kind.code for kind in _errors()]

    assert len(codes) == len(set(codes))
    assert set(codes) <= NAMED


def _policy_fields(kind: type[msgspec.Struct], prefix: str = "") -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for field in msgspec.structs.fields(kind):
        name = f"{prefix}{field.name}"
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            found += _policy_fields(field.type, f"{name}.")
        else:
            found.append((name, field.default))
    return found


POLICY_PAGE = (ROOT / "docs" / "policies.md").read_text()


@pytest.mark.parametrize(("name", "default"), _policy_fields(Policy))
def test_every_field_of_the_policy_is_documented_with_its_default(
    name: str, default: object
) -> None:
    row = re.search(rf"^\| `{re.escape(name)}` \| ([^|]*) \|", POLICY_PAGE, re.MULTILINE)

    assert row, f"{name} has no row"
    if isinstance(default, bool):
        assert row[1] == str(default).lower()
    elif isinstance(default, int | str):
        assert row[1] == str(default)


def test_the_policy_page_names_no_field_that_does_not_exist() -> None:
    known = {name for name, _ in _policy_fields(Policy)}
    told = set(re.findall(r"^\| `([\w.]+)` \|", POLICY_PAGE, re.MULTILINE))

    assert told == known
