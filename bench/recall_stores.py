"""Recall on both stores: the same memory in a folder and on a server, asked the same questions."""

import sys
from functools import partial
from pathlib import Path

from bench.figures import Timing, goal, table
from bench.recall_speed import question, sentence
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import connection_pool
from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import StoreError

ITEMS, ITEMS_LARGE = 10_000, 100_000
BATCH = 2_000
ASKED = 30


def run(folder: Path) -> None:
    size = ITEMS_LARGE if "--large" in sys.argv else ITEMS
    server = PostgresServer()
    try:
        server.start()
        _measure(server, folder, size)
    except StoreError as error:
        print(f"\nrecall on both stores: not measured, {error.detail}")
    finally:
        server.crash()
        server.remove()


def _measure(server: PostgresServer, folder: Path, size: int) -> None:
    places = {
        "SQLite": (str(folder / "memory"), Settings()),
        "PostgreSQL": (server.dsn, Settings(keys=str(folder / "keys"))),
    }
    memories = {name: open_memory(*place) for name, place in places.items()}
    agents = {name: _filled(memory, size) for name, memory in memories.items()}
    told = {name: Timing(name) for name in places}
    after = {name: Timing(name) for name in places}
    asked = _Asked()
    for n in range(ASKED):  # one after the other: the same noise
        for name, agent in agents.items():
            told[name].run(partial(agent.recall, question(n)))
    trips = asked.count / ASKED
    for n in range(ASKED):
        for name, agent in agents.items():
            agent.remember(sentence(size + n))
            after[name].run(partial(agent.recall, question(n)))
    _show(size, told, after, trips)
    for memory in memories.values():
        memory.close()


def _filled(memory: Memory, size: int) -> Agent:
    ada = memory.agent("ada", user="tuff")
    ada.remember_many((sentence(n) for n in range(size)), batch=BATCH)
    ada.recall("warm up the index")
    return ada


def _show(size: int, told: dict[str, Timing], after: dict[str, Timing], trips: float) -> None:
    rows = [
        [
            name,
            f"{its.cpu_p50_us / 1e3:.1f}",
            f"{its.wall_ms(50):.1f}",
            f"{after[name].wall_ms(50):.1f}",
        ]
        for name, its in told.items()
    ]
    head = ["", "client cpu p50 ms", "wall p50 ms", "wall p50 ms after a write"]
    table(f"Recall among {size:,} memories", head, rows)
    print(f"           {trips:.1f} questions to the server for each recall")
    for what, its in (("", told), (" after a write", after)):
        ratio = its["PostgreSQL"].wall_ms(50) / its["SQLite"].wall_ms(50)
        text = f"PostgreSQL takes {ratio:.2f} times SQLite's{what} (goal: at most 1.5)"
        goal(text, met=ratio <= 1.5)


class _Asked:
    """Counts what is asked of the server from here on."""

    def __init__(self) -> None:
        self.count = 0
        fetch = connection_pool._fetch  # noqa: SLF001

        def counted(
            link: Link, query: str, values: connection_pool.Values
        ) -> connection_pool.Answer:
            self.count += 1
            return fetch(link, query, values)

        connection_pool._fetch = counted  # noqa: SLF001
