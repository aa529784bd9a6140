"""Calls over MCP on stdio beside the same calls on the embedded engine, in the same run."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mcp import Client, StdioServerParameters

import muniment
from bench.figures import goal, table

CALLS = 200
TOGETHER = 8  # calls a client has under way: a model's host does not wait for each
GOAL = 0.5

Figures = tuple[float, float]  # calls a second, and the slowest but one of a hundred, in ms
Words = Callable[[int], dict[str, object]]


def _sentence(n: int) -> str:
    return f"sentence {n}: the kettle in room {n % 17} is on, and the guest likes green tea"


def embedded(folder: Path) -> dict[str, float]:
    with muniment.open(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        return {
            "remember": _rate(lambda n: ada.remember(_sentence(n), origin="agent")),
            "recall": _rate(lambda n: ada.recall(f"room {n % 17} tea")),
            "context": _rate(lambda n: ada.context(f"room {n % 17} tea", budget=200)),
        }


def _rate(call: Callable[[int], object]) -> float:
    start = time.perf_counter()
    for n in range(CALLS):
        call(n)
    return CALLS / (time.perf_counter() - start)


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
    async with Client(StdioServerParameters(command=sys.executable, args=line)) as client:
        await client.list_tools()
        return {verb: await _paced(client, verb, words) for verb, words in asked.items()}


async def _paced(client: Client, verb: str, words: Words) -> Figures:
    numbers = iter(range(CALLS))
    took: list[float] = []

    async def worker() -> None:
        for n in numbers:
            begun = time.perf_counter()
            await client.call_tool(verb, words(n))
            took.append(time.perf_counter() - begun)

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(TOGETHER)))
    return CALLS / (time.perf_counter() - start), sorted(took)[len(took) * 99 // 100] * 1e3


def run(folder: Path) -> None:
    plain = embedded(folder / "embedded")
    served = asyncio.run(over_stdio(folder / "served"))
    echo, slow = asyncio.run(echoed())
    rows = [
        [
            verb,
            f"{rate:,.0f}",
            f"{its:,.0f}",
            f"{p99:.0f}",
            f"{its / rate:.2f}",
            f"{_most(rate, echo):.2f}",
        ]
        for verb, rate in plain.items()
        for its, p99 in [served[verb]]
    ]
    table(
        f"{CALLS} calls each over MCP on stdio, {TOGETHER} under way; the SDK alone echoes "
        f"{echo:,.0f}/s (p99 {slow:.0f} ms)",
        ["", "embedded /s", "stdio /s", "p99 ms", "share", "most that the SDK leaves"],
        rows,
    )
    for verb, rate in plain.items():
        share = served[verb][0] / rate
        goal(
            f"{verb} over MCP runs at {share:.2f} of the embedded rate (goal: at least {GOAL})",
            met=share >= GOAL,
        )


def _most(rate: float, echo: float) -> float:
    """The share that is left where each call also costs an echo, on the same processor."""
    return echo / (rate + echo)
