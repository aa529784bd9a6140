"""Compaction decides what is at hand and what a summary says, never what can be found."""

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model.policy import Policy, preset

COLOURS = ["red", "blue", "green", "amber", "violet", "silver", "teal", "brown", "ochre", "pink"]
THINGS = ["locker", "badge", "account", "parking", "ticket", "gym"]
PLAIN = "My {what} number is {number}."
CHATTY = (
    PLAIN + " It was a long and rainy day again, and as always there was little to do but to wait"
    " and to talk about this and that for a while."
)
BUDGETS = (200, 500, 1_000, 2_000)


def facts(count: int) -> list[tuple[str, str]]:
    named = [f"{thing} {colour}" for thing in THINGS for colour in COLOURS]
    return [(what, str(1_000 + 37 * n)) for n, what in enumerate(named[:count])]


def told(count: int, said: str, policy: Policy | None = None) -> Agent:
    ada = world.memory(policy or Policy()).agent("ada", user="tuff")
    thread = ada.thread("chat")
    for what, number in facts(count):
        thread.turn(said.format(what=what, number=number))
    return ada


def answered(ada: Agent, count: int, budget: int) -> int:
    return sum(
        number in ada.context(f"What is my {what} number?", budget=budget).text
        for what, number in facts(count)
    )


@pytest.mark.covers("D-154")
@pytest.mark.parametrize("said", [PLAIN, CHATTY])
@pytest.mark.parametrize("count", [45, 55])
def test_what_was_answered_before_a_compaction_is_answered_after_it(count: int, said: str) -> None:
    # Given a channel on which so many facts were told: from the 51st on it compacts by itself
    ada = told(count, said)
    # When all that can be is compacted
    ada.compact()
    # Then every one is still found, whatever the budget
    assert {budget: answered(ada, count, budget) for budget in BUDGETS} == dict.fromkeys(
        BUDGETS, count
    )


def test_what_would_save_too_little_is_not_compacted() -> None:
    (tried,) = told(40, PLAIN).compact()
    assert (tried.done, tried.reason) == (False, "nothing_gained")


def test_a_compaction_that_saves_much_is_made_and_recall_gives_the_words_themselves() -> None:
    ada = told(45, CHATTY)
    (done,) = ada.compact()
    hits = ada.recall("What is my locker amber number?").hits
    assert done.tokens_after < done.tokens_before // 2
    assert hits[0].text == CHATTY.format(what="locker amber", number="1111")
    assert ada.memos("EM")[0].id == done.told_by  # what is at hand is the summary


def test_what_was_summarised_can_be_forgotten_and_its_summary_goes_with_it() -> None:
    ada = told(45, CHATTY)
    ada.compact()
    question = "What is my locker amber number?"
    ada.forget(ada.recall(question).hits[0].id)
    assert not any("1111" in hit.text for hit in ada.recall(question).hits)
    assert "1111" not in ada.context(question, budget=2_000).text
    assert not any("1111" in memo.text for memo in ada.memos("EM"))
    assert answered(ada, 45, 500) == 44


def test_what_was_summarised_and_restored_is_found_once() -> None:
    ada = told(45, CHATTY)
    ada.compact()
    found = ada.recall("What is my locker amber number?").hits[0].id
    ada.restore_memo(found)
    again = [hit.id for hit in ada.recall("What is my locker amber number?").hits]
    assert again.count(found) == 1
    assert found in [memo.id for memo in ada.memos("EM")]


def test_the_letter_lets_go_of_what_a_summary_tells() -> None:
    ada = told(45, CHATTY, preset("seed"))
    ada.compact()
    assert ada.recall("What is my locker amber number?").hits[0].text.count("number is") > 1
