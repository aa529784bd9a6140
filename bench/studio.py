"""The studio: the first paint of its pages on a long log, beside a bare route that echoes bytes."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import muniment
from bench.figures import goal, table
from bench.opening import fill
from muniment.adapters.studio.app import app
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio

ENTRIES = 100_000
REPEATS = 15
PAINT_MS = 300
ADA = "main/agent/ada/actor"
PAGES = {
    "overview": "/",
    "timeline": f"/log?stream={ADA}",
    "timeline, standing at 50,000": f"/log?stream={ADA}&at=50000",
    "entry": f"/entry?stream={ADA}&seq=50000",
    "council": "/council",
    "difference of 100 entries": f"/diff?stream={ADA}&from={ENTRIES - 100}",
    "prove": "/prove",
}


def run(folder: Path) -> None:
    place = folder / "studio"
    with muniment.open(place) as memory:
        fill(memory.agent("ada", user="tuff"), ENTRIES)
    studio = Studio(lambda: muniment.open(place), Sessions("token"), place="./memory")
    client = TestClient(app(studio), base_url="http://127.0.0.1")
    client.post("/sign-in", data={"token": "token"})
    size = len(client.get(PAGES["timeline"]).content)
    bare = TestClient(Starlette(routes=[Route("/", _echo(b"x" * size))]))
    rows = [["a bare route with as many bytes", *_figures(lambda: bare.get("/"))]]
    worst = 0.0
    for name, address in PAGES.items():
        figures = _figures(lambda address=address: client.get(address))  # type: ignore[misc]
        worst = max(worst, float(figures[1]))
        rows.append([name, *figures])
    studio.close()
    table(
        f"First paint of the studio on {ENTRIES:,} entries, {REPEATS} times each",
        ["page", "cpu ms p50", "wall ms p50"],
        rows,
    )
    goal(
        f"the slowest page is there after {worst:.0f} ms (goal: {PAINT_MS})", met=worst <= PAINT_MS
    )


def _figures(call: Callable[[], object]) -> list[str]:
    call()
    cpu, wall = [], []
    for _ in range(REPEATS):
        started, at = time.process_time(), time.perf_counter()
        call()
        cpu.append(time.process_time() - started)
        wall.append(time.perf_counter() - at)
    return [f"{statistics.median(each) * 1e3:.1f}" for each in (cpu, wall)]


def _echo(body: bytes) -> Callable[[Request], HTMLResponse]:
    def answer(request: Request) -> HTMLResponse:
        del request
        return HTMLResponse(body)

    return answer
