"""A real HTTP service for the tests: a uvicorn in a thread, on a free port of this machine."""
# ruff: noqa: ANN401 - what is sent and answered here is JSON of every shape

import contextlib
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import allowed_origins, api_keys, request_limits
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.rate_limits import Rate
from muniment.adapters.http import app
from muniment.adapters.system.clock import SystemClock
from muniment.model.scope import Channel, Persona, Role

# Nobody here speaks TLS, and a context of its own for each caller would cost more than its calls.
UNUSED_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UNLIMITED = app.Limits(rate=Rate(per_second=0, burst=1), failures=Rate(per_second=0, burst=1))


class Running:
    """A service that answers, and the keys that were made for it."""

    def __init__(self, address: str, *, limits: app.Limits, settings: Settings) -> None:
        self.address = address
        self.credentials = open_credentials(address, settings)
        self.memory = open_memory(address, settings)
        self.clock = SystemClock()
        self.listening = allowed_origins.listen("127.0.0.1", 0)
        self.port = self.listening.getsockname()[1]
        reception = Gateway(self.memory, self.credentials, channel=Channel.HTTP, now=self.clock.now)
        self.service = app.Service(reception, allowed_origins.at_port(self.port), limits=limits)
        self.app = app.build(self.service)
        self.url = f"http://127.0.0.1:{self.port}"
        self.callers: list[Caller] = []

    def key(self, *, days: int = 90, **grant: Any) -> str:
        text, _ = api_keys.issue(self.credentials, Grant(**grant), now=self.clock.now(), days=days)
        return text

    def caller(self, **grant: Any) -> "Caller":
        """Somebody with a fresh key."""
        self.callers.append(Caller(self.url, self.key(**grant)))
        return self.callers[-1]

    def agent(self, agent: str = "ada", user: str = "tuff", **grant: Any) -> "Caller":
        return self.caller(role=Role.AGENT, agent=agent, user=user, **grant)

    def user(self, agent: str = "ada", user: str = "tuff", **grant: Any) -> "Caller":
        return self.caller(role=Role.USER, agent=agent, user=user, **grant)

    def subconscious(self, agent: str = "ada", **grant: Any) -> "Caller":
        return self.caller(role=Role.AGENT, agent=agent, persona=Persona.SUBCONSCIOUS, **grant)

    def council(self, who: str = "olga", **grant: Any) -> "Caller":
        return self.caller(role=Role.COUNCIL, who=who, **grant)

    def admin(self, who: str = "otto", **grant: Any) -> "Caller":
        return self.caller(role=Role.ADMIN, who=who, **grant)

    def auditor(self, who: str = "ann", **grant: Any) -> "Caller":
        return self.caller(role=Role.AUDITOR, who=who, **grant)


class Caller:
    """Whoever holds a key and speaks JSON."""

    def __init__(self, url: str, key: str) -> None:
        self.key = key
        bearer = {"authorization": f"Bearer {key}"}
        self.http = httpx2.Client(base_url=url, headers=bearer, timeout=30, verify=UNUSED_TLS)

    def post(self, path: str, body: object = None, *, status: int = 200, retry: str = "") -> Any:
        headers = {"idempotency-key": retry} if retry else {}
        answer = self.http.post(path, json={} if body is None else body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path: str, *, status: int = 200, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def follow(self, path: str, *, seconds: float = 0.7, **query: Any) -> str:
        """What a route that streams sends at once; it is left when nothing more comes."""
        told: list[str] = []
        waits = httpx2.Timeout(30, read=seconds)
        with (
            contextlib.suppress(httpx2.ReadTimeout),
            self.http.stream("GET", path, params=query, timeout=waits) as answer,
        ):
            told.extend(answer.iter_text())
        return "".join(told)

    def send(self, method: str, path: str, **rest: Any) -> httpx2.Response:
        return self.http.request(method, path, **rest)


@contextlib.contextmanager
def serving(
    address: str | Path = ":memory:",
    *,
    limits: app.Limits = UNLIMITED,
    settings: Settings | None = None,
) -> Iterator[Running]:
    """A service until the block ends; then it closes as it would at a signal."""
    running = Running(str(address), limits=limits, settings=settings or Settings())
    config = uvicorn.Config(
        running.app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        http=request_limits.BoundedProtocol,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [running.listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield running
    finally:
        for caller in running.callers:
            caller.http.close()
        running.service.ending = True
        server.should_exit = True
        thread.join(timeout=30)
        running.memory.close()
    assert not thread.is_alive(), "the server did not end"
