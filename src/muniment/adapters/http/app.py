"""The application: every request is placed, recognised, read, done off the event loop, answered."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from typing import Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.adapters.doors.faults import BusyError, UnauthorizedError
from muniment.adapters.doors.reception import Reception, Visit
from muniment.adapters.http import answering, asking, guard, openapi
from muniment.adapters.http.asking import Gone, Headers
from muniment.adapters.http.guard import Places
from muniment.adapters.http.limits import Limiter, Rate
from muniment.adapters.http.routes import Route
from muniment.adapters.http.table import Table
from muniment.model.errors import MunimentError

BODY_BYTES_MAX: Final = 256 * 1024
BODY_SECONDS: Final = 10.0
WAITING_MAX: Final = 256  # calls that wait for their turn; more are told to come again
SCHEMES: Final = ("bearer ", "token ")  # `token` is what clients of mem0 say
FAILURES: Final = Rate(per_second=5 / 60, burst=10)
RATE: Final = Rate(per_second=100, burst=200)

log = logging.getLogger("muniment.http")
_encoder = msgspec.json.Encoder()
Answer = TypeVar("Answer")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one caller may take."""

    rate: Rate = RATE
    failures: Rate = FAILURES
    body_bytes: int = BODY_BYTES_MAX
    body_seconds: float = BODY_SECONDS


class Service:
    """What all applications of this process share: the reception, its thread, its limits."""

    def __init__(
        self,
        reception: Reception,
        places: Places,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reception = reception
        self.places = places
        self.limits = limits = limits or Limits()
        self.ending = False  # told to stop: what streams comes to its end
        self._rate = Limiter(limits.rate, clock)
        self._failures = Limiter(limits.failures, clock)
        # One thread for short calls, one for long ones: the engine takes one call at a time
        # anyway, and what takes long takes its turn piece by piece.
        self._quick = ThreadPoolExecutor(1, "muniment-quick")
        self._slow = ThreadPoolExecutor(1, "muniment-slow")
        self._waiting = 0

    def recognise(self, given: Headers, peer: str) -> Visit:
        """Who is asking; someone who guesses at keys is soon told to wait."""
        self._failures.check(peer)
        try:
            visit = self.reception.admit(_token(given))
        except UnauthorizedError:
            self._failures.take(peer)
            raise
        self._rate.take(visit.key_id)
        user = given.get(b"muniment-user", b"").decode("utf-8", "replace")
        return visit.speaking_for(user) if user else visit

    async def run(self, work: Callable[[], Answer], *, slow: bool = False) -> Answer:
        """Do something with the memory, off the event loop."""
        if self._waiting >= WAITING_MAX:
            raise BusyError
        self._waiting += 1
        try:
            executor = self._slow if slow else self._quick
            return await asyncio.get_running_loop().run_in_executor(executor, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self.ending = True
        self._quick.shutdown()
        self._slow.shutdown(cancel_futures=True)
        self.reception.close()


class Api:
    """The routes of the table, as an ASGI application."""

    def __init__(self, service: Service, table: Table) -> None:
        self._service = service
        self._table = table
        self._open: dict[str, Callable[[], bytes]] = {
            "/healthz": lambda: _encoder.encode({"status": "ok"}),
            "/readyz": self._ready,
            "/openapi.json": cache(lambda: _encoder.encode(openapi.document(table.routes))),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            given = asking.headers(scope)
            guard.check(given, self._service.places)
            if scope["path"] in self._open and scope["method"] in {"GET", "HEAD"}:
                body = await self._service.run(self._open[scope["path"]])
                await answering.send_bytes(send, 200, body, (answering.JSON,))
                return
            route, values = self._table.find(scope["method"], scope["path"])
            answer = await self._answer(route, values, scope, given, receive)
            await answering.send_json(send, 200, answer)
        except Gone:
            return
        except MunimentError as error:
            await answering.send_error(send, error)
        except Exception as error:
            log.error("failed: %s", _where(error))  # noqa: TRY400 - words may be private
            await answering.send_error(send, answering.mistake())

    def _ready(self) -> bytes:
        """Ready when the store answers: looking for its streams touches it."""
        with self._service.reception.turn:
            self._service.reception.memory.streams()
        return _encoder.encode({"status": "ready"})

    async def _answer(
        self,
        route: Route,
        values: dict[str, str],
        scope: Scope,
        given: Headers,
        receive: Receive,
    ) -> object:
        service = self._service
        visit = service.recognise(given, _peer(scope))
        visit.permit(route.verb)
        limits = service.limits
        data = await asking.body(
            receive, given, limit=limits.body_bytes, seconds=limits.body_seconds
        )
        asked = asking.asked(route, values, scope["query_string"], given, data)
        if route.slow:
            return await service.run(lambda: route.handle(visit, asked), slow=True)
        key = asking.retry_key(given) if route.keyed else ""
        return await service.run(
            lambda: visit.call(route.verb, lambda hands: route.handle(hands, asked), key=key)
        )


def build(
    service: Service, *, table: Table | None = None, mounts: Sequence[tuple[str, ASGIApp]] = ()
) -> Starlette:
    """One application: the API at the root, and what else is to be served beside it."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        service.close()

    beside = [Mount(path, app) for path, app in mounts]
    api = Api(service, table or Table())
    return Starlette(routes=[*beside, Mount("/", api)], lifespan=lifespan)


def _token(given: Headers) -> str:
    text = given.get(b"authorization", b"").decode("latin-1")
    for scheme in SCHEMES:
        if text[: len(scheme)].lower() == scheme:
            return text[len(scheme) :].strip()
    raise UnauthorizedError


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _where(error: BaseException) -> str:
    """The kind of an error and the place it came from, never its words: they may be private."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__} in {place}"
