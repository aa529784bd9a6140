"""Servers as processes: one is killed in the middle, two stand on one store, one closes well."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import muniment
from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.model.errors import MunimentError
from muniment.model.scope import Role

KILLS = 3
WRITES = 25


class Process:
    """A `muniment serve` of its own."""

    def __init__(self, store: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "muniment", "serve", f"--store={store}", "--rate=0"]
        self.child = subprocess.Popen(
            [*command, f"--port={port}"], stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self._heard = threading.Event()
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()
        assert self._heard.wait(60), self.said
        found = next(
            re.search(r"at (http://\S+:(\d+))", line) for line in self.said if " at " in line
        )
        assert found
        self.url, self.port = found[1], int(found[2])

    def _listen(self) -> None:
        assert self.child.stderr
        for line in self.child.stderr:
            self.said.append(line)
            if "Serving" in line:
                self._heard.set()

    def end(self, how: signal.Signals) -> int:
        self.child.send_signal(how)
        code = self.child.wait(timeout=60)
        self._ear.join(timeout=20)
        assert self.child.stderr
        self.child.stderr.close()
        return code


@contextmanager
def process(store: Path, port: int = 0) -> Iterator[Process]:
    running = Process(store, port)
    try:
        yield running
    finally:
        if running.child.poll() is None:
            running.end(signal.SIGTERM)


def new_key(store: Path, agent: str = "ada") -> str:
    known = open_credentials(store, Settings())
    grant = Grant(role=Role.AGENT, agent=agent, user="tuff")
    return api_keys.issue(known, grant, now="2026-01-01T00:00:00.000Z", days=0)[0]


def kept(store: Path, agent: str = "ada") -> list[str]:
    with muniment.open(store) as memory:
        assert memory.prove()
        lines = memory.agent(agent, user="tuff").get_range()
    written = [line.event for line in lines if line.header.type == "episodic_written"]
    return [str(getattr(event, "summary", "")) for event in written]


def write(url: str, key: str, acknowledged: list[str]) -> None:
    """Sentence by sentence, each under its key until it is known what became of it."""
    with Client(url, key=key, timeout=5) as client:
        for n in range(WRITES):
            for _ in range(100):
                try:
                    with client.keyed(f"key-{n}"):
                        assert client.remember(f"sentence number {n}").stored
                except MunimentError:
                    time.sleep(0.1)
                else:
                    acknowledged.append(f"sentence number {n}")
                    break


def test_what_was_acknowledged_before_a_kill_is_there_once_after_it(tmp_path: Path) -> None:
    store = tmp_path / "store"
    key = new_key(store)
    server = Process(store)
    acknowledged: list[str] = []
    writer = threading.Thread(target=write, args=(server.url, key, acknowledged))
    writer.start()
    for _ in range(KILLS):
        before = len(acknowledged)
        while len(acknowledged) < before + 4 and writer.is_alive():
            time.sleep(0.005)
        server.end(signal.SIGKILL)
        server = Process(store, server.port)
    writer.join(timeout=120)
    server.end(signal.SIGTERM)

    told = kept(store)
    assert acknowledged == [f"sentence number {n}" for n in range(WRITES)]
    assert sorted(told) == sorted(acknowledged)


def test_two_servers_on_one_store_agree(tmp_path: Path) -> None:
    store = tmp_path / "store"
    key = new_key(store)
    with process(store) as first, process(store) as second:

        def speak(url: str, name: str) -> None:
            with Client(url, key=key) as client:
                for n in range(10):
                    assert client.remember(f"{name} says {n}").stored

        threads = [
            threading.Thread(target=speak, args=(each.url, name))
            for name, each in (("first", first), ("second", second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        with Client(first.url, key=key) as one, Client(second.url, key=key) as other:
            assert one.recall("says").receipt.ids == other.recall("says").receipt.ids
            revoked = key.split("_")[1]
            api_keys.revoke(open_credentials(store, Settings()), revoked, now="2026-01-02")
            for client in (one, other):
                with pytest.raises(UnauthorizedError):
                    client.recall("says")

    assert len(kept(store)) == 20


def test_a_server_told_to_stop_finishes_and_says_only_what_it_may(tmp_path: Path) -> None:
    """A canary in every place a caller can write to; none in anything the server says."""
    store = tmp_path / "store"
    key = new_key(store)
    canary = "canary-4111-1111-1111-1111-zx81"
    server = Process(store)
    retry = {"idempotency-key": canary}
    with Client(server.url, key=key) as client:
        client.remember(f"my card is {canary}")
        client.recall(canary)
        http = client._http
        for method, path, rest in (
            ("GET", f"/v1/episodes/{canary}", {}),
            ("GET", f"/{canary}", {}),
            ("GET", "/v1/log", {"params": {"after": canary}}),
            ("POST", "/v1/remember", {"json": {canary: canary}}),
            ("POST", "/v1/remember", {"content": canary.encode()}),
            ("POST", "/v1/recall", {"json": {"query": 1}, "headers": {"x-note": canary}}),
            ("POST", "/v1/recall", {"json": {"query": "x"}, "headers": {"muniment-user": canary}}),
            ("POST", "/v1/forget", {"json": {"item_id": canary}}),
            ("POST", "/v1/remember", {"json": {"text": "a"}, "headers": retry}),
            ("GET", "/v1/recall", {"headers": {"authorization": f"Bearer {canary}"}}),
            ("GET", "/healthz", {"headers": {"host": canary}}),
            ("PATCH", "/v1/recall", {"headers": {"origin": canary}}),
        ):
            answer = http.request(method, path, **rest)
            assert answer.status_code != 500
            assert key not in answer.text
            if path != "/v1/forget":  # which names what it could not find
                assert canary not in answer.text, (method, path, answer.text)

    assert server.end(signal.SIGTERM) == 0

    said = "".join(server.said)
    assert canary not in said
    assert key not in said
    assert key.split("_", 2)[2] not in said
    lines = [json.loads(line) for line in server.said if line.startswith("{")]
    assert len(lines) >= 12
    assert {"route", "status", "method", "ms", "key", "request", "code"} <= set(lines[-1])
    assert len(kept(store)) == 2
