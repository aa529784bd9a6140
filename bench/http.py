"""The HTTP door: requests a second beside the embedded engine, and its own cost beside an echo."""

import asyncio
import json
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import muniment
from bench.figures import goal, table
from bench.sentences import sentences
from muniment.adapters.config import Settings
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.system.clock import SystemClock
from muniment.model.scope import Role

CONNECTIONS = 8
CALLS = 200
ECHOES = 2_000
WARM = 60
EMBEDDED_SHARE = 0.5
ECHO_TIMES = 4.0

Figures = tuple[float, float]  # calls a second, and the slowest but one of a hundred, in ms


def run(folder: Path) -> None:
    store = folder / "store"
    inside = _embedded(folder / "inside")
    over = _over_http(store)
    rows = []
    for name, (rate, p99) in inside.items():
        theirs, slow = over[name]
        cells = [f"{rate:,.0f}", f"{p99:.1f}", f"{theirs:,.0f}", f"{slow:.1f}"]
        rows.append([name, *cells, f"{theirs / rate:.2f}"])
    table(
        f"{CALLS} calls each; over HTTP with {CONNECTIONS} connections",
        ["", "embedded /s", "p99 ms", "HTTP /s", "p99 ms", "share"],
        rows,
    )
    for name, (rate, _) in inside.items():
        share = over[name][0] / rate
        goal(
            f"{name} over HTTP runs at {share:.2f} of the embedded rate (goal: at least 0.5)",
            met=share >= EMBEDDED_SHARE,
        )
    _echo()


def _embedded(folder: Path) -> dict[str, Figures]:
    with muniment.open(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(sentences(WARM))
        ada.recall("Lisbon")
        texts = sentences(CALLS, start=WARM)
        return {
            "remember": _timed([lambda text=text: ada.remember(text) for text in texts]),
            "recall": _timed([lambda text=text: ada.recall(text) for text in texts]),
            "context": _timed([lambda text=text: ada.context(text) for text in texts]),
        }


def _timed(calls: list[object]) -> Figures:
    took = []
    start = time.perf_counter()
    for call in calls:
        begun = time.perf_counter()
        call()  # type: ignore[operator]
        took.append(time.perf_counter() - begun)
    return _figures(took, time.perf_counter() - start)


def _figures(took: list[float], whole: float) -> Figures:
    ordered = sorted(took)
    return len(took) / whole, ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)] * 1e3


def _over_http(store: Path) -> dict[str, Figures]:
    known = open_credentials(store, Settings())
    grant = Grant(role=Role.AGENT, agent="ada", user="tuff")
    key, _ = api_keys.issue(known, grant, now=SystemClock().now())
    command = [
        sys.executable,
        "-m",
        "muniment",
        "serve",
        f"--store={store}",
        "--port=0",
        "--rate=0",
    ]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603
    assert server.stderr
    url = server.stderr.readline().split(" at ")[1].strip()
    threading.Thread(target=server.stderr.read, daemon=True).start()
    try:
        return asyncio.run(_asked(url, key))
    finally:
        server.terminate()
        server.wait(timeout=30)


async def _asked(url: str, key: str) -> dict[str, Figures]:
    texts = sentences(CALLS, start=WARM)
    callers = [await Caller.at(url, key) for _ in range(CONNECTIONS)]
    await callers[0].post("/v1/remember/many", {"texts": sentences(WARM)})
    await callers[0].post("/v1/recall", {"query": "Lisbon"})
    asked: dict[str, list[dict[str, object]]] = {
        "remember": [{"text": text} for text in texts],
        "recall": [{"query": text} for text in texts],
        "context": [{"prompt": text} for text in texts],
    }
    told = {verb: await _crowd(callers, f"/v1/{verb}", bodies) for verb, bodies in asked.items()}
    for each in callers:
        each.writer.close()
    return told


class Caller:
    """One connection that speaks as little HTTP as is needed: what is measured is the server."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.head = head

    @classmethod
    async def at(cls, url: str, key: str) -> "Caller":
        host, port = url.removeprefix("http://").split(":")
        lines = [f"Host: {host}:{port}", f"Authorization: Bearer {key}"]
        head = "\r\n".join([*lines, "Content-Type: application/json", ""])
        return cls(*await asyncio.open_connection(host, int(port)), head)

    async def post(self, path: str, body: object) -> bytes:
        said = json.dumps(body).encode()
        start = f"POST {path} HTTP/1.1\r\n{self.head}Content-Length: {len(said)}\r\n\r\n"
        self.writer.write(start.encode() + said)
        told = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        assert told.startswith(b"http/1.1 200"), told
        length = told.split(b"content-length: ")[1].split(b"\r\n")[0]
        return await self.reader.readexactly(int(length))


async def _crowd(callers: list[Caller], path: str, bodies: list[dict[str, object]]) -> Figures:
    waiting = list(reversed(bodies))
    took: list[float] = []

    async def one(caller: Caller) -> None:
        while waiting:
            body = waiting.pop()
            begun = time.perf_counter()
            await caller.post(path, body)
            took.append(time.perf_counter() - begun)

    start = time.perf_counter()
    await asyncio.gather(*map(one, callers))
    return _figures(took, time.perf_counter() - start)


# ── What the door itself costs ──────────────────────────────────────────────────────────────────


def _echo() -> None:  # noqa: PLR0915 - most of them imports
    """The same body, answered by a bare route and by ours with nothing behind it."""
    from muniment.adapters.config import open_memory  # noqa: PLC0415
    from muniment.adapters.gateway import allowed_origins  # noqa: PLC0415
    from muniment.adapters.gateway.gateway import Gateway  # noqa: PLC0415
    from muniment.adapters.gateway.rate_limits import Rate  # noqa: PLC0415
    from muniment.adapters.http import app  # noqa: PLC0415
    from muniment.adapters.http.route import route  # noqa: PLC0415
    from muniment.adapters.http.route_table import RouteTable  # noqa: PLC0415
    from muniment.adapters.requests.memory import RememberRequest  # noqa: PLC0415
    from muniment.model.scope import Channel  # noqa: PLC0415

    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    bare = Starlette(routes=[Route("/v1/remember", echo, methods=["POST"])])
    memory = open_memory(":memory:", Settings())
    known = open_credentials(":memory:", Settings())
    key, _ = api_keys.issue(known, Grant(role=Role.AGENT, agent="ada"))
    row = route(RememberRequest, lambda _, asked: asked)
    service = app.Service(
        Gateway(memory, known, channel=Channel.HTTP),
        allowed_origins.at_port(80),
        limits=app.Limits(rate=Rate(per_second=0, burst=1)),
    )
    ours = app.build(service, table=RouteTable((row,)))
    rows: list[list[str]] = []
    for under_way in (CONNECTIONS, 1):
        echo_us, door_us = _cost(bare, "", under_way), _cost(ours, key, under_way)
        times = door_us / echo_us
        rows.append([str(under_way), f"{echo_us:.0f}", f"{door_us:.0f}", f"{times:.1f}"])
    service.close()
    memory.close()
    table(
        f"CPU of a request of {len(_body())} bytes through the application, {ECHOES:,} of each",
        ["under way", "a bare Starlette echo µs", "the HTTP door µs", "times"],
        rows,
    )
    for count, *_, told in rows:
        goal(
            f"with {count} under way its own CPU is {told} times an echo's (goal: at most 4)",
            met=float(told) <= ECHO_TIMES,
        )


def _body() -> bytes:
    return json.dumps({"text": sentences(1)[0]}).encode()


def _cost(application: object, key: str, under_way: int) -> float:
    """Straight through ASGI, without a socket: what is compared is the application."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/remember",
        "raw_path": b"/v1/remember",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "headers": [
            (b"host", b"127.0.0.1"),
            (b"content-type", b"application/json"),
            (b"authorization", f"Bearer {key}".encode()),
        ],
    }
    body = _body()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body}

    async def send(_: object) -> None:
        return None

    async def one_by_one(count: int) -> None:
        for _ in range(count):
            await application(dict(scope), receive, send)  # type: ignore[operator]

    async def many(count: int) -> None:
        await asyncio.gather(*(one_by_one(count // under_way) for _ in range(under_way)))

    asyncio.run(many(200))
    before = _cpu()
    asyncio.run(many(ECHOES))
    return (_cpu() - before) / ECHOES * 1e6


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
