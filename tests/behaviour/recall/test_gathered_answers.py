"""Whoever asks for all that is known of them is given no replaced value without its newer word."""

from datetime import UTC, datetime, timedelta

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

# What was told, and what was told later in its place.
REPLACED = (
    ("I take 50 mg of metoprolol every morning", "Metoprolol only 25 mg from today on"),
    ("My rent is 840 euros", "The rent went up to 910"),
    ("My brother Tomas is a baker", "Tomas closed the bakery and now drives a tram"),
    ("My boss is Ivo", "Ivo left, Petra runs the team now"),
    ("I am allergic to walnuts", "It was never walnuts but hazelnuts"),
    ("My dog is called Biscuit", "Biscuit ran off; we adopted a greyhound called Comet"),
    ("I drive a Volvo", "Sold the Volvo, I have a bike now"),
    ("We live in Graz with my parents", "We moved out, our flat is in Linz now"),
    ("I work at Philips", "I have a new job at Nuvolo"),
    ("Meine Frau Ana arbeitet bei Bosch", "Ana hat im Mai bei Siemens angefangen"),
)
QUESTIONS = (
    "Tell me all about me",
    "What do you know about me?",
    "What should I know about myself?",
    "Tell me everything you know about me",
    "Was weißt du über mich?",
)


@pytest.fixture(scope="module")
def ada() -> Agent:
    clock, day = ToldClock(), datetime(2026, 3, 1, 9, tzinfo=UTC)
    found = open_memory(":memory:", Settings(clock=clock, seed=b"all")).agent("ada", user="tuff")
    older, newer = zip(*REPLACED, strict=True)
    for line in (*older, "My name is Tuff", "The printer is jammed", *newer, "Traffic was awful"):
        clock.set(f"{day:%Y-%m-%dT%H:%M}:00.000Z")
        day += timedelta(days=1)
        found.remember(line)
    return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_replaced_stands_behind_its_newer_word(ada: Agent, question: str) -> None:
    found = [hit.text for hit in ada.recall(question, limit=30).hits]

    given = [pair for pair in REPLACED if pair[0] in found]
    assert len(given) > len(REPLACED) // 2
    assert [newer for older, newer in given if newer not in found[: found.index(older)]] == []


@pytest.mark.parametrize("budget", [400, 800])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_context_gives_no_replaced_value_without_its_newer_word(
    ada: Agent, question: str, budget: int
) -> None:
    told = str(ada.context(question, budget=budget))

    assert [newer for older, newer in REPLACED if older in told and newer not in told] == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_courtesy_that_shares_a_word_with_the_question_is_no_knowledge(question: str) -> None:
    found = open_memory(":memory:", Settings(seed=b"words")).agent("ada", user="tuff")
    for line in ("I teach physics in Bergen", "I am allergic to shellfish", "We fly on 12 July"):
        found.remember(line)
    found.conversation(session="s").record(user="Moss got a sister", ai="Good to know.")

    best = [hit.text for hit in found.recall(question, limit=3).hits]

    assert sorted(best) == [
        "I am allergic to shellfish",
        "I teach physics in Bergen",
        "We fly on 12 July",
    ]
