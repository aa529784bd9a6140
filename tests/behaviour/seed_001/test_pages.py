"""The pages about spaces and phases say what the program does."""

import contextlib
import io
import re
import tomllib
from pathlib import Path

import pytest
from tests import world
from tests.talks import talk, texts

from muniment.model import policy as policies
from muniment.model.kinds.conversation_item import EventType, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy.conversation import (
    ForgetMode,
    Phasing,
    Promotion,
    Retention,
    SpaceRule,
    Spaces,
    WritePolicy,
    Writing,
)

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.covers("B-118")
def test_the_page_about_spaces_names_every_space_code_and_rule() -> None:
    page = (DOCS / "memory-spaces.md").read_text()

    for word in (
        *Space,
        "allowed",
        "space_disabled",
        "write_space_disallowed",
        "promotion_disallowed",
        "promotion_event_type",
        "promotion_authority",
        "hint:remember_for_me",
    ):
        assert word in page, word
    for rule in Spaces().promotions:
        types = ", ".join(rule.event_types)
        row = f"| {rule.from_space} | {rule.to_space} | {types} | `{rule.authority}` |"
        assert row in page, row


@pytest.mark.covers("B-118")
def test_the_page_about_phases_has_an_example_that_runs() -> None:
    page = (DOCS / "memory-phases.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    said = io.StringIO()

    with contextlib.redirect_stdout(said):
        exec(example, {})  # noqa: S102 - the documentation's own words

    assert said.getvalue() == "('replaced: 2', 'added: 1', 'deleted: 0')\n"
    for code in ("phase_unknown", "phase_disabled", "phase_diff_disabled", "max_phases"):
        assert code in page


@pytest.mark.covers("B-035")
def test_the_page_of_the_memory_policy_names_every_field_and_every_value() -> None:
    table, _, _ = (DOCS / "memory-policy.md").read_text().partition("\n## ")
    sections = {
        "writing": Writing,
        "retention": Retention,
        "promotion": Promotion,
        "spaces": Spaces,
    }

    for section, kind in sections.items():
        for name in kind.__struct_fields__:
            assert f"`{section}.{name}`" in table, name
    for name in (*Phasing.__struct_fields__, *SpaceRule.__struct_fields__):
        assert f"`{name}`" in table, name
    for values in (WritePolicy, ForgetMode, EventType, Authority, Space):
        for value in values:
            assert f"`{value}`" in table, value


@pytest.mark.covers("B-035")
def test_the_examples_of_the_memory_policy_are_policies_and_bind() -> None:
    page = (DOCS / "memory-policy.md").read_text()
    told = [tomllib.loads(each) for each in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    little, some, imposed, shared = (policies.from_builtins(each) for each in told)

    ada = talk(little)
    ada.record(user="I prefer tea", tools=["grep: nothing"])
    assert texts(ada.items("semantic")) == ["I prefer tea"]
    ada = talk(some)
    ada.record(user="My boss is Ann. My name is Ada")
    assert texts(ada.items("profile")) == ["Ada"]
    memory = world.memory(imposed)
    ada = talk(of=memory)
    memory.admin().impose("ada", "My language is English", user="tuff")
    ada.record(user="Actually my language is Portuguese")
    assert texts(ada.items("profile")) == ["English"]
    assert shared.phase.reads_history


@pytest.mark.covers("B-035", "B-118")
def test_the_guide_leads_to_both() -> None:
    guide = (DOCS / "policies.md").read_text()

    assert "(memory-policy.md)" in guide
    assert "(memory-spaces.md)" in guide
    assert "(memory-phases.md)" in guide
