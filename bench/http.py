"""The HTTP door: requests a second beside the embedded engine, and its own cost beside an echo."""

import asyncio
import json
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import muniment
from bench.figures import goal, table
from bench.sentences import sentences
from muniment.adapters.clock import SystemClock
from muniment.adapters.config import Settings, open_credentials
from muniment.adapters.doors import credentials
from muniment.adapters.doors.credentials import Grant
from muniment.model.scope import Role

CONNECTIONS = 8
CALLS = 100
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
    key, _ = credentials.issue(known, grant, now=SystemClock().now())
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
    headers = {"authorization": f"Bearer {key}"}
    limits = httpx2.Limits(max_connections=CONNECTIONS)
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, limits=limits, timeout=60
    ) as client:
        warm = {"texts": sentences(WARM)}
        (await client.post("/v1/remember/many", json=warm)).raise_for_status()
        await client.post("/v1/recall", json={"query": "Lisbon"})
        return {
            "remember": await _crowd(client, "/v1/remember", [{"text": text} for text in texts]),
            "recall": await _crowd(client, "/v1/recall", [{"query": text} for text in texts]),
            "context": await _crowd(client, "/v1/context", [{"prompt": text} for text in texts]),
        }


async def _crowd(client: httpx2.AsyncClient, path: str, bodies: list[dict[str, str]]) -> Figures:
    waiting = list(bodies)
    took: list[float] = []

    async def one() -> None:
        while waiting:
            body = waiting.pop()
            begun = time.perf_counter()
            (await client.post(path, json=body)).raise_for_status()
            took.append(time.perf_counter() - begun)

    start = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return _figures(took, time.perf_counter() - start)


# ── What the door itself costs ──────────────────────────────────────────────────────────────────


def _echo() -> None:
    """The same body, answered by a bare route and by ours with nothing behind it."""
    from muniment.adapters.config import open_memory  # noqa: PLC0415
    from muniment.adapters.doors.reception import Reception  # noqa: PLC0415
    from muniment.adapters.http import app, guard, remembering  # noqa: PLC0415
    from muniment.adapters.http.limits import Rate  # noqa: PLC0415
    from muniment.adapters.http.routes import post  # noqa: PLC0415
    from muniment.adapters.http.table import Table  # noqa: PLC0415
    from muniment.model.scope import Channel  # noqa: PLC0415

    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    bare = Starlette(routes=[Route("/v1/remember", echo, methods=["POST"])])
    memory = open_memory(":memory:", Settings())
    known = open_credentials(":memory:", Settings())
    key, _ = credentials.issue(known, Grant(role=Role.AGENT, agent="ada"))
    row = post("/v1/remember", "remember", remembering.Remember, dict, lambda _, asked: asked)
    service = app.Service(
        Reception(memory, known, channel=Channel.HTTP),
        guard.places(80),
        limits=app.Limits(rate=Rate(per_second=0, burst=1)),
    )
    ours = app.build(service, table=Table((row,)))
    costs = [_cost(bare, ""), _cost(ours, key)]
    service.close()
    memory.close()
    table(
        f"CPU of one request of {len(_body())} bytes through the application, {ECHOES:,} of each",
        ["", "cpu µs"],
        [["a bare Starlette echo", f"{costs[0]:.0f}"], ["the HTTP door", f"{costs[1]:.0f}"]],
    )
    times = costs[1] / costs[0]
    goal(
        f"the door's own CPU is {times:.1f} times an echo's (goal: at most 4)",
        met=times <= ECHO_TIMES,
    )


def _body() -> bytes:
    return json.dumps({"text": sentences(1)[0]}).encode()


def _cost(application: object, key: str) -> float:
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

    async def many(count: int) -> None:
        for _ in range(count):
            await application(dict(scope), receive, send)  # type: ignore[operator]

    asyncio.run(many(200))
    before = _cpu()
    asyncio.run(many(ECHOES))
    return (_cpu() - before) / ECHOES * 1e6


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
