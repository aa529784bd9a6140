"""Headers that say for whom and where: one person is one person at every door, and a branch holds.

A key that leaves its user open names one with each request. Whoever read that name in two ways
would keep two people where there is one, and an erasure would find half of them.
"""

import httpx2
import pytest
from starlette.testclient import TestClient
from tests.behaviour.test_mcp import Desk, bearing
from tests.mcp_client import HELLO, call
from tests.service import serving

from muniment.adapters.gateway import named_headers
from muniment.model.errors import InputError
from muniment.model.scope import Role

ZOE = "Zoë".encode()


class Chat:
    """One MCP session of a key, with headers of its own."""

    def __init__(self, client: TestClient, key: str, said: dict[bytes, bytes]) -> None:
        self._client = client
        self.headers = [(k.encode(), v.encode()) for k, v in bearing(key).items()]
        self.headers += [*said.items(), (b"mcp-protocol-version", b"2025-11-25")]
        self.opened = client.post("/mcp", json=HELLO, headers=self.headers)
        session = self.opened.headers.get("mcp-session-id", "").encode()
        self.headers.append((b"mcp-session-id", session))

    def ask(self, number: int, tool: str, **arguments: object) -> str:
        said = call(number, tool, **arguments)
        return self._client.post("/mcp", json=said, headers=self.headers).text


def test_a_name_beyond_ascii_is_the_same_person_over_mcp_as_everywhere() -> None:
    desk = Desk()
    with desk.client() as client:
        chat = Chat(client, desk.key(agent="ada", user="*"), {b"muniment-user": ZOE})
        chat.ask(1, "remember", text="I keep bees")

    assert [each.text for each in desk.memory.agent("ada", user="Zoë").recall("bees").hits] == [
        "I keep bees"
    ]


@pytest.mark.parametrize("header", [b"muniment-user", b"muniment-branch"])
def test_a_name_that_is_not_utf8_is_refused_and_not_made_another_name(header: bytes) -> None:
    """Put right by guessing, `ann\\xff` and `ann\\xfe` would be one person."""
    with serving() as service:
        ada = service.agent(agent="ada", user="*")
        heard = ada.http.get("/v1/log", headers=[(header, b"ann\xff")])
        visit = service.service.reception.admit(ada.key)
        with pytest.raises(InputError, match="is not UTF-8"):  # as every door reads them
            named_headers.narrowed(visit, [(header, b"ann\xff")])

    assert heard.status_code == 400
    assert heard.json()["developer_message"] == f"the header {header.decode()} is not UTF-8"


def test_what_is_said_over_mcp_in_a_branch_stays_in_the_branch() -> None:
    desk = Desk()
    desk.memory.agent("ada", user="tuff").remember("I like green tea")
    desk.memory.branches().open("try")
    key = desk.key(agent="ada", user="tuff")
    with desk.client() as client:
        inside = Chat(client, key, {b"muniment-branch": b"try"})
        outside = Chat(client, key, {})
        inside.ask(1, "remember", text="My boat is called Petrel")

        assert "Petrel" in inside.ask(2, "recall", query="boat")
        assert "green tea" in inside.ask(3, "recall", query="tea")
        assert "Petrel" not in outside.ask(2, "recall", query="boat")

    assert not desk.memory.agent("ada", user="tuff").recall("boat").hits


def test_a_branch_that_is_not_there_answers_nobody_over_mcp() -> None:
    desk = Desk()
    with desk.client() as client:
        chat = Chat(client, desk.key(agent="ada", user="tuff"), {b"muniment-branch": b"try"})

    assert chat.opened.status_code == 404


def test_where_a_request_is_meant_cannot_be_said_twice_over_mcp() -> None:
    desk = Desk()
    twice = [("muniment-branch", "try"), ("muniment-branch", "other")]
    with desk.client() as client:
        key = desk.key(agent="ada", user="tuff", role=Role.AGENT)
        answer: httpx2.Response = client.post(
            "/mcp", json=HELLO, headers=[*bearing(key).items(), *twice]
        )

    assert answer.status_code == 400
