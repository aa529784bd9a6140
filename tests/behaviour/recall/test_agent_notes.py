"""What an agent notes of the person it serves is as current as what they say themselves."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

PAD = ("Ran the linter, no errors.", "Refactored the login module.", "User asked about regexes.")
# A question in the words of the agent and of the person, and what was noted one after the other.
NOTED = (
    ("Where does the user live?", "User lives in Porto.", "User moved to Faro last week."),
    ("Where do I live?", "The user lives in Porto.", "The user moved to Faro last week."),
    (
        "Where do I work?",
        "The user works at Nimbus as an engineer.",
        "The user left Nimbus and joined Orchid Labs.",
    ),
    ("Who is the user's boss?", "User's boss is Karin.", "Karin retired, user reports to Jonas."),
    (
        "What car does the user drive?",
        "The user drives a Saab.",
        "User sold the Saab and bought a Skoda.",
    ),
    ("What does CI run on?", "CI runs on CircleCI.", "We migrated CI from CircleCI to GitHub."),
)


def noted(*lines: str, origin: str = "agent") -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"notes")).agent("ada", user="tuff")
    for day, line in enumerate([lines[0], *PAD, *lines[1:]], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line, origin=origin)
    return ada


@pytest.mark.parametrize(("question", "older", "newer"), NOTED)
def test_the_newest_note_answers_first(question: str, older: str, newer: str) -> None:
    found = [hit.text for hit in noted(older, newer).recall(question).hits]

    assert found[:2] == [newer, older]


def test_a_note_is_on_the_agents_word_all_the_same() -> None:
    ada = noted("User lives in Porto.", "User moved to Faro last week.")

    assert "[ai_inferred/agent" in ada.context("Where does the user live?", budget=300).text


@pytest.mark.parametrize("other", ["A user lives in Rome.", "The user lives in Rome."])
def test_a_user_of_whom_a_person_tells_is_somebody_else(other: str) -> None:
    ada = noted("I live in Porto.", other, origin="user")

    assert ada.recall("Where do I live?").hits[0].text == "I live in Porto."


def test_of_the_user_of_whom_a_person_tells_the_newest_home_is_first() -> None:
    older, newer = "The user lives in Rome.", "The user moved to Turin in May."
    ada = noted(older, newer, origin="user")

    assert [hit.text for hit in ada.recall("Where does the user live?").hits][:2] == [newer, older]


def test_what_a_tool_says_is_no_note() -> None:
    ada = noted("User lives in Porto.", origin="agent")
    ada.remember("User lives in Faro", origin="tool")

    assert ada.recall("Where does the user live?").hits[0].text == "User lives in Porto."
