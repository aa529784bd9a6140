"""Lines of a transcript that are remembered as they stand: who speaks is read from them."""

import pytest

import muniment
from muniment import Agent
from muniment.retrieval.text import speaker_prefix

LINES = (
    "Ann: Hi Bob, did you sleep well?",
    "Bob: Like a log, thanks. How long have you had those dogs?",
    "Ann: For three years!",
    "Bob: I moved to Lisbon in March.",
    "Ann: I moved to Porto in May.",
)


@pytest.fixture
def ada() -> Agent:
    found = muniment.open(":memory:", clock=False).agent("ada", user="tuff")
    for line in LINES:
        found.remember(line)
    return found


def test_whose_words_they_are_decides_and_is_told_once(ada: Agent) -> None:
    best = ada.recall("Where did Ann move to?").hits[0]

    assert (best.text, best.speaker, best.told) == (LINES[4], "", LINES[4])
    text = str(ada.context("Where did Ann move to?", budget=400))
    assert LINES[4] in text
    assert "Ann: Ann:" not in text


def test_an_answer_is_found_by_what_was_asked_in_the_line_before(ada: Agent) -> None:
    best = ada.recall("How long has Ann had her dogs?", limit=2).hits

    assert LINES[2] in [hit.text for hit in best]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Ann: I moved", "Ann"),
        ("Élise Martin: bonjour", "Élise Martin"),
        ("Dr. Weiss: take two a day", "Dr. Weiss"),
        ("Анна: я переехала", "Анна"),
        ("Reminder: call Ann", ""),
        ("Shopping list: milk", ""),
        ("Termin: Zahnarzt um neun", ""),
        ("ValueError: no such key", ""),
        ("User: where do I live?", ""),
        ("note: lower case", ""),
        ("Anyway: I moved", ""),
        ("Übrigens: ich bin umgezogen", ""),
        ("Además: me mudé", ""),
        ("Кстати: я переехала", ""),
        ("Lisbon is nice", ""),
        ("Meeting at 12:30 with Ann", ""),
        ("Ann:", ""),
    ],
)
def test_a_line_begins_with_a_name_and_a_note_with_its_label(text: str, speaker: str) -> None:
    assert speaker_prefix.speaker_of(text) == speaker


def test_what_was_said_beside_the_words_goes_before_the_words() -> None:
    ada = muniment.open(":memory:", clock=False).agent("ada", user="tuff")

    ada.remember("Bob: I moved to Lisbon", speaker="Ann", session="reading aloud")

    (best,) = ada.recall("Where did Ann move to?").hits
    assert (best.speaker, best.told) == ("Ann", "Ann: Bob: I moved to Lisbon")
