"""Entries in words: every kind of entry has a name, and a card leaves out what holds nothing."""

import re
from pathlib import Path

import pytest
from tests.studios import page, studio
from tests.world import memory

from muniment.adapters.rendering import command_words, event_summary, event_words
from muniment.engine import decide
from muniment.model.kinds.conversation_item import Kind, Source
from muniment.model.kinds.loop import EventKind
from muniment.model.scope import agent_stream

ADA = agent_stream("main", "ada")


def test_every_kind_of_entry_has_a_name_that_is_no_code() -> None:
    assert set(event_words.NAMES) == set(event_summary.GISTS)
    assert all(re.fullmatch(r"[A-Z][A-Za-z, -]+", name) for name in event_words.NAMES.values())
    assert {*event_words.SAID} == {*Source}
    assert {*event_words.LEARNED} == {*Kind} - {Kind.SHORT_TERM}
    assert {*event_words.IN_A_LOOP} == {*EventKind}
    assert {*event_words.SHORTER} <= {*event_summary.GISTS}


@pytest.mark.parametrize(
    ("wanted", "gist"),
    [
        ("The person said", "I always take an aisle seat"),
        ("The agent said", "Noted."),
    ],
)
def test_a_talk_is_told_by_who_spoke(wanted: str, gist: str) -> None:
    world = memory()
    talk = world.agent("ada", user="mira").conversation()
    talk.record(user="I always take an aisle seat", ai="Noted.")

    told = {(event_words.name(line), event_words.gist(line)) for line in world.log(ADA)}

    assert (wanted, gist) in told


def test_the_card_of_a_context_has_no_line_of_zeros(tmp_path: Path) -> None:
    shown = studio(tmp_path)
    ada = shown.memory.agent("ada", user="mira")  # of whom nothing is known
    ada.context("Where do I live?", budget=200)
    ada.flush()
    seq = next(
        each.seq for each in shown.memory.log(ADA) if each.header.type == "context_assembled"
    )

    shows = page(shown, "/entry", stream=ADA.text, seq=str(seq))

    card = shows.partition("<dl")[2].partition("</dl>")[0]
    values = re.findall(r"<dt>([^<]*)</dt><dd[^>]*>([^<]*)</dd>", card)
    assert ("tokens it may use", "200") in values
    assert not [name for name, said in values if said in ("", "0", "()") or ".count" in name]
    assert ("kind", "Context") in values
    assert re.search(r"\d+ fields? without a value", shows)


def test_every_command_is_asked_for_in_words() -> None:
    assert {*command_words.ASKS} == {*decide.RULES}
    assert all(re.fullmatch(r"[a-z][a-z -]+", words) for words in command_words.ASKS.values())


def test_the_card_of_an_entry_holds_words_and_its_codes_are_folded_away(tmp_path: Path) -> None:
    shown = studio(tmp_path)
    mira = shown.memory.agent("ada", user="mira")
    told_first = mira.remember("I live in Hamburg")
    mira.correct(told_first.episodic_id, "I moved to Lisbon")
    lines = list(shown.memory.log(ADA))
    told = next(each for each in lines if getattr(each.event, "corrects", 0))

    shows = page(shown, "/entry", stream=ADA.text, seq=str(told.seq))

    card, _, rest = shows.partition("<dl")[2].partition("</dl>")
    assert not re.search(
        r"[a-z]_[a-z]|ep:[0-9a-f]{8}|\d{4}-\d\d-\d\dT", re.sub("<[^>]*>", "", card)
    )
    folded = rest.partition("<details")[2].partition("</details>")[0]
    assert ADA.text in folded
    assert told.header.ts in folded
    assert "Mira asks to put something right" in shows
