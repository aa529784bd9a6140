"""Forgetting many things and bringing them back; and what a proof says while a branch is open."""

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import Browser

from muniment.adapters.studio import page_header
from muniment.adapters.studio.page_context import Studio
from muniment.model.errors import RefusedError

PAGE = "https://movers.example.org/lisbon"


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def ids(studio: Studio, *words: str) -> list[str]:
    found = studio.counting.catalogue()[0].items
    return [each.id for each in found if any(word in each.text for word in words) and each.is_alive]


def picks(names: list[str]) -> dict[str, str]:
    return {f"pick{place}": name for place, name in enumerate(names)}


def test_new_words_that_are_refused_are_told_as_that_and_change_nothing(studio: Studio) -> None:
    """Given a secret in a correction, when it is saved, then nobody thinks that it was."""
    names = ids(studio, "Lisbon")
    browser = Browser(studio)

    status, text = browser.send("/correct", id=names[0], text="my password is " + "hunter2" * 2)

    assert status == RefusedError.status
    assert "private information" in text
    assert ids(studio, "Lisbon") == names


def test_a_request_of_somebody_erased_names_nobody_in_capitals(studio: Studio) -> None:
    memory = studio.memory
    memory.agent("ada", user="bea").remember("I am Bea")
    request = memory.eraser("bea").request("bea", reason="I leave")
    for member in ("grace", "alan"):
        memory.council(member).approve(request)
    memory.eraser().carry_out(request)

    page = Browser(studio).get("/council")

    assert "asked by somebody who is no longer known" in page
    assert "Somebody Who" not in page


def test_a_note_and_the_turn_it_came_from_are_forgotten_together(studio: Studio) -> None:
    """Forgetting the note takes its turn along; it was then asked for again, and refused."""
    talk = studio.memory.agent("ada", user="tuff").conversation(session="family")
    talk.record(user="We decided to book the train to Cascais", ai="Booked.")
    names = ids(studio, "Cascais")
    assert len(names) > 1

    status, page = Browser(studio).send("/forget", **picks(names))

    assert status == 200, page
    assert "no longer finds it" in page
    assert ids(studio, "Cascais") == []


def test_a_refusal_says_why_and_not_only_of_what(studio: Studio) -> None:
    kept = studio.memory.agent("ada", user="tuff").remember("The buoy is green").episodic_id
    studio.memory.admin("grace").place_hold(user="tuff", reason="Claim 7")

    status, page = Browser(studio).send("/forget", pick0=kept)

    told = page.partition('role="alert">')[2].partition("<code")[0]
    assert status == 403
    assert kept not in told
    assert "hold" in told


def test_an_undo_brings_back_what_was_forgotten_as_it_was(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    kept = ada.remember("The museum is closed on Mondays", source=PAGE).episodic_id
    talk = ada.conversation(session="family")
    talk.record(user="We decided to book the train to Cascais", ai="Booked.")
    names = [kept, *ids(studio, "Cascais")]
    browser = Browser(studio)
    browser.send("/forget", **picks(names))
    assert ids(studio, "museum", "Cascais") == []

    status, page = browser.send("/restore", **picks(names))

    assert status == 200, page
    assert len(ids(studio, "museum", "Cascais")) == len(names)
    (again,) = [each for each in ada.recall("Is the museum closed?").hits if each.id == kept]
    assert again.source == PAGE


def test_the_badge_is_proved_up_to_now_while_a_branch_is_open(studio: Studio) -> None:
    trial = studio.memory.branch("try-it").agent("ada", user="tuff")
    trial.remember("My boat is called Petrel")
    for n in range(3):
        studio.memory.agent("ada", user="tuff").remember(f"Buoy {n} is green")
    browser = Browser(studio)
    browser.send("/prove", kind="prove")
    ends = time.monotonic() + 60
    while not (work := studio.works.find("prove")) or not work.is_over:
        assert time.monotonic() < ends
        time.sleep(0.05)

    badge = page_header.proof(studio)

    assert badge.words.startswith("Proved up to now"), badge
    told = html.unescape(re.sub("<[^>]*>", "", browser.get("/work", name="prove")))
    assert "Ada, what was said and learned, in the branch “Try it”" in told
