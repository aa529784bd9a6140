"""The receipt of a recall: its question is screened, the names that the memory gave are not."""

from typing import Literal

import pytest
from tests.world import events, memory

from muniment.model.events import Recalled
from muniment.model.policy import Policy, RecallPolicy
from muniment.rules.privacy.detect import PrivacyFinding, finding
from muniment.rules.privacy.patterns import RULES
from muniment.rules.privacy.screen import rules_only

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


def test_one_text_is_looked_at_once_in_a_command() -> None:
    seen: list[str] = []

    def counting(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        seen.append(text)
        return rules_only(text, regions)

    ada = memory(detector=counting).agent("ada", user="tuff")
    for n in range(4):
        ada.remember(f"tea number {n} in the garden")
    ada.sem_search("user/")
    ada.episodic_query("tea garden")
    seen.clear()
    ada.remember("and so the receipts are logged")

    hashes = [text for text in seen if len(text) == 64]
    assert len(hashes) == 1
