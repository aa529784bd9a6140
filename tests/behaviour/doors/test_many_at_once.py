"""Many callers at once: what takes long holds up nobody, and who waits together is kept at once."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import ASGIApp, Message
from tests.service import UNLIMITED
from tests.world import CountedKeyring, CountingStore, memory

from muniment.adapters.gateway import allowed_origins, api_keys, work_queues
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway, Hands
from muniment.adapters.http import app
from muniment.adapters.http.route import route
from muniment.adapters.http.route_table import ROUTES, RouteTable
from muniment.adapters.requests.verb_request import VerbRequest, post
from muniment.model.errors import InputError
from muniment.model.scope import Channel, Role

SECONDS = 30  # after so long a test that hangs has failed
MANY = 40
BRANCH = {"muniment_branch": "try"}
SAID: list[tuple[str, dict[str, str]]] = [
    ("The boat is green", {}),
    ("My boat is called Petrel", BRANCH),
    ("My boat leaks", BRANCH),
    ("The boat is for sale", {}),
]


class Wait(VerbRequest[dict[str, bool]], frozen=True, kw_only=True):
    """Wait until somebody has asked for something else."""

    endpoint = post("/v1/wait", "remember")


class World:
    """An application without a socket, one key, and a route that takes until it is let go."""

    def __init__(self) -> None:
        self.store = CountingStore()
        self.memory = memory(store=self.store, keyring=CountedKeyring())
        known = MemoryCredentials()
        self.key, _ = api_keys.issue(known, Grant(agent="ada", user="tuff"))
        self.other, _ = api_keys.issue(known, Grant(agent="bob", user="tuff"))
        self.elsewhere, _ = api_keys.issue(known, Grant(tenant="other", agent="ada", user="eve"))
        self.auditor, _ = api_keys.issue(known, Grant(role=Role.AUDITOR, who="ann"))
        self.admin, _ = api_keys.issue(known, Grant(role=Role.ADMIN, who="otto"))
        self.begun, self.go = threading.Event(), threading.Event()
        reception = Gateway(self.memory, known, channel=Channel.HTTP)
        self.service = app.Service(reception, allowed_origins.at_port(80), limits=UNLIMITED)
        row = route(Wait, self._wait)
        self.app = app.build(self.service, table=RouteTable((row, *ROUTES)))

    def _wait(self, hands: Hands, asked: Wait) -> dict[str, bool]:
        del hands, asked
        self.begun.set()
        return {"let_go": self.go.wait(SECONDS)}

    async def ask(
        self, method: str, path: str, body: object = None, *, key: str = "", **headers: str
    ) -> Any:  # noqa: ANN401
        given = {"host": "localhost", "authorization": f"Bearer {key or self.key}"} | headers
        if body is not None:
            given["content-type"] = "application/json"
        return await asked(self.app, method, path, given, json.dumps(body).encode())


async def asked(
    application: ASGIApp, method: str, path: str, headers: dict[str, str], body: bytes
) -> tuple[int, Any]:
    said: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    async def send(message: Message) -> None:
        said.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
        "client": ("127.0.0.1", 1),
    }
    await application(scope, receive, send)
    return said[0]["status"], json.loads(said[1]["body"])


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.go.set()
    made.service.close()
    made.memory.close()


def test_health_is_told_while_a_long_call_has_the_memory(world: World) -> None:
    async def both() -> tuple[list[int], tuple[int, Any]]:
        slow = asyncio.ensure_future(world.ask("POST", "/v1/wait", {}))
        await asyncio.to_thread(world.begun.wait, SECONDS)
        told = [(await world.ask("GET", "/healthz"))[0] for _ in range(MANY)]
        world.go.set()
        return told, await slow

    told, slow = asyncio.run(both())

    assert told == [200] * MANY
    assert slow == (200, {"let_go": True})


def test_one_agents_long_call_holds_up_no_other_agent_tenant_or_proof(world: World) -> None:
    async def meanwhile() -> tuple[list[int], bool, list[int]]:
        await world.ask("POST", "/v1/remember", {"text": "first of all"})
        slow = asyncio.ensure_future(world.ask("POST", "/v1/wait", {}))
        await asyncio.to_thread(world.begun.wait, SECONDS)
        own = asyncio.ensure_future(world.ask("POST", "/v1/remember", {"text": "I wait"}))
        async with asyncio.timeout(SECONDS):
            told = [
                await world.ask("POST", "/v1/remember", {"text": "hello"}, key=world.other),
                await world.ask("POST", "/v1/remember", {"text": "hello"}, key=world.elsewhere),
                await world.ask("POST", "/v1/prove", {}, key=world.auditor),
                await world.ask("POST", "/v1/rebuild", {}, key=world.auditor),
                await world.ask("GET", "/readyz"),
            ]
        waits = not own.done()
        world.go.set()
        return [status for status, _ in told], waits, [(await own)[0], (await slow)[0]]

    told, waits, after = asyncio.run(meanwhile())

    assert told == [200, 200, 200, 403, 200]  # an auditor rebuilds nothing
    assert waits  # of one agent one call at a time passes
    assert after == [200, 200]


def test_one_who_waits_often_leaves_room_for_others(world: World) -> None:
    async def come() -> tuple[list[int], int]:
        slow = asyncio.ensure_future(world.ask("POST", "/v1/wait", {}))
        await asyncio.to_thread(world.begun.wait, SECONDS)
        many = [
            asyncio.ensure_future(world.ask("POST", "/v1/remember", {"text": f"number {n}"}))
            for n in range(work_queues.EACH_MAX + 2)
        ]
        other, _ = await world.ask("POST", "/v1/remember", {"text": "hello"}, key=world.other)
        world.go.set()
        await slow
        return [status for status, _ in await asyncio.gather(*many)], other

    told, other = asyncio.run(come())

    assert other == 200
    assert told.count(503) == 3  # the one that is worked on has a place, too
    assert told.count(200) == len(told) - 3


def test_a_proof_ends_where_the_door_closes(world: World) -> None:
    async def closing() -> tuple[int, Any]:
        await world.ask("POST", "/v1/remember", {"text": "first of all"})
        world.service.end()
        return await world.ask("POST", "/v1/prove", {}, key=world.auditor)  # type: ignore[no-any-return]

    status, told = asyncio.run(closing())

    assert (status, told["error_code"]) == (503, "BUSY")


def crowd(world: World, said: list[tuple[str, str]]) -> tuple[list[tuple[int, Any]], int]:
    """What each is answered who came while the memory was busy, and how many appends it took."""

    async def come() -> tuple[list[tuple[int, Any]], int]:
        await world.ask("POST", "/v1/remember", {"text": "first of all"})
        held = asyncio.ensure_future(world.ask("POST", "/v1/wait", {}))
        await asyncio.to_thread(world.begun.wait, SECONDS)
        before = world.store.appends
        waiting = [
            asyncio.ensure_future(world.ask("POST", "/v1/remember", {"text": text}, **_keyed(key)))
            for text, key in said
        ]
        await asyncio.sleep(0)
        world.go.set()
        told = await asyncio.gather(*waiting)
        await held
        return told, world.store.appends - before

    return asyncio.run(come())


def _keyed(key: str) -> dict[str, str]:
    return {"idempotency_key": key} if key else {}


@pytest.mark.parametrize("key", ["", "key-{n}"])
def test_those_who_wait_together_share_one_append(world: World, key: str) -> None:
    said = [(f"sentence {n}", key.format(n=n)) for n in range(MANY)]

    told, appends = crowd(world, said)

    assert [(status, each["text"]) for status, each in told] == [(200, text) for text, _ in said]
    assert len({each["seq"] for _, each in told}) == MANY
    assert appends == 1
    assert all(world.memory.prove())


def test_what_is_wrong_with_one_of_them_is_told_to_that_one_alone(world: World) -> None:
    said = [(f"sentence {n}", f"key-{n}") for n in range(6)]
    said[1] = ("sentence 1", "key-0")
    said[3] = ("sentence 2", "key-2")

    told, _ = crowd(world, said)

    assert [status for status, _ in told] == [200, 422, 200, 200, 200, 200]
    assert told[1][1]["error_code"] == "IDEMPOTENCY_KEY_REUSED"
    assert told[3] == told[2]
    assert all(world.memory.prove())


def test_who_waits_in_a_branch_is_not_kept_together_with_who_waits_outside(world: World) -> None:
    """One speaker, one moment, two places: each sentence stays where it was said."""

    async def come() -> tuple[list[int], list[str], list[str]]:
        await world.ask("POST", "/v1/remember", {"text": "first of all"})
        await world.ask("POST", "/v1/admin/branches", {"branch": "try"}, key=world.admin)
        held = asyncio.ensure_future(world.ask("POST", "/v1/wait", {}))
        await asyncio.to_thread(world.begun.wait, SECONDS)
        waiting = [
            asyncio.ensure_future(world.ask("POST", "/v1/remember", {"text": text}, **place))
            for text, place in SAID
        ]
        await asyncio.sleep(0)
        world.go.set()
        told = await asyncio.gather(*waiting)
        await held
        outside = await world.ask("POST", "/v1/recall", {"query": "boat"})
        inside = await world.ask("POST", "/v1/recall", {"query": "boat"}, **BRANCH)
        heard = [[hit["text"] for hit in found["hits"]] for _, found in (outside, inside)]
        return [status for status, _ in told], sorted(heard[0]), sorted(heard[1])

    statuses, outside, inside = asyncio.run(come())

    assert statuses == [200] * len(SAID)
    assert outside == ["The boat is for sale", "The boat is green"]
    assert inside == ["My boat is called Petrel", "My boat leaks"]


def test_a_door_is_open_when_it_says_so_and_answers_without_delay() -> None:
    """Nagle's algorithm would hold back each answer until the one before was acknowledged."""

    async def connect() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made = writer.get_extra_info("socket")
            found.set_result(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = allowed_origins.listen("127.0.0.1", 0)
        with socket.create_connection(listening.getsockname(), timeout=SECONDS):
            async with await asyncio.start_server(met, sock=listening):
                return await asyncio.wait_for(found, SECONDS)

    assert asyncio.run(connect())
    with (
        allowed_origins.listen("127.0.0.1", 0) as taken,
        pytest.raises(InputError, match="cannot listen"),
    ):
        allowed_origins.listen("127.0.0.1", taken.getsockname()[1])
