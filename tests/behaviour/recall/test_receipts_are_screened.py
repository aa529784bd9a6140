"""The receipt of a recall: its question is screened, the names that the memory gave are not."""

from typing import Literal

import msgspec
import pytest
from tests.world import events, memory

from muniment.model import ids
from muniment.model.commands import AnyCommand
from muniment.model.events import Recalled
from muniment.model.policy import Policy, Privacy, RecallPolicy
from muniment.rules.privacy.patterns import RULES
from muniment.rules.privacy.rule import DetectFunction, PrivacyFinding, finding
from muniment.rules.privacy.screen import rules_only, screen

EMAIL = next(rule for rule in RULES if rule.kind == "email")


def suspicious(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """A detector that takes every id for somebody's address, and looks for addresses besides."""
    if text.startswith("ep:"):
        return (finding(EMAIL, 0, len(text)),)
    return rules_only(text, regions)


def test_what_a_ranking_cites_keeps_its_name_and_the_question_is_screened() -> None:
    of = memory(detector=suspicious)
    ada = of.agent("ada", user="tuff")
    kept = ada.remember("tea in the garden")
    ada.recall("tea for someone@example.org?")
    ada.remember("and so the receipt is logged")

    (receipt,) = (each for each in events(of) if isinstance(each, Recalled))
    assert "someone@example.org" not in receipt.query
    assert receipt.ids == (kept.episodic_id,)
    assert [each.episodic_id for each in receipt.evidence] == [kept.episodic_id]


@pytest.mark.parametrize("profile", ["hybrid", "stage1"])
def test_private_data_is_looked_for_as_it_is_kept_and_so_the_receipt_can_be_asked_again(
    profile: Literal["hybrid", "stage1"],
) -> None:
    of = memory(Policy(recall=RecallPolicy(profile=profile)))
    ada = of.agent("ada", user="tuff")
    mine = ada.remember("Call me on +1 415 555 2671")
    ada.remember("My sister has the number +1 415 555 2672")

    found = ada.recall("Whose number is +1 415 555 2671?")
    ada.flush()

    assert found.hits[0].id == mine.episodic_id
    assert "2671" not in found.receipt.query
    assert ada.recall_again(ada.seq) == found


def looking(seen: list[str]) -> DetectFunction:
    """The built-in detector, with a list of what it was shown."""

    def look(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        seen.append(text)
        return rules_only(text, regions)

    return look


def test_one_text_is_looked_at_once_in_a_command() -> None:
    seen: list[str] = []
    ada = memory(detector=looking(seen)).agent("ada", user="tuff")
    with ada.job("seed-1") as job:
        seen.clear()
        job.episodic_write("a note", {"first": "green tea", "second": "green tea"})

    assert seen.count("green tea") == 1


def test_ids_hashes_and_moments_that_the_engine_made_are_not_looked_at_in_its_receipts() -> None:
    seen: list[str] = []
    ada = memory(detector=looking(seen)).agent("ada", user="tuff")
    for n in range(4):
        ada.remember(f"tea number {n} in the garden")
    ada.sem_search("user/")
    ada.episodic_query("tea garden")
    ada.recall("tea in the garden")
    ada.context("which tea?")
    seen.clear()
    ada.flush()

    assert [text for text in seen if ids.is_made(text)] == []
    assert {"user/", "tea garden", "tea in the garden", "which tea?"} <= set(seen)


def blank(name: str, **given: object) -> AnyCommand:
    """A receipt of which nothing is told but what is given."""
    told = {"type": name, **REQUIRED[name], **given}
    receipt: AnyCommand = msgspec.convert(told, AnyCommand, strict=False)
    return receipt


SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH"
REQUIRED: dict[str, dict[str, object]] = {
    "record_recall": {"call": "recall", "query": "tea"},
    "record_context": {
        "receipt_id": "ctx:" + "0" * 32,
        "query": "tea",
        "budget_tokens": 1,
        "at": 1,
    },
}
PLANTED = (
    ("record_recall", {"query": SECRET}),
    ("record_recall", {"evidence": [{"episodic_id": SECRET}]}),
    ("record_recall", {"evidence": [{"sem_keys": [SECRET]}]}),
    ("record_recall", {"evidence": [{"sem_snapshot_hash": SECRET}]}),
    ("record_recall", {"evidence": [{"note": SECRET}]}),
    ("record_recall", {"call": SECRET}),
    ("record_context", {"query": SECRET}),
    ("record_context", {"receipt_id": SECRET}),
    ("record_context", {"digest": SECRET}),
)


@pytest.mark.parametrize(("name", "given"), PLANTED)
def test_what_is_no_name_of_the_engines_own_is_looked_at_even_in_a_receipt(
    name: str, given: dict[str, object]
) -> None:
    found = screen(blank(name, **given), Privacy(), consented=False, pseudonym=lambda text: text)

    assert found.refused == "privacy_deny_sensitive"
    assert SECRET not in repr(found.command)


def test_in_what_a_caller_tells_a_name_of_that_form_is_looked_at_like_any_text() -> None:
    seen: list[str] = []
    ada = memory(detector=looking(seen)).agent("ada", user="tuff")
    kept = ada.remember("tea in the garden").episodic_id
    seen.clear()
    ada.remember(kept)

    assert kept in seen


MADE = (
    ids.episodic_id("place", "seed", 1),
    ids.ulid(ids.EPOCH_MS, "place", "seed", 1),
    ids.loop_id("place", "seed", 1),
    ids.request_id(ids.EPOCH_MS, b"0123456789"),
    ids.time_text(ids.EPOCH_MS),
    "ab" * 32,
)
NOT_MADE = ("", "ep:", SECRET, "ep:my password is hunter2", "4111 1111 1111 1111", "a" * 64 + "g")


def test_the_engine_knows_the_names_it_makes_and_no_other_text() -> None:
    assert all(map(ids.is_made, MADE))
    assert not any(map(ids.is_made, NOT_MADE))
    assert not any(ids.is_made(f"{each} ") or ids.is_made(f" {each}") for each in MADE)
