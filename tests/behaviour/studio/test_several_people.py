"""Several people in one studio: nobody waits for another, and nobody sees what is gone."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests import studios
from tests.studios import ADA, Browser

from muniment.adapters.studio.app import FORMS, PAGES
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, Redirect, RenderedPage
from muniment.layers.governance.requests import Request

PATIENCE = 30  # seconds: a page takes milliseconds, and waiting for a turn lasts for ever
FLYER = "The flyer says that ZEBRA-77 is free"
QUERY = {"stream": ADA, "other": studios.COUNCIL, "user": "tuff", "seq": "4"}


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    made.memory.agent("ada", user="tuff").remember(FLYER, origin="external")
    yield made
    made.close()


def approved_erasure(studio: Studio) -> Request:
    Browser(studio).send("/erase", user="tuff", reason="they asked")
    asked = next(each for each in studio.memory.council().requests() if each.action == "erase")
    for member in ("alan", "ken"):
        studio.memory.council(member).approve(asked.request_id, binding=asked.binding)
    return asked


@pytest.mark.parametrize("busy", ["/diff", "/undo"])
def test_a_page_that_takes_long_and_a_decision_that_does_hold_up_nobody_who_looks(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, busy: str
) -> None:
    begun, done = threading.Event(), threading.Event()

    def takes_long(_: Studio, __: PageRequest) -> RenderedPage | Redirect:
        begun.set()
        assert done.wait(PATIENCE)
        return Redirect(where="/")

    monkeypatch.setitem(FORMS if busy in FORMS else PAGES, busy, takes_long)
    grace, alan = Browser(studio, "grace"), Browser(studio, "alan")
    others = [path for path in PAGES if path != busy and path not in {"/work", "/request"}]
    with ThreadPoolExecutor() as hands:
        slow = hands.submit(lambda: grace.send(busy) if busy in FORMS else grace.status(busy))
        assert begun.wait(PATIENCE)
        told = hands.map(lambda path: alan.status(path, **QUERY), others, timeout=PATIENCE)

        statuses = set(told)
        done.set()
        slow.result(PATIENCE)

    assert statuses <= {200, 400, 404}  # a few of them want to be told more


def test_two_who_vote_at_the_same_moment_are_both_heard_and_it_is_done_once(
    studio: Studio,
) -> None:
    asked = studio.memory.council().requests()[0]
    fields = {"id": asked.request_id, "vote": "approve", "binding": asked.binding}
    members = [Browser(studio, name) for name in ("grace", "alan", "ken", "dennis")]

    with ThreadPoolExecutor() as hands:
        told = list(hands.map(lambda member: member.send("/vote", **fields)[0], members))

    assert sorted(told) == [200, 200, 403, 403]  # two were enough; the others came too late
    lines = studio.memory.log(studio.stream(studios.COUNCIL))
    executed = [line for line in lines if getattr(line.event, "outcome", "") == "executed"]
    assert len([line for line in executed if line.event.request_id == asked.request_id]) == 1  # type: ignore[union-attr]


def test_what_was_erased_is_on_no_page_that_was_counted_before(studio: Studio) -> None:
    grace = Browser(studio)
    asked = approved_erasure(studio)
    assert "ZEBRA-77" in grace.get("/apart", stream=ADA)
    before = grace.get("/counts", stream=ADA)

    assert grace.send("/destroy", id=asked.request_id)[0] == 200

    assert "ZEBRA-77" not in grace.get("/apart", stream=ADA)
    assert grace.get("/counts", stream=ADA) != before
    assert "entries were erased" in grace.get("/counts", stream=ADA)


def test_what_another_process_erased_is_on_no_page_either(studio: Studio, tmp_path: Path) -> None:
    grace = Browser(studio)
    asked = approved_erasure(studio)
    assert "ZEBRA-77" in grace.get("/apart", stream=ADA)
    assert "Said in a talk" in grace.get("/privacy", user="tuff")

    with studios.opened(tmp_path / "memory") as other:
        other.eraser().carry_out(asked.request_id)

    assert "ZEBRA-77" not in grace.get("/apart", stream=ADA)
    assert "Nothing is known about" in grace.get("/privacy", user="tuff")


def test_pages_that_are_read_while_somebody_is_erased_end_with_nothing_of_them(
    studio: Studio,
) -> None:
    asked = approved_erasure(studio)
    reading = {"/log": {"stream": ADA}, "/apart": {"stream": ADA}, "/privacy": {"user": "tuff"}}
    reading |= {"/diff": {"stream": ADA, "from": "0"}, "/counts": {"stream": ADA}, "/": {}}
    over = threading.Event()

    def look(path: str) -> set[int]:
        reader, told = Browser(studio, "alan"), set[int]()
        while not over.is_set():
            told.add(reader.status(path, **reading[path]))
        return told

    with ThreadPoolExecutor() as hands:
        looking = [hands.submit(look, path) for path in reading]
        status, text = Browser(studio).send("/destroy", id=asked.request_id)
        over.set()
        met = set[int]().union(*(each.result(PATIENCE) for each in looking))

    assert status == 200, text
    assert met == {200}
    grace = Browser(studio)
    for path, query in reading.items():
        assert "ZEBRA-77" not in grace.get(path, **query), path


def test_a_form_of_a_session_that_has_ended_changes_nothing(studio: Studio) -> None:
    grace = Browser(studio)
    asked = studio.memory.council().requests()[0]
    token = studios.FORM_TOKEN.search(grace.get("/council"))
    assert token
    fields = {"form_token": token[1], "id": asked.request_id, "vote": "approve"}
    fields["binding"] = asked.binding
    grace.client.post("/sign-out")

    late = grace.client.post("/vote", data=fields)
    again = Browser(studio)  # signed in anew: the form of the former session is not hers any more
    stale = again.client.post("/vote", data=fields)

    assert late.status_code == 401
    assert stale.status_code == 403
    assert not studio.memory.council().requests()[0].votes
