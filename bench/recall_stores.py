"""Recall on both stores: the same memory in a folder and on a server, asked the same questions."""

import sys
from pathlib import Path

from bench.figures import Timing, goal, table
from bench.sentences import sentences
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.postgres.server import Server
from muniment.model.errors import StoreError

ITEMS, ITEMS_LARGE = 10_000, 100_000
BATCH = 2_000
ASKED = 15


def run(folder: Path) -> None:
    size = ITEMS_LARGE if "--large" in sys.argv else ITEMS
    server = Server()
    try:
        server.start()
        _measure(server, folder, size)
    except StoreError as error:
        print(f"\nrecall on both stores: not measured, {error.detail}")
    finally:
        server.crash()
        server.remove()


def _measure(server: Server, folder: Path, size: int) -> None:
    places = {
        "SQLite": (str(folder / "memory"), Settings()),
        "PostgreSQL": (server.dsn, Settings(keys=str(folder / "keys"))),
    }
    memories = {name: open_memory(*place) for name, place in places.items()}
    told = {name: Timing(name) for name in places}
    for start in range(0, size, BATCH):
        texts = sentences(min(BATCH, size - start), start=start)
        for memory in memories.values():
            memory.agent("ada", user="tuff").remember_many(texts)
    agents = {name: memory.agent("ada", user="tuff") for name, memory in memories.items()}
    for agent in agents.values():
        agent.recall("warm up the index")
    for question in sentences(ASKED, start=3 * size):  # one after the other: the same noise
        for name, agent in agents.items():
            told[name].run(lambda agent=agent, text=question: agent.recall(text))  # type: ignore[misc]
    rows = [
        [name, f"{its.cpu_p50_us / 1e3:.1f}", f"{its.wall_ms(50):.1f}"]
        for name, its in told.items()
    ]
    table(f"Recall among {size:,} memories", ["", "client cpu p50 ms", "wall p50 ms"], rows)
    ratio = told["PostgreSQL"].wall_ms(50) / told["SQLite"].wall_ms(50)
    goal(f"PostgreSQL takes {ratio:.2f} times SQLite's (goal: at most 1.5)", met=ratio <= 1.5)
    for memory in memories.values():
        memory.close()
