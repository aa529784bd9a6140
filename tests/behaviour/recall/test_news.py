"""What is news for a question: the newest word about the same thing, and of nothing else."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

TALK = (
    "The bus broke down, so we walked the last two miles.",
    "What's a kind way to turn down an offer? I don't want to hurt anyone.",
    "My inbox is a mess, I have four hundred unread mails.",
    "Give me three ideas for a rainy afternoon.",
)


def told(*lines: str) -> Agent:
    """Each line on a day of its own, small talk between them; the last one today."""
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"news")).agent("ada", user="tuff")
    for day, line in enumerate(lines, start=2):
        clock.set(f"2026-04-{day:02}T09:00:00.000Z")
        ada.remember(line)
        for said in TALK:
            ada.remember(said)
    return ada


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        # A week that goes on is asked of now.
        (
            "Who has the pager this week?",
            "The pager this week is with Ottilie.",
            "Ottilie has the flu, Barnaby takes the pager this week.",
        ),
        # A number in a unit, told again in that unit, though nothing asks for a number.
        ("What does the calf weigh?", "The calf weighs 61 kilos.", "The calf is up to 70 kilos."),
        ("What do I bench?", "I bench 60 kilos.", "Up to 75 kilos, the coach is happy."),
        # What is over has changed.
        (
            "Will there be a harvest fair?",
            "I want to hold a harvest fair in the barn in autumn.",
            "Harvest fair is off, the council said no.",
        ),
        (
            "Is the kayak still coming?",
            "We ordered a kayak, coming Friday.",
            "The kayak shop backed out.",
        ),
        # "May" before a pronoun is no month.
        (
            "May we mow on Sundays?",
            "House rule: no mowing on Sundays.",
            "Mowing on Sundays is allowed again, the owners voted.",
        ),
        ("How long is the mooring?", "The mooring is ours until 2027.", "New mooring, till 2033."),
    ],
)
def test_the_newest_word_about_it_is_first(question: str, older: str, newer: str) -> None:
    assert told(older, newer).recall(question).hits[0].text == newer


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        # A day is no amount.
        (
            "How much may the tour cost?",
            "Budget for the tour: 2,400 euros.",
            "Extended the tour, home on the 19th.",
        ),
        # Half of what is asked for is not enough without its rarest word.
        (
            "Who funds the orchard?",
            "The orchard is funded by Rosamund.",
            "The orchard opens its gates on 3 June.",
        ),
        # A number in a unit is told again in that unit, and a date has none.
        ("When do lessons start?", "Lessons begin on 4 May.", "The fee is 35 from 1 October on."),
    ],
)
def test_what_tells_of_something_else_is_no_news(question: str, answer: str, other: str) -> None:
    assert told(answer, other).recall(question).hits[0].text == answer


def test_a_wish_is_of_what_the_question_names_if_it_says_so() -> None:
    ada = told("I've been to Bergamo twice and needn't go again.", "I want a quiet room.")

    assert "Bergamo" in ada.recall("Do I want to visit Bergamo?").hits[0].text


def test_what_happened_in_a_week_that_goes_on_is_of_its_days() -> None:
    """The present may be told anew; what happened stays as it was told."""
    ada = told("I met Joan at the pool.", "The pool is closed now.")

    assert "Joan" in ada.recall("Whom did I meet at the pool this week?").hits[0].text


def test_of_two_results_of_tools_the_newer_answers_though_it_spells_a_word_otherwise() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"news")).agent("ada", user="tuff")
    results = (
        "Shop mail: pick up your order 'oak bench' at counter Weststrand.",
        '{"status":"ready","order":"oak bench","pickup":"locker Mohnweg"}',
    )
    for day, result in enumerate(results, start=2):
        clock.set(f"2026-04-{day:02}T09:00:00.000Z")
        ada.remember(result, origin="tool")

    first = ada.recall("Where can I pick up the oak bench order?").hits[0]
    assert "Mohnweg" in first.text


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Locker for Nadja: order ready, bay 4", "Locker for Tobias: order ready, bay 9",
         "Which bay is the locker of Nadja's order?"),
        ("Ferry 120 leaves from pier 7 at noon", "Ferry 1200 leaves from pier 3 at noon",
         "From which pier does ferry 120 leave at noon?"),
    ],
)  # fmt: skip
def test_a_result_of_another_name_or_number_is_no_newer_answer(
    older: str, newer: str, question: str
) -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"news")).agent("ada", user="tuff")
    for day, result in enumerate((older, newer), start=2):
        clock.set(f"2026-04-{day:02}T09:00:00.000Z")
        ada.remember(result, origin="tool")

    assert ada.recall(question).hits[0].text == older
