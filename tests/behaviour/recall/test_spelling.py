"""Spelling: a word that nobody has said is looked for as the word that was meant."""

import pytest

import muniment
from muniment.engine.api.agent import Agent

TOLD = (
    "My bicycle is in the shed",
    "The dentist is on Baker Street",
    "Jonathan plays the accordion",
    "The house has a green door",
    "It rains again",
)


@pytest.fixture
def ada() -> Agent:
    ada = muniment.open(":memory:", clock=False).agent("ada", user="tuff")
    for text in TOLD:
        ada.remember(text)
    return ada


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where is my bicyle?", TOLD[0]),  # a letter less
        ("Where is the denttist?", TOLD[1]),  # one more
        ("What does Jonahtan play?", TOLD[2]),  # two in another order
        ("Who plays the acordion?", TOLD[2]),
        ("accordian", TOLD[2]),  # another one
    ],
)
def test_a_slip_of_the_pen_is_found_by_the_word_that_was_meant(
    ada: Agent, question: str, first: str
) -> None:
    hit = ada.recall(question).hits[0]

    assert hit.text == first
    assert hit.matched


def test_a_word_that_is_known_is_no_slip(ada: Agent) -> None:
    assert not [hit for hit in ada.recall("horse").hits if "house" in hit.matched]


def test_a_word_that_was_said_is_looked_for_as_it_is(ada: Agent) -> None:
    ada.remember("The bicyle was spelled like this by somebody")

    assert ada.recall("bicyle").hits[0].text == "The bicyle was spelled like this by somebody"


def test_the_same_question_is_answered_alike_from_its_receipt(ada: Agent) -> None:
    then = ada.recall("Where is my bicyle?")
    ada.remember("thanks")

    again = ada.recall("Where is my bicyle?", at=ada.seq)
    assert then.hits[0].id == again.hits[0].id


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where do I drop off the keys to the boat?", "Dropoff: the grey box beside the quay"),
        ("Which day care does Mo go to?", "The daycare of Mo is called Sandpit"),
    ],
)
def test_what_is_asked_for_in_two_words_is_told_in_one(
    ada: Agent, question: str, told: str
) -> None:
    ada.remember(told)
    ada.remember("The keys are on the table, the boat is blue")

    hits = ada.recall(question, explain=True).hits

    assert told in [hit.text for hit in hits[:2]]
    assert next(hit.terms["kin"] for hit in hits if hit.text == told) > 0
