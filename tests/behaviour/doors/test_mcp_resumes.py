"""A line that broke is taken up again: with its Last-Event-ID a session hears what it missed."""

import json
import re

import pytest
from starlette.testclient import TestClient
from tests.behaviour.test_mcp import Desk, bearing
from tests.mcp_client import HELLO, call

from muniment.adapters.mcp import session_events
from muniment.adapters.mcp.session_events import SessionEvents

VERSION = {"mcp-protocol-version": "2025-11-25"}


class Line:
    """One session of one key."""

    def __init__(self, client: TestClient, key: str) -> None:
        self._client = client
        opened = client.post("/mcp", json=HELLO, headers=bearing(key))
        named = {"mcp-session-id": opened.headers["mcp-session-id"]}
        self.headers = bearing(key, **VERSION) | named
        client.post(
            "/mcp",
            json={"jsonrpc": "2.0", "method": "notifications/initialized"},
            headers=self.headers,
        )

    def ask(self, number: int, tool: str, **arguments: object) -> list[tuple[str, str]]:
        told = self._client.post("/mcp", json=call(number, tool, **arguments), headers=self.headers)
        return events(told.text)

    def resume(self, last: str) -> list[tuple[str, str]]:
        headers = self.headers | {"last-event-id": last}
        return events(self._client.get("/mcp", headers=headers).text)


def events(text: str) -> list[tuple[str, str]]:
    """The id of each event, and what it says."""
    found = []
    for block in re.split(r"\r?\n\r?\n", text):
        told = dict(re.findall(r"(?m)^(\w+): ?(.*?)\r?$", block))
        if "id" in told:
            found.append((told["id"], told.get("data", "")))
    return found


def test_an_answer_that_was_missed_is_told_again_once_and_to_the_letter() -> None:
    desk = Desk()
    with desk.client() as client:
        line = Line(client, desk.key(agent="ada", user="tuff"))
        (first, empty), (second, answer) = line.ask(1, "remember", text="I keep bees")

        missed = line.resume(first)
        nothing_more = line.resume(second)

    assert empty == ""
    assert json.loads(answer)["id"] == 1
    assert missed == [(second, answer)]
    assert nothing_more == []
    assert len(desk.memory.agent("ada", user="tuff").recall("bees").hits) == 1


def test_a_session_hears_nothing_of_another_session_of_the_same_key() -> None:
    """Both give their requests the same numbers, as clients do."""
    desk = Desk()
    key = desk.key(agent="ada", user="tuff")
    with desk.client() as client:
        one, other = Line(client, key), Line(client, key)
        told = one.ask(1, "remember", text="I keep bees")
        other.ask(1, "recall", query="bees")

        heard = [each for last, _ in told for each in other.resume(last)]
        mine = one.resume(told[0][0])

    assert not any("remember" in text or '"stored"' in text for _, text in heard)
    assert mine == told[1:]


@pytest.mark.parametrize("last", ["0", "7000", "x", "-1", "1 OR 1=1", "9" * 400])
def test_an_event_that_nobody_was_told_gives_nothing(last: str) -> None:
    desk = Desk()
    with desk.client() as client:
        line = Line(client, desk.key(agent="ada", user="tuff"))
        line.ask(1, "remember", text="I keep bees")

        heard = line.resume(last)

    assert heard == []


def test_who_was_away_for_too_long_is_told_nothing_rather_than_a_part() -> None:
    held = SessionEvents()
    ids = [held.keep("1", None) for _ in range(session_events.EVENTS_MAX + 2)]

    assert held.stream_of(ids[1]) is None
    assert held.after(ids[1]) == []
    assert held.stream_of(ids[2]) == "1"


def test_a_key_that_is_not_the_sessions_own_takes_nothing_up() -> None:
    desk = Desk()
    with desk.client() as client:
        mine = Line(client, desk.key(agent="ada", user="tuff"))
        told = mine.ask(1, "remember", text="I keep bees")
        stranger = bearing(desk.key(agent="ada", user="mona"), **VERSION)
        asked = mine.headers | stranger | {"last-event-id": told[0][0]}

        answer = client.get("/mcp", headers=asked)

    assert answer.status_code == 404
    assert "bees" not in answer.text
