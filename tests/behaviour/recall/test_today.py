"""Questions that say "today": of how things stand by now, or of what is on that day."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

TALK = (
    "The bus was late again.",
    "Der Drucker streikt schon wieder.",
    "Hoy llueve otra vez.",
)


def told(*lines: str) -> Agent:
    """The first line weeks ago, all others on the day of the question."""
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"today")).agent("ada", user="tuff")
    clock.set("2026-03-02T09:00:00.000Z")
    ada.remember(lines[0])
    clock.set("2026-04-02T09:00:00.000Z")
    for line in (*lines[1:], *TALK):
        ada.remember(line)
    return ada


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What does Solveig do for a living today?", "Solveig became a notary after all."),
        ("Was macht Solveig heute beruflich?", "Aus Solveig ist tatsächlich Notar geworden."),
        ("¿A qué se dedica Irune hoy?", "Irune acabó siendo notaria."),
    ],
)
def test_who_asks_how_things_stand_today_is_not_told_what_was_said_today(
    question: str, fact: str
) -> None:
    assert told(fact).recall(question).hits[0].text == fact


def test_who_asks_what_is_on_today_is_told_what_says_so() -> None:
    ada = told("I have to call the plumber some day.", "I have to call the bank today.")

    assert "bank" in ada.recall("Whom do I have to call today?").hits[0].text


def test_who_asks_what_happened_today_is_told_of_that_day() -> None:
    ada = told("I met Joan at the pool.", "I met Ravi at the pool.")

    assert "Ravi" in ada.recall("Whom did I meet at the pool today?").hits[0].text


@pytest.mark.parametrize(
    ("question", "fact", "other"),
    [
        (
            "Wo arbeite ich inzwischen?",
            "Ich arbeite im Stadtarchiv.",
            "Rote Bete geht inzwischen, aber Leber kann ich nicht sehen.",
        ),
        (
            "What do I usually have for breakfast?",
            "Breakfast is porridge with pears.",
            "The bus is usually late, I usually walk.",
        ),
        (
            "Where do I currently work?",
            "I work at the city archive.",
            "I am currently out of oat milk.",
        ),
    ],
)
def test_a_word_that_only_says_by_now_is_not_looked_for(
    question: str, fact: str, other: str
) -> None:
    assert told(fact, other).recall(question).hits[0].text == fact
