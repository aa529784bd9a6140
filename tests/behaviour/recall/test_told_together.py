"""A list that is told at once was made in some order: what follows in it is the newer word."""

from collections.abc import Callable

import pytest
from tests.world import SteppingClock, StillClock, memory

from muniment.engine.api.agent import Agent

Told = Callable[[tuple[str, ...]], Agent]
ASIDE = ("It rained all day", "I had soup for lunch", "The printer is out of ink")
TALKS = (
    (
        "What car do I drive?",
        ("I drive a Skoda", "I sold the Skoda and bought a Fiat", "I sold the Fiat for a Volvo"),
        "Volvo",
    ),
    ("What is my name?", ("My name is Anna", "My name is Berta"), "Berta"),
    (
        "When is the dentist?",
        ("The dentist is on Thursday at 9", "Scratch the dentist, it's Friday at 11 now"),
        "Friday",
    ),
    ("Where do I live?", ("I live in Porto", "I moved to Braga"), "Braga"),
    ("Where do I live?", ("I live in Braga", "I live in Porto", "I live in Faro"), "Faro"),
)


def told_one_by_one(texts: tuple[str, ...]) -> Agent:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def told_together(texts: tuple[str, ...]) -> Agent:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember_many(list(texts))
    return ada


def told_within_a_millisecond(texts: tuple[str, ...]) -> Agent:
    ada = memory(clock=StillClock()).agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


@pytest.mark.parametrize("told", [told_one_by_one, told_together, told_within_a_millisecond])
@pytest.mark.parametrize(("question", "texts", "answer"), TALKS)
@pytest.mark.parametrize("aside", [(), ASIDE])
def test_the_last_word_of_a_list_is_the_newest(
    told: Told, question: str, texts: tuple[str, ...], answer: str, aside: tuple[str, ...]
) -> None:
    ada = told((*aside, *texts))

    assert answer in ada.recall(question).hits[0].text
    assert answer in ada.context(question, budget=400).text


def test_a_list_in_the_other_order_says_the_other_thing() -> None:
    texts = ("I live in Braga", "I live in Porto", "I live in Faro")

    assert "Faro" in told_together(texts).recall("Where do I live?").hits[0].text
    assert "Braga" in told_together(texts[::-1]).recall("Where do I live?").hits[0].text
