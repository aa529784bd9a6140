"""What asks how things stand by now is answered by the newest word, told in whatever words."""

import pytest
from tests.behaviour.recall.test_news import told

from muniment.retrieval.ranking import query


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        # "Has" and "have" gather all that was ever so in some questions only.
        ("How much have I put by?", "I have put by 800.", "Up to 950 now, put by in a jar."),
        ("Who has my drill?", "I lent Wendell my green drill.", "Wendell gave me back the drill."),
        # "What's my …" asks for a number as "What is my …" does.
        ("What's my day rate?", "I charge 310 a day.", "340 a day is my new rate."),
    ],
)
def test_the_newest_word_answers_how_it_stands(question: str, older: str, newer: str) -> None:
    assert told(older, newer).recall(question).hits[0].text == newer


def test_a_particle_is_no_value_that_something_ends() -> None:
    ada = told("Ankle's mended, back on the pitch!", "Handed the library books back.")
    assert ada.recall("Is my ankle okay?").hits[0].text == "Ankle's mended, back on the pitch!"


@pytest.mark.parametrize(
    ("question", "gathers"),
    [
        ("Has Oakfield paid?", False),
        ("Do we have a lodger?", False),
        ("Which car have I got?", False),
        ("How much have I put by?", False),
        ("Who has the drill?", False),
        ("Who has visited us?", True),
        ("What have I painted?", True),
        ("How many bikes do I have?", True),
    ],
)
def test_what_asks_how_it_stands_gathers_nothing(question: str, *, gathers: bool) -> None:
    assert query.analyse(question).gathers is gathers


@pytest.mark.parametrize("asked", ["What's our budget?", "What is our rate?", "What's my deposit?"])
def test_a_number_is_asked_for_by_its_name(asked: str) -> None:
    assert query.analyse(asked).wants_amount
