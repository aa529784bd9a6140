"""MCP transports: stdio for who started it, HTTP for holders of an API key."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import muniment
from muniment.adapters.gateway import (
    allowed_origins,
    named_headers,
    rate_limits,
    request_limits,
)
from muniment.adapters.gateway.allowed_origins import AllowedOrigins
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.errors import RateLimitedError, UnauthorizedError, WrongPlaceError
from muniment.adapters.gateway.gateway import Gateway, Visit
from muniment.adapters.gateway.work_queue import LoopLane
from muniment.adapters.gateway.work_queues import Lanes
from muniment.adapters.mcp.access_tokens import AccessTokens, Issuer
from muniment.adapters.mcp.responses import plain
from muniment.adapters.mcp.server import build, digest
from muniment.adapters.mcp.session import SEATS, Seat, of_words
from muniment.adapters.mcp.session_events import ResumableStreams
from muniment.adapters.operations import door_metrics
from muniment.adapters.operations.door_metrics import DoorMetrics
from muniment.model.errors import InputError, MunimentError, PermissionDeniedError
from muniment.model.lru_cache import LruCache
from muniment.model.scope import Role

PATH: Final = "/mcp"
BODY_BYTES_MAX: Final = 256 * 1024
SEATS_MAX: Final = 64  # servers at hand, one for each key; the longest unused hangs up
ANSWER_SECONDS: Final = 0.5  # what is done has so long to be answered before a line is hung up
ALWAYS: Final = {
    "cache-control": "no-store, no-transform",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
# Host and Origin are checked before the protocol is reached.
CHECKED: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where HTTP is served, and to which pages."""

    host: str = "127.0.0.1"
    port: int = 0
    origins: tuple[str, ...] = ()  # of web pages that may call; none by default
    hosts: tuple[str, ...] = ()  # other names it is reached by, as a trusted proxy sends them
    issuer: Issuer | None = None  # whose tokens count beside the keys


def digests(reception: Gateway) -> dict[Role, str]:
    """A hash of the tools of each role, from which alone it follows what a key is offered."""
    tenant = reception.memory.tenant
    seats = (
        Seat.local(reception, of_words(tenant, "any", "any", role=role), LoopLane())
        for role in SEATS
    )
    return {seat.role: asyncio.run(digest(build(seat))) for seat in seats}


def over_stdio(reception: Gateway, who: Grant) -> None:
    """Serve one client until it hangs up."""
    with LoopLane() as lane:
        build(Seat.local(reception, who, lane), version=muniment.__version__).run("stdio")


def over_http(
    reception: Gateway, who: Grant, asked: Listening, told: Callable[[str], None]
) -> None:
    """Serve until interrupted; `told` gets the address as soon as it can be called.

    Who comes with a token of the issuer has what `who` has, for the person whom the token names.
    """
    check(asked, keys=len(reception.credentials.known()))
    tokens = AccessTokens(asked.issuer, who) if asked.issuer else None
    with allowed_origins.listen(asked.host, asked.port) as listening:
        port = listening.getsockname()[1]
        named = allowed_origins.at_port(port, hosts=asked.hosts, origins=asked.origins)
        door = KeyedServers(reception, named, tokens)
        config = request_limits.configured(door, {"log_level": "critical", "lifespan": "on"})
        told(f"http://{allowed_origins.shown(asked.host)}:{port}{PATH}")
        request_limits.HttpServer(config, door.end).run(sockets=[listening])


def check(asked: Listening, *, keys: int) -> None:
    """Beyond loopback only with a key of the store or an issuer, behind a proxy that is named."""
    if allowed_origins.is_loopback(asked.host):
        return
    if not asked.hosts:
        raise InputError("beyond this machine a proxy with TLS is needed: --behind HOST")
    if not keys and not asked.issuer:
        raise InputError("there is no API key yet: make one with muniment keys create")


class KeyedServers:
    """Every request shows a key or a token; each has a server of its own, and its own sessions."""

    def __init__(
        self, reception: Gateway, named: AllowedOrigins, tokens: AccessTokens | None = None
    ) -> None:
        self._reception = reception
        self._places = named
        self._tokens = tokens
        self._doorkeeper = rate_limits.Doorkeeper(reception)
        self._metrics = DoorMetrics("mcp")
        self._lanes = Lanes("muniment-mcp")
        self._lines = LruCache[tuple[Gateway, str, str], ServerTask](SEATS_MAX)
        self._ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        await self._metrics.count(self._answer, scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, guarded: Send) -> None:
        try:
            app = await self._answering(scope)
        except MunimentError as error:
            await _refused(error, self._challenge(scope))(scope, receive, guarded)
            return
        await app(scope, receive, guarded)

    def end(self) -> None:
        """It was told to stop: clients hold a line open for as long as they live."""
        self._ended.set()

    async def _answering(self, scope: Scope) -> ASGIApp:
        """What answers this request: the metadata of this resource, the metrics of this door for
        who may read them, or the server of its caller.
        """
        headers = Headers(scope=scope)
        self._check_place(headers)
        if self._tokens and (scope["method"], scope["path"]) == ("GET", self._tokens.metadata_path):
            return JSONResponse(self._tokens.metadata)
        visit = await self._recognised(headers, _address(scope))
        visit = named_headers.narrowed(visit, scope["headers"])
        if (scope["method"], scope["path"]) == ("GET", door_metrics.PATH):
            visit.permit("metrics")
            page = partial(self._metrics.page, self._reception, visit.grant.tenant)
            return Response(await asyncio.to_thread(page), media_type=door_metrics.TEXT)
        return await self._line(visit)

    def _challenge(self, scope: Scope) -> str:
        """What whoever is not known is told: a key, or where a token can be had (RFC 9728)."""
        if self._tokens is None:
            return "Bearer"
        wrong = 'error="invalid_token", ' if Headers(scope=scope).get("authorization") else ""
        return f'Bearer {wrong}resource_metadata="{self._tokens.metadata_address}"'

    def _check_place(self, headers: Headers) -> None:
        hosts, pages = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._places.is_host(hosts[0]):
            raise WrongPlaceError("the Host header names an unknown host")
        if not all(map(self._places.is_page, pages)):
            raise PermissionDeniedError("this page may not call here")

    async def _recognised(self, headers: Headers, address: str) -> Visit:
        given = headers.getlist("authorization")
        shown = rate_limits.token(given[0]) if len(given) == 1 else ""
        if self._tokens and self._tokens.is_one(shown):
            # The issuer's keys may have to be fetched: beside the event loop, which goes on.
            coming = await asyncio.to_thread(self._by_token, self._tokens, shown)
        else:
            coming = partial(self._reception.admit, shown)
        return self._doorkeeper.let_in(coming, address)

    def _by_token(self, tokens: AccessTokens, shown: str) -> Callable[[], Visit]:
        """The visit, or why there is none, for who counts guesses to hear."""
        try:
            visit = tokens.admit(self._reception, shown)
        except UnauthorizedError:
            return partial(self._reception.admit, "")
        return lambda: visit

    async def _line(self, visit: Visit) -> ASGIApp:
        name = (visit.reception, visit.key_id, visit.grant.user)
        # Nobody waits between looking and laying: two who come at once find the same line.
        found = self._lines.get(name) or ServerTask(
            build(Seat(visit, self._lanes.of(visit.who)), version=muniment.__version__)
        )
        for _, oldest in self._lines.put(name, found):
            await oldest.close()
        try:
            await found.open()
        except Exception as error:
            if self._lines.get(name) is found:  # who comes next finds a new one
                self._lines.pop(name)
            raise MunimentError from error
        return found.app

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        ending = asyncio.create_task(self._hang_up())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        ending.cancel()
        for name, line in reversed(self._lines.entries()):
            self._lines.pop(name)
            await line.close()
        self._lanes.close(finish=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _hang_up(self) -> None:
        await self._ended.wait()
        await self._lanes.done()  # what came before this is done
        await asyncio.sleep(ANSWER_SECONDS)
        for line in self._lines.values():
            line.hang_up()


class ServerTask:
    """The server of one key, alive in a task of its own until it is hung up."""

    def __init__(self, server: MCPServer) -> None:
        streams = ResumableStreams()
        self._served = server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=BODY_BYTES_MAX,
            transport_security=CHECKED,
            event_store=streams,
        )
        self.app = streams.within(self._served)
        self._over = asyncio.Event()
        self._opened = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Whoever comes waits until it can be called; what kept it from opening is raised."""
        if self._task is None:
            self._task = asyncio.create_task(self._live())
        await asyncio.shield(self._opened)

    def hang_up(self) -> None:
        self._over.set()

    async def close(self) -> None:
        self.hang_up()
        if self._task is not None:
            await self._task

    async def _live(self) -> None:
        try:
            async with self._served.router.lifespan_context(self._served):
                self._opened.set_result(None)
                await self._over.wait()
        except Exception as error:
            if self._opened.done():
                raise
            self._opened.set_exception(error)


def _with_headers(send: Send) -> Send:
    """What no answer of a memory should lack: nothing here is to be cached or guessed at."""

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(ALWAYS)
        await send(message)

    return told


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _refused(error: MunimentError, challenge: str) -> JSONResponse:
    headers = {"WWW-Authenticate": challenge} if isinstance(error, UnauthorizedError) else {}
    if isinstance(error, RateLimitedError):
        headers["Retry-After"] = error.meta["retry_after"]
    return JSONResponse(plain(error), status_code=error.status, headers=headers)
