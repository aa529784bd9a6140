"""Calls over MCP on stdio beside the same calls on the embedded engine, in the same run."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from mcp import Client, StdioServerParameters

import muniment
from bench.figures import goal, table

CALLS: Final = {"echo": 600, "remember": 600, "recall": 600, "context": 100}
TOGETHER = 8  # calls a client has under way: a model's host does not wait for each
GOAL = 0.5

Words = Callable[[int], dict[str, object]]


class Figures(msgspec.Struct, frozen=True):
    """What one verb did over stdio."""

    rate: float  # calls a second
    slow_ms: float  # the slowest but one of a hundred
    server_ms: float  # processor time of the server for each call
    client_ms: float  # and of the client


def _sentence(n: int) -> str:
    return f"sentence {n}: the kettle in room {n % 17} is on, and the guest likes green tea"


def embedded(folder: Path) -> dict[str, float]:
    with muniment.open(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        asked: dict[str, Callable[[int], object]] = {
            "remember": lambda n: ada.remember(_sentence(n), origin="agent"),
            "recall": lambda n: ada.recall(f"room {n % 17} tea"),
            "context": lambda n: ada.context(f"room {n % 17} tea", budget=200),
        }
        return {verb: _rate(call, CALLS[verb]) for verb, call in asked.items()}


def _rate(call: Callable[[int], object], calls: int) -> float:
    start = time.perf_counter()
    for n in range(calls):
        call(n)
    return calls / (time.perf_counter() - start)


async def over_stdio(folder: Path) -> dict[str, Figures]:
    line = ["-m", "muniment", "mcp", "--store", str(folder), "--agent", "ada", "--user", "tuff"]
    asked: dict[str, Words] = {
        "remember": lambda n: {"text": _sentence(n)},
        "recall": lambda n: {"query": f"room {n % 17} tea"},
        "context": lambda n: {"prompt": f"room {n % 17} tea", "budget": 200},
    }
    return await _asked(line, asked)


async def echoed() -> Figures:
    told = await _asked(["-m", "bench.echo_mcp"], {"echo": lambda n: {"text": _sentence(n)}})
    return told["echo"]


async def _asked(line: list[str], asked: dict[str, Words]) -> dict[str, Figures]:
    before = _children()
    async with Client(StdioServerParameters(command=sys.executable, args=line)) as client:
        await client.list_tools()
        (server,) = _children() - before or {0}
        return {verb: await _paced(client, verb, words, server) for verb, words in asked.items()}


async def _paced(client: Client, verb: str, words: Words, server: int) -> Figures:
    calls = CALLS[verb]
    numbers = iter(range(calls))
    took: list[float] = []

    async def worker() -> None:
        for n in numbers:
            begun = time.perf_counter()
            await client.call_tool(verb, words(n))
            took.append(time.perf_counter() - begun)

    spent, own, start = _spent(server), time.process_time(), time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(TOGETHER)))
    elapsed = time.perf_counter() - start
    return Figures(
        rate=calls / elapsed,
        slow_ms=sorted(took)[len(took) * 99 // 100] * 1e3,
        server_ms=(_spent(server) - spent) / calls * 1e3,
        client_ms=(time.process_time() - own) / calls * 1e3,
    )


def _children() -> set[int]:
    """The processes that this one has started, where the system tells."""
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(each) for each in path.read_text().split()} if path.exists() else set()


def _spent(process: int) -> float:
    """Seconds of processor time of another process; none are known where nothing tells."""
    path = Path(f"/proc/{process}/stat")
    if not process or not path.exists():
        return 0.0
    user, system = path.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def run(folder: Path) -> None:
    plain = embedded(folder / "embedded")
    served = asyncio.run(over_stdio(folder / "served"))
    echo = asyncio.run(echoed())
    rows = [["echo, the SDK's own stdio", "", *_shown(echo), ""]]
    for verb, rate in plain.items():
        its = served[verb]
        rows.append([verb, f"{rate:,.0f}", *_shown(its), f"{its.rate / rate:.2f}"])
    table(
        f"Calls over MCP on stdio, {TOGETHER} under way",
        ["", "embedded /s", "stdio /s", "p99 ms", "server ms", "client ms", "share"],
        rows,
    )
    for verb, rate in plain.items():
        share = served[verb].rate / rate
        goal(
            f"{verb} over MCP runs at {share:.2f} of the embedded rate (goal: at least {GOAL})",
            met=share >= GOAL,
        )


def _shown(its: Figures) -> list[str]:
    return [
        f"{its.rate:,.0f}",
        f"{its.slow_ms:.0f}",
        f"{its.server_ms:.2f}",
        f"{its.client_ms:.2f}",
    ]
