"""Clients go on by themselves where a connection is lost or a service is away for a moment."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest
from tests.service import Running, serving

from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.client.retry import failure
from muniment.adapters.gateway import work_queues
from muniment.adapters.gateway.errors import BusyError, UnauthorizedError
from muniment.adapters.http.sse import LOOK_SECONDS, Together
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.log import LogEntry

CUT = 2500  # bytes after which the road breaks: a few entries, and a part of the next


class Road:
    """A road to a service on which every connection breaks after a while, until it is mended."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._here = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._here.getsockname()[1]}"
        self.host = f"127.0.0.1:{port}"
        self.travelled = 0
        self.breaks = True
        threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._here.accept()
                self.travelled += 1
                threading.Thread(target=self._carry, args=(caller,), daemon=True).start()

    def _carry(self, caller: socket.socket) -> None:
        left = CUT if self.breaks else 1 << 30
        with caller, socket.create_connection(("127.0.0.1", self._port)) as service:
            service.sendall(caller.recv(65536))
            with contextlib.suppress(OSError):
                while left > 0 and (part := service.recv(min(left, 65536))):
                    caller.sendall(part)
                    left -= len(part)

    def close(self) -> None:
        self._here.close()


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


@pytest.fixture
def road(service: Running) -> Iterator[Road]:
    made = Road(service.port)
    yield made
    made.close()


def through(road: Road, client: Client | AsyncClient) -> None:
    """The service knows its own name; on this road it is called by another port."""
    client._http.headers["host"] = road.host


def test_a_log_is_followed_across_connections_that_break(service: Running, road: Road) -> None:
    """Given a road that breaks inside of entries, then each entry comes once and in order."""
    ada = service.agent(agent="broken road")
    for n in range(4):
        ada.post("/v1/remember", {"text": f"sentence {n} {'x' * n * 40}"})
    wanted = [each["seq"] for each in ada.get("/v1/log", after="2", limit=200)["items"]]

    with Client(road.url, key=ada.key) as client:
        through(road, client)
        heard = []
        for entry in client.follow(after="2"):
            heard.append(entry.seq)
            road.breaks = len(heard) < len(wanted) - 2
            if entry.seq == wanted[-1]:
                break

    assert heard == wanted
    assert road.travelled > 1


def test_who_awaits_follows_across_connections_that_break(service: Running, road: Road) -> None:
    ada = service.agent(agent="broken road, awaited")
    for n in range(3):
        ada.post("/v1/remember", {"text": f"sentence {n}"})
    wanted = [each["seq"] for each in ada.get("/v1/log", after="2", limit=200)["items"]]

    async def main() -> list[int]:
        async with AsyncClient(road.url, key=ada.key) as client:
            through(road, client)
            heard: list[int] = []
            async for entry in client.follow(after="2"):
                heard.append(entry.seq)
                road.breaks = road.travelled < 2
                if entry.seq == wanted[-1]:
                    break
            return heard

    assert asyncio.run(main()) == wanted
    assert road.travelled > 1


def test_whose_key_has_ended_is_told_so_and_follows_no_more(service: Running) -> None:
    otto, ada = service.admin(), service.agent(agent="ended")
    ada.post("/v1/remember", {"text": "one"})

    with Client(service.url, key=ada.key) as client:
        entries = client.follow()
        next(entries)
        otto.post(f"/v1/admin/keys/{ada.key.split('_')[1]}/revoke")
        with pytest.raises(UnauthorizedError):
            list(entries)


def test_who_follows_waits_while_too_many_others_do(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a service that has no room for another call, then a follower is not sent away."""
    ada = service.agent(agent="patient")
    ada.post("/v1/remember", {"text": "one"})

    with ada.http.stream("GET", "/v1/log/stream?after=2", timeout=10) as stream:
        lines = stream.iter_lines()
        first = next(line for line in lines if line.startswith("id: "))
        monkeypatch.setattr(work_queues, "WAITING_MAX", 0)
        assert ada.http.post("/v1/recall", json={"query": "x"}).status_code == 503
        time.sleep(2.5 * LOOK_SECONDS)
        monkeypatch.setattr(work_queues, "WAITING_MAX", 512)
        ada.post("/v1/remember", {"text": "two"})
        told = [next(line for line in lines if line.startswith(("id: ", "event: end")))]
        told += [next(line for line in lines if line.startswith(("id: ", "event: end")))]

    assert [first, *told] == ["id: 3", "id: 4", "id: 5"]


def test_those_who_follow_one_log_from_one_entry_look_together() -> None:
    """Given many at one place, when the first of them hangs up, then one look serves the rest."""
    looked: list[str] = []

    async def many() -> list[object]:
        together, gate = Together(), asyncio.Event()

        async def read(after: str) -> Page[LogEntry]:
            looked.append(after)
            await gate.wait()
            return Page(items=[], next=after)

        places = ["3"] * 100 + ["4"] * 100
        waiting = [
            asyncio.ensure_future(together.look(after, partial(read, after))) for after in places
        ]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.set()
        told = await asyncio.gather(*waiting, return_exceptions=True)
        later = await together.look("3", partial(read, "3"))
        return [each.next for each in (*told[1:], later) if isinstance(each, Page)]

    assert asyncio.run(many()) == ["3"] * 99 + ["4"] * 100 + ["3"]
    assert looked == ["3", "4", "3"]


def test_whoever_follows_takes_nobodys_place(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given no room for those who follow, then everybody else is served."""
    ada = service.agent(agent="in front")
    monkeypatch.setattr(work_queues, "FOLLOWING_MAX", 0)

    with ada.http.stream("GET", "/v1/log/stream", timeout=10) as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": following"
        ada.post("/v1/remember", {"text": "one"})
        monkeypatch.setattr(work_queues, "FOLLOWING_MAX", 64)
        assert next(line for line in lines if line.startswith("id: ")) == "id: 1"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_the_word_of_a_proxy_whose_service_is_away_is_one_to_wait_for(status: int) -> None:
    told = failure(b"<html>Bad Gateway</html>", status)

    assert isinstance(told, BusyError)
    assert told.retryable
    assert told.outcome == "unknown"
