"""Scratch set-up: a memory of its own under somebody's policy, served at every door for a while."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import allowed_origins, api_keys, request_limits
from muniment.adapters.gateway.api_keys import Credentials, Grant
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.rate_limits import Rate
from muniment.adapters.http.app import Limits, Service, build
from muniment.adapters.leaks.seats import LeakSeat
from muniment.adapters.system.clock import SystemClock
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.scope import Channel, Role

HOST: Final = "127.0.0.1"
UNLIMITED: Final = Rate(per_second=0, burst=1)


class Scratch:
    """A store in a folder, a service over it, and everything that was logged meanwhile."""

    def __init__(self, folder: Path, settings: Settings, cast: Sequence[LeakSeat]) -> None:
        self.folder = folder
        self.seats = tuple(cast)
        self.settings = settings
        self.terminal: Callable[[list[str]], str] | None = None  # runs a command; what it prints
        self.memory: Memory
        self.credentials: Credentials
        self.url = ""
        self.logged: list[str] = []
        self._clients = dict[tuple[Grant, str], Client]()
        self._agents = dict[LeakSeat, Agent]()

    def tenant(self, tenant: str) -> Memory:
        return self.memory.beside(tenant, Channel.API)

    def agent(self, seat: LeakSeat) -> Agent:
        found = self._agents.get(seat)
        if found is None:
            found = self.tenant(seat.tenant).agent(seat.agent, user=seat.user)
            self._agents[seat] = found
        return found

    def client(self, seat: LeakSeat) -> Client:
        """Whoever sits there, with a key of their own that enters their project."""
        grant = Grant(
            tenant=seat.tenant,
            role=Role.USER if seat.user else Role.AGENT,
            agent=seat.agent,
            user=seat.user,
            projects=(seat.project,),
        )
        return self.office(grant, seat.user)

    def office(self, grant: Grant, user: str = "") -> Client:
        found = self._clients.get((grant, user))
        if found is None:
            text, _ = api_keys.issue(self.credentials, grant, now=SystemClock().now())
            found = self._clients[grant, user] = Client(self.url, key=text)
        return found

    def close(self) -> None:
        for each in self._clients.values():
            each.close()


@contextmanager
def opened(folder: Path, settings: Settings, cast: Sequence[LeakSeat]) -> Iterator[Scratch]:
    """Everything that a set-up has, until the block ends."""
    scratch = Scratch(folder, settings, cast)
    with ExitStack() as stack:
        stack.enter_context(_listening(scratch.logged))
        own = msgspec.structs.replace(settings, channel=Channel.HTTP)
        scratch.memory = stack.enter_context(open_memory(folder, own))
        scratch.credentials = open_credentials(folder, settings)
        stack.enter_context(_served(scratch))
        stack.callback(scratch.close)
        yield scratch


@contextmanager
def _served(scratch: Scratch) -> Iterator[None]:
    now = SystemClock().now
    gateway = Gateway(scratch.memory, scratch.credentials, channel=Channel.HTTP, now=now)
    with allowed_origins.listen(HOST, 0) as listening:
        port = listening.getsockname()[1]
        scratch.url = f"http://{HOST}:{port}"
        limits = Limits(rate=UNLIMITED, failures=UNLIMITED)
        service = Service(gateway, allowed_origins.at_port(port), limits=limits)
        options = {"log_config": None, "ws": "none", "lifespan": "on"}
        config = request_limits.configured(build(service), options)
        server = request_limits.HttpServer(config, service.end)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.should_exit = True
            thread.join()


class _Listener(logging.Handler):
    """Takes down what any part of the program logs, as it would be written."""

    def __init__(self, logged: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._logged = logged

    def emit(self, record: logging.LogRecord) -> None:
        self._logged.append(self.format(record) + repr(record.__dict__))


@contextmanager
def _listening(logged: list[str]) -> Iterator[None]:
    root, ours, listener = logging.getLogger(), logging.getLogger("muniment"), _Listener(logged)
    before = ours.level
    root.addHandler(listener)
    ours.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        ours.setLevel(before)
        root.removeHandler(listener)
