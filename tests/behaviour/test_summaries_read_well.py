"""Summaries for readers: whole sentences, no pieces of JSON, no noise, the newest state first."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import memory

from muniment import Agent
from muniment.model.kinds.conversation_item import ROLLING, MemoryItem
from muniment.model.policy.maintenance import Limit
from muniment.model.text import telling_lines
from muniment.rules import loop_compaction
from muniment.rules.memos import summarise

TIDES = {"harbour": "Douarnenez", "tides": [{"at": f"{n:02}:15", "metres": n} for n in range(24)]}
LONG = (
    "The ferry leaves at 08:35 from quay 4. " + "It carries cars and bicycles on two decks. " * 12
)


def said(ada: Agent, *texts: str) -> list[MemoryItem]:
    """Everything is told, then as much again, so that all of it has left the window."""
    talk = ada.conversation(session="s")
    for text in texts:
        talk.record(user=text, ai="Noted.")
    for n in range(24):
        talk.record(user=f"I walked {n} miles along the coast road.", ai="Noted.")
    return [each for each in talk.items("short_term") if ROLLING in each.meta.policy_tags]


def loop_summary(ada: Agent) -> list[str]:
    (found,) = ada.fuzzy_query("tides")
    return found.summary.summary.splitlines()


# ── Lines ───────────────────────────────────────────────────────────────────────────────────────


def test_a_long_text_is_told_by_its_first_whole_sentences_each_once() -> None:
    told = telling_lines.told(LONG, 280)

    assert told == (
        "The ferry leaves at 08:35 from quay 4. It carries cars and bicycles on two decks."
    )


@pytest.mark.parametrize("given", [TIDES, json.dumps(TIDES)], ids=["value", "spelled"])
def test_a_value_is_told_in_whole_pairs_and_says_how_many_more_there_are(given: object) -> None:
    told = telling_lines.told(given, 100)

    assert told.startswith("harbour: Douarnenez, tides at: 00:15, tides metres: 0, ")
    assert told.endswith(" more")
    assert len(told) <= 100
    assert not set(told) & set('{}[]"')


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 999) | st.text("abc ", max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("xyz"), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.integers(40, 200))
def test_any_value_fits_its_line(value: object, most: int) -> None:
    told = telling_lines.told(value, most)
    assert len(told) <= most
    assert "\n" not in told


# ── Loops ───────────────────────────────────────────────────────────────────────────────────────


def test_a_thousand_like_calls_are_one_line_with_their_number() -> None:
    ada = memory().agent("ada", user="tuff")
    with ada.do("Look up the tides") as doing:
        for n in range(60):
            doing.tool_result(doing.tool_call("tide_table", {"day": n}), TIDES)
        doing.answer("High water is at noon.")

    told = loop_summary(ada)

    assert told[:2] == ["user_input: Look up the tides", "tool_call: tide_table, 60 times"]
    assert told[2].startswith("tool_result: harbour: Douarnenez, tides at: 00:15,")
    assert told[3:] == ["actor_output: High water is at noon."]


def test_three_calls_and_calls_of_other_tools_are_told_one_by_one() -> None:
    ada = memory().agent("ada", user="tuff")
    with ada.do("Look up the tides") as doing:
        for n in range(3):
            doing.tool_result(doing.tool_call("tide_table", {"day": n}), "high at noon")
        doing.tool_result(doing.tool_call("almanac", {"year": 2026}), "new moon")

    calls = [line for line in loop_summary(ada) if line.startswith("tool_call")]

    assert calls == [
        "tool_call: tide_table with day: 0",
        "tool_call: tide_table with day: 1",
        "tool_call: tide_table with day: 2",
        "tool_call: almanac with year: 2026",
    ]


def test_a_digest_says_once_what_was_asked_again_and_again() -> None:
    asked = ["user_input: water the plants\nactor_output: done"] * 7
    told = loop_compaction.digest(["user_input: pay the rent\nactor_output: paid", *asked])

    assert told.splitlines() == [
        "user_input: pay the rent",
        "user_input: water the plants (7 times)",
    ]


# ── Conversations and memos ─────────────────────────────────────────────────────────────────────


def test_a_rolling_summary_holds_statements_and_no_question_thanks_or_value() -> None:
    ada = memory().agent("ada", user="tuff")

    (rolling,) = said(
        ada,
        "We decided to sell the boat on 14 May.",
        "Thanks a lot!",
        "What does a mooring cost?",
        json.dumps(TIDES),
        "My sister Jonna moved to Quimper.",
    )

    told = rolling.text.splitlines()
    assert "We decided to sell the boat on 14 May." in told
    assert "My sister Jonna moved to Quimper." in told
    assert not any(mark in rolling.text for mark in ("Thanks", "?", "{", "["))
    assert rolling.meta.summary_of, "and it names the messages that it stands for"
    walks = [each for each in told if "miles" in each]
    assert len(walks) == 1, "what was said again with another number is said as it stands now"
    assert told.index(walks[0]) == 0, "and the newest comes first"


def test_no_summary_of_memos_is_a_piece_of_json() -> None:
    told = summarise.summarise([json.dumps(TIDES, indent=1)], Limit(sentences_max=3, tokens_max=30))

    assert told.text.startswith("harbour: Douarnenez, ")
    assert not set(told.text) & set('{}[]"')
