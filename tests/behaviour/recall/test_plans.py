"""Whoever asks for what is to be is told what was planned since, before what is over."""

from collections.abc import Sequence

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

# A question for a plan, and what was told one after the other: the plan is the answer.
PLANNED = (
    (
        "Are we getting a dog?",
        "My dog is called Nano",
        "Nano died last week",
        "We will get a puppy from the shelter in spring",
    ),
    (
        "Will we have a dog again?",
        "My dog is called Nano",
        "Nano died on Sunday",
        "Maybe we will adopt a greyhound",
    ),
    ("Are we buying a car?", "I sold the Volvo", "We want to buy an electric car next year"),
    (
        "Holen wir uns einen Hund?",
        "Mein Hund Nano ist gestorben",
        "Im Frühling holen wir uns einen neuen Hund",
    ),
)
# How things stand is asked for: a wish that was told since is no answer to it.
NOT_PLANNED = (
    ("What is my dog called?", "My dog is called Nano", "We want to get a second dog in spring"),
    ("Which car do I have?", "My car is a Volvo", "I would like to buy a Tesla one day"),
)


def told(lines: Sequence[str]) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"plans")).agent("ada", user="tuff")
    for day, line in enumerate([*lines[:1], "The printer is jammed", *lines[1:]], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line)
    return ada


@pytest.mark.parametrize("lines", PLANNED, ids=[each[0] for each in PLANNED])
def test_a_plan_answers_for_what_is_to_be(lines: Sequence[str]) -> None:
    question, *said = lines

    assert told(said).recall(question).hits[0].text == said[-1]


@pytest.mark.parametrize(("question", "answer", "wish"), NOT_PLANNED)
def test_a_wish_does_not_answer_for_how_things_stand(question: str, answer: str, wish: str) -> None:
    assert told([answer, wish]).recall(question).hits[0].text == answer
