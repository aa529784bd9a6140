"""A reflection on months is told by all of their weeks, and by what stands, newest first."""

import pytest

import muniment
from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

SINCE, UNTIL = "2026-02-01", "2026-03-31"
# Of each week the day, and what was said of note among the chatter of that day.
WEEKS = (
    ("2026-02-03", "The rent is 840 euros."),
    ("2026-02-10", "Grandma Ilse turned ninety in Bremen."),
    ("2026-02-17", "I signed the lease for Hafenweg 12."),
    ("2026-02-24", "Doctor Weber found a murmur in my heart."),
    ("2026-03-03", "The rent is 910 euros."),
)
BUSY = "2026-03-10"


@pytest.fixture(scope="module")
def ada() -> Agent:
    """Five quiet weeks, and one in which more was said than in all of them."""
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"levels")).agent("ada", user="tuff")
    for day, said in WEEKS:
        clock.set(f"{day}T09:00:00.000Z")
        ada.remember_many([said, "Thanks!", "How long do eggs boil?"], session=day)
        ada.remember('{"rank": 1, "title": "Result 7"}', origin="tool", source="search")
    clock.set(f"{BUSY}T09:00:00.000Z")
    ada.remember_many([f"Room {n} of the Hotel Aurora has {n} chairs" for n in range(40)])
    return ada


def said(ada: Agent) -> list[str]:
    return [each.text for each in ada.summary("reflection", since=SINCE, until=UNTIL).sentences]


def test_every_week_has_its_word_newest_first(ada: Agent) -> None:
    found = said(ada)

    noted = [each for _, each in WEEKS[1:]]
    assert [each for each in found if each in noted] == noted[::-1]
    assert found[0].startswith("Room ")


def test_what_was_said_again_stands_as_it_is_now(ada: Agent) -> None:
    assert "The rent is 910 euros." in said(ada)
    assert "The rent is 840 euros." not in said(ada)


def test_questions_courtesies_and_values_of_machines_are_in_none(ada: Agent) -> None:
    assert not [each for each in said(ada) if "?" in each or "{" in each or "Thanks" in each]


def test_each_sentence_is_whole_cited_and_hides_nothing(ada: Agent) -> None:
    for each in ada.summary("reflection", since=SINCE, until=UNTIL).sentences:
        (citation,) = each.citations
        assert citation.quote == each.text
    assert ada.recall("What was the rent of 840?").hits[0].text in {WEEKS[0][1], WEEKS[4][1]}
    assert len(ada.recall("rent", limit=20).hits) >= 2


def test_days_of_which_little_was_said_are_told_whole(ada: Agent) -> None:
    day = WEEKS[1][0]

    assert ada.summary("reflection", since=day, until=day).text == WEEKS[1][1]


def test_what_is_forgotten_is_in_no_level() -> None:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember_many(["Doctor Weber found a murmur.", "I signed the lease for Hafenweg 12."])
    gone = ada.recall("murmur").hits[0]
    day = gone.created[:10]
    assert gone.text in ada.summary("reflection", since=day).text

    ada.forget(gone.id)

    assert ada.summary("reflection", since=day).text == "I signed the lease for Hafenweg 12."
