"""ASGI application: host check, authentication, parsing, execution, response."""

import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.adapters.gateway import named_headers
from muniment.adapters.gateway import rate_limits as often
from muniment.adapters.gateway.allowed_origins import AllowedOrigins
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.gateway import Gateway, Visit
from muniment.adapters.gateway.rate_limits import Allowance, Doorkeeper, Rate
from muniment.adapters.gateway.work_queue import Joint
from muniment.adapters.gateway.work_queues import Lanes
from muniment.adapters.http import docs_page, ndjson, openapi, parse_request, responses, sse
from muniment.adapters.http.parse_request import Gone, Headers
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import RouteTable
from muniment.adapters.http.telemetry import UNKNOWN, Seen, Telemetry, where
from muniment.adapters.http.upload import UploadLimits, Uploads
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.evidence.watch import WatchRequest
from muniment.adapters.requests.log import LogRequest
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.adapters.system import optional_packages
from muniment.model.errors import MunimentError, NotFoundError

BODY_BYTES_MAX: Final = 256 * 1024
BODY_SECONDS: Final = 10.0
LONG_MAX: Final = 4  # of what takes long so much is done at once; the rest waits
READY: Final = "/readyz"
METRICS: Final = "/metrics"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
TEXT: Final = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")

PAGE: Final = (docs_page.HTML, docs_page.POLICY)

log = logging.getLogger("muniment.http")
_encoder = msgspec.json.Encoder()
Answer = TypeVar("Answer")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one caller may take."""

    rate: Rate = often.RATE
    failures: Rate = often.GUESSES
    body_bytes: int = BODY_BYTES_MAX
    body_seconds: float = BODY_SECONDS
    upload: UploadLimits = UploadLimits()


class HttpCall(msgspec.Struct, frozen=True, kw_only=True):
    """One request that has found its route."""

    route: Route
    values: dict[str, str]
    given: Headers
    query: bytes


class Service:
    """What all applications of this process share: the reception, its thread, its limits."""

    def __init__(
        self,
        reception: Gateway,
        places: AllowedOrigins,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reception = reception
        self.places = places
        self.limits = limits = limits or Limits()
        self.ending = False  # told to stop: what streams comes to its end
        self._doorkeeper = Doorkeeper(
            reception, rate=limits.rate, guesses=limits.failures, clock=clock
        )
        # Threads for short calls, and others for long ones, which read whole logs.
        self._quick = Lanes("muniment-quick")
        self._slow = Lanes("muniment-slow", LONG_MAX)
        self.uploads = Uploads(limits.upload)
        self.telemetry = Telemetry()

    def request_id(self) -> str:
        """A name for one request, so that a caller and a log can speak of the same one."""
        return secrets.token_hex(8)  # a counter would tell each caller how many others there are

    def recognise(self, given: Headers, peer: str) -> Visit:
        """Who is asking, and for whom."""
        visit = self._doorkeeper.admit(_token(given), peer)
        return named_headers.narrowed(visit, given.items())

    def allowance(self, visit: Visit) -> Allowance | None:
        """How often a key may still call."""
        return self._doorkeeper.allowance(visit)

    async def run(
        self,
        who: Hashable,
        work: Callable[[], Answer] | Joint,
        *,
        slow: bool = False,
        patient: bool = False,
    ) -> Answer:
        """Do something with the memory, off the event loop; whose calls take turns says `who`."""
        return await (self._slow if slow else self._quick).run(who, work, patient=patient)

    def end(self) -> None:
        """It was told to stop: what is followed comes to its end, or nothing else could."""
        self.ending = self.reception.ending = True

    def close(self) -> None:
        self.end()
        self._quick.close(finish=True)
        self._slow.close(finish=False)
        self.reception.close()


class Api:
    """The routes of the table, as an ASGI application."""

    def __init__(self, service: Service, table: RouteTable) -> None:
        self._service = service
        self._table = table
        self._followers = sse.Together()
        described = cache(lambda: openapi.document(table.routes))
        # What is open to anybody: it tells of the program, and of nobody's memory.
        self._open: dict[str, tuple[responses.Pairs, Callable[[], bytes]]] = {
            "/healthz": ((responses.JSON,), lambda: _encoder.encode({"status": "ok"})),
            "/openapi.json": ((responses.JSON,), cache(lambda: _encoder.encode(described()))),
            "/": (PAGE, cache(docs_page.landing)),
            "/docs": (PAGE, cache(lambda: docs_page.reference(described()))),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        known = method if method in METHODS else UNKNOWN
        seen = Seen(method=known, request_id=self._service.request_id())
        await self._service.telemetry.request(
            seen, lambda: self._answer(scope, receive, send, seen)
        )

    async def _answer(self, scope: Scope, receive: Receive, send: Send, seen: Seen) -> None:
        try:
            await self._respond(scope, receive, send, seen)
        except Gone:
            seen.status = 499
        except MunimentError as error:
            await _fail(send, error, seen)
        except Exception as error:
            log.error("failed: %s", where(error))  # noqa: TRY400 - its words may be private
            await _fail(send, responses.mistake(), seen)

    async def _respond(self, scope: Scope, receive: Receive, send: Send, seen: Seen) -> None:
        given = parse_request.headers(scope)
        self._service.places.check(_text(given, b"host") or "", _text(given, b"origin"))
        path, method = scope["path"], scope["method"]
        if path in self._open and method in {"GET", "HEAD"}:
            seen.route = path
            kind, made = self._open[path]
            await _send(send, made(), kind, seen, given)
        elif path == READY and method in {"GET", "HEAD"}:
            seen.route = path
            body = await self._service.run(READY, self._ready)
            await _send(send, body, (responses.JSON,), seen)
        elif path == METRICS and method == "GET":
            seen.route = path
            self._recognised(scope, given, seen).permit("metrics")
            await _send(send, self._metrics(), (TEXT,), seen)
        else:
            route, values = self._table.find(method, path)
            seen.matched(route)
            visit = self._recognised(scope, given, seen)
            visit.permit(route.verb)
            call = HttpCall(route=route, values=values, given=given, query=scope["query_string"])
            await self._do(call, visit, receive, send, seen)

    async def _do(
        self, call: HttpCall, visit: Visit, receive: Receive, send: Send, seen: Seen
    ) -> None:
        service, limits = self._service, self._service.limits
        data = b""
        if call.route.file:
            await self._take_in(call, visit, receive, send, seen)
            return
        if call.route.has_body or parse_request.brings_body(call.given):
            data = await parse_request.body(
                receive, call.given, limit=limits.body_bytes, seconds=limits.body_seconds
            )
        asked = parse_request.asked(call.route, call.values, call.query, call.given, data)
        if call.route.streams:
            seen.status = 200
            assert isinstance(asked, LogRequest | WatchRequest)
            after = parse_request.resumed(call.given) or asked.after
            await sse.follow(receive, send, self._look(call, visit, asked), after)
            return
        work = _work(call, visit, asked)
        answer = await service.run(visit.who, work, slow=call.route.slow)
        if call.route.lines:
            seen.status = 200
            await ndjson.send_lines(send, answer, self._part(call, visit), _about(seen))
            return
        known = call.given if call.route.method == "GET" else None
        await _send(send, _encoder.encode(answer), (responses.JSON,), seen, known)

    async def _take_in(
        self, call: HttpCall, visit: Visit, receive: Receive, send: Send, seen: Seen
    ) -> None:
        """A file: its bytes lie on the disk until what is in it was kept."""
        service = self._service
        asked = parse_request.asked(call.route, call.values, call.query, call.given, b"")
        work = call.route.handle(visit, asked)
        async with service.uploads.received(receive, call.given, visit.key_id) as file:
            answer = await service.run(visit.who, lambda: work(file), slow=True)
        await _send(send, _encoder.encode(answer), (responses.JSON,), seen)

    def _look(self, call: HttpCall, visit: Visit, asked: LogRequest | WatchRequest) -> sse.Look:
        """One look at what is followed; the key is asked for again each time: it may have ended."""
        token = _token(call.given)

        async def look(after: str) -> sse.Followed:
            if self._service.ending:
                raise BusyError("the service is closing")
            self._service.reception.admit(token)
            wanted = msgspec.structs.replace(asked, after=after)
            return await self._followers.look(
                (visit.reception, visit.grant, wanted), lambda: read(wanted)
            )

        async def read(wanted: LogRequest | WatchRequest) -> sse.Followed:
            route = call.route

            def work() -> sse.Followed:
                found = visit.call(route.verb, lambda hands: route.handle(hands, wanted))
                assert isinstance(found, Page)
                return found

            try:
                return await self._service.run(visit.who, work, patient=True)
            except BusyError:  # others wait already
                return Page(items=[])

        return look

    def _part(self, call: HttpCall, visit: Visit) -> ndjson.Work:
        """A part of what is long, off the event loop; the key may have ended meanwhile."""
        token = _token(call.given)

        async def part(work: Callable[[], bytes]) -> bytes:
            if self._service.ending:
                raise BusyError("the service is closing")
            self._service.reception.admit(token)
            return await self._service.run(visit.who, work, slow=True)

        return part

    def _recognised(self, scope: Scope, given: Headers, seen: Seen) -> Visit:
        visit = self._service.recognise(given, _peer(scope))
        seen.key_id, seen.allowance = visit.key_id, self._service.allowance(visit)
        return visit

    def _ready(self) -> bytes:
        """Ready when the store answers: looking for its streams touches it."""
        self._service.reception.memory.streams()
        return _encoder.encode({"status": "ready"})

    def _metrics(self) -> bytes:
        page = self._service.telemetry.page()
        if page is None:
            raise NotFoundError(optional_packages.told("prometheus_client", "prom"))
        return page


def build(
    service: Service, *, table: RouteTable | None = None, mounts: Sequence[tuple[str, ASGIApp]] = ()
) -> ASGIApp:
    """One application: the API at the root, and what else is to be served beside it."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        service.close()

    beside = [Mount(path, app) for path, app in mounts]
    api = Api(service, table or RouteTable())
    whole = Starlette(routes=[*beside, Mount("/", api)], lifespan=lifespan)
    elsewhere = tuple(path for path, _ in mounts)

    async def front(scope: Scope, receive: Receive, send: Send) -> None:
        """The API finds its own way: it is not looked for among what is mounted."""
        own = scope["type"] == "http" and not scope["path"].startswith(elsewhere)
        await (api if own else whole)(scope, receive, send)

    return front


def _work(call: HttpCall, visit: Visit, asked: VerbRequest[Any]) -> Callable[[], object] | Joint:
    route = call.route
    if route.slow:
        return lambda: route.handle(visit, asked)
    key = parse_request.retry_key(call.given) if route.keyed else ""
    each = route.each
    if each is not None:
        alike = [getattr(asked, name) for name in route.alike]
        return Joint(
            # The door, too: a branch has its own, and what is said there stays there.
            kin=(visit.reception, route.path, visit.grant, bool(key), *alike),
            said=(asked, key),
            together=lambda said: visit.call(route.verb, lambda hands: each(hands, said)),
        )
    return lambda: visit.call(route.verb, lambda hands: route.handle(hands, asked), key=key)


async def _send(
    send: Send, body: bytes, kind: responses.Pairs, seen: Seen, given: Headers | None = None
) -> None:
    """With the headers of a caller who may know this answer already, it is named by its bytes."""
    told = (*kind, *_about(seen))
    if given is None:
        seen.status = 200
        await responses.send_bytes(send, 200, body, told)
        return
    tag = responses.entity_tag(body)
    seen.status = 304 if responses.is_known(tag, given.get(b"if-none-match", b"")) else 200
    rest = b"" if seen.status == 304 else body  # noqa: PLR2004 - Not Modified
    await responses.send_bytes(send, seen.status, rest, (*told, (b"etag", tag)))


async def _fail(send: Send, error: MunimentError, seen: Seen) -> None:
    seen.status, seen.code = error.status, error.code
    await responses.send_error(send, error, _about(seen))


def _about(seen: Seen) -> responses.Pairs:
    named = (b"request-id", seen.request_id.encode())
    return (named, *responses.allowed(seen.allowance), *responses.deprecated(seen.deprecated))


def _token(given: Headers) -> str:
    return often.token(given.get(b"authorization", b"").decode("latin-1"))


def _text(given: Headers, name: bytes) -> str | None:
    value = given.get(name)
    return None if value is None else value.decode("latin-1")


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
