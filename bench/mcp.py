"""Calls over MCP on stdio beside the same calls on the embedded engine, in the same run."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mcp import Client, StdioServerParameters

import muniment

CALLS = 200
TOGETHER = 8  # calls a client has under way: a model's host does not wait for each
GOAL = 0.5


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


async def over_stdio(folder: Path) -> dict[str, float]:
    line = ["-m", "muniment", "mcp", "--store", str(folder), "--agent", "ada", "--user", "tuff"]
    async with Client(StdioServerParameters(command=sys.executable, args=line)) as client:
        await client.list_tools()
        asked: dict[str, Callable[[int], dict[str, object]]] = {
            "remember": lambda n: {"text": _sentence(n)},
            "recall": lambda n: {"query": f"room {n % 17} tea"},
            "context": lambda n: {"prompt": f"room {n % 17} tea", "budget": 200},
        }
        return {verb: await _paced(client, verb, words) for verb, words in asked.items()}


async def _paced(client: Client, verb: str, words: Callable[[int], dict[str, object]]) -> float:
    numbers = iter(range(CALLS))

    async def worker() -> None:
        for n in numbers:
            await client.call_tool(verb, words(n))

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(TOGETHER)))
    return CALLS / (time.perf_counter() - start)


def run(folder: Path) -> None:
    plain = embedded(folder / "embedded")
    served = asyncio.run(over_stdio(folder / "served"))
    print(f"{'':10}{'embedded/s':>12}{'stdio/s':>10}{'ratio':>8}   goal {GOAL}")
    for verb, rate in plain.items():
        print(f"{verb:10}{rate:12.0f}{served[verb]:10.0f}{served[verb] / rate:8.2f}")
