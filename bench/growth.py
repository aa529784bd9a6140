"""PostgreSQL as it grows: one collection from 10,000 items to a million, and a thousand tenants.

Every size is a memory of its own that is filled once and kept, so all sizes are asked in turn, in
one run, under the same noise. `python -m bench growth` does it small. The large run takes a while
to fill, goes on where it was interrupted, and is then measured as often as wanted:

    python -m bench.growth fill FOLDER [collections|tenants]
    python -m bench.growth measure FOLDER [collections|tenants]
"""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from bench.figures import Timing, goal, table
from bench.recall_speed import question, sentence
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.engine.api.memory import Memory
from muniment.model.errors import StoreError

BATCH = 1_000
TENANT_ITEMS = 1_000
WRITES, QUESTIONS = 40, 20
FLAT = 1.5  # the same figure twice, on a machine with other work
# As a server of its own would be set: the data of the largest size need not fit.
SETTINGS = {"shared_buffers": "512MB", "max_wal_size": "4GB"}
PARTS = ("collections", "tenants")


@dataclass(frozen=True)
class Sizes:
    """How many items each collection has, and how many tenants each server."""

    collections: tuple[int, ...]
    tenants: tuple[int, ...]


SMALL = Sizes(collections=(3_000, 30_000), tenants=(3, 30))
LARGE = Sizes(collections=(10_000, 100_000, 1_000_000), tenants=(10, 100, 1_000))


class Kept:
    """Servers in a folder, and how much each memory on them holds already."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._filled = folder / "filled"
        self._filled.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)  # the server may run as somebody else

    @contextmanager
    def server(self, name: str) -> Iterator[PostgresServer]:
        server = PostgresServer(self._folder / name, settings=SETTINGS)
        try:
            server.start()
            yield server
        finally:
            server.stop()

    def memory(self, server: PostgresServer, tenant: str) -> Memory:
        keys = self._folder / f"{server.folder.name}-keys"
        return open_memory(server.dsn, Settings(tenant=tenant, keys=str(keys)))

    def fill(self, server: PostgresServer, tenant: str, size: int, *, asked: bool = True) -> None:
        """Whoever reads first makes the index, and it stays: that is part of being filled."""
        note = self._filled / f"{server.folder.name}-{tenant}"
        done = int(note.read_text()) if note.exists() else 0
        if done > size:
            return
        with self.memory(server, tenant) as memory:
            ada = memory.agent("ada", user="tuff")
            for start in range(done, size, BATCH):
                count = min(BATCH, size - start)
                ada.remember_many((sentence(start + n) for n in range(count)), batch=count)
                note.write_text(str(start + count))
            if asked:
                ada.recall(question(0))
        note.write_text(str(size + 1))


def run(folder: Path) -> None:
    try:
        fill(folder, SMALL)
        measure(folder, SMALL)
    except StoreError as error:
        print(f"\ngrowth: not measured, {error.detail}")


def fill(folder: Path, sizes: Sizes, parts: tuple[str, ...] = PARTS) -> None:
    kept = Kept(folder)
    if "collections" in parts:
        with kept.server("collections") as server:
            for size in sizes.collections:
                began = time.perf_counter()
                kept.fill(server, f"c{size}", size)
                print(f"  {size:,} items in one collection: {time.perf_counter() - began:,.0f} s")
    for count in sizes.tenants if "tenants" in parts else ():
        with kept.server(f"tenants-{count}") as server:
            began = time.perf_counter()
            for number in range(count):
                kept.fill(server, f"t{number}", TENANT_ITEMS, asked=number == 0)
            print(f"  {count:,} tenants: {time.perf_counter() - began:,.0f} s", flush=True)


def measure(folder: Path, sizes: Sizes, parts: tuple[str, ...] = PARTS) -> None:
    kept = Kept(folder)
    if "collections" in parts:
        _collections(kept, sizes.collections)
    if "tenants" in parts:
        _tenants(kept, sizes.tenants)


def _collections(kept: Kept, sizes: tuple[int, ...]) -> None:
    with kept.server("collections") as server:
        told = _asked(kept, {size: (server, f"c{size}") for size in sizes})
        title = f"One collection that grows, all on one server of {_bytes(server) / 1e6:,.0f} MB"
    table(title, ["items", *told[sizes[0]]], [_row(size, told[size]) for size in sizes])
    first, last = told[sizes[0]], told[sizes[-1]]
    times = sizes[-1] / sizes[0]
    for what in first:
        ratio = last[what].wall_ms(50) / first[what].wall_ms(50)
        text = f"{what}: {ratio:.2f} times as long for {times:.0f} times the items"
        goal(text, met=ratio < times)


def _tenants(kept: Kept, counts: tuple[int, ...]) -> None:
    with ExitStack() as stack:
        servers = {count: stack.enter_context(kept.server(f"tenants-{count}")) for count in counts}
        told = _asked(kept, {count: (server, "t0") for count, server in servers.items()})
        each = {count: _bytes(server) / count / TENANT_ITEMS for count, server in servers.items()}
    rows = [[*_row(count, told[count]), f"{each[count]:,.0f}"] for count in counts]
    table(
        f"Many tenants on one server, {TENANT_ITEMS:,} items each: what one of them feels",
        ["tenants", *told[counts[0]], "bytes an item"],
        rows,
    )
    for what, timing in told[counts[0]].items():
        ratio = told[counts[-1]][what].wall_ms(50) / timing.wall_ms(50)
        text = f"{what}: {ratio:.2f} times as long among {counts[-1]:,} tenants"
        goal(f"{text} as among {counts[0]} (goal: at most {FLAT})", met=ratio <= FLAT)


def _asked(
    kept: Kept, places: dict[int, tuple[PostgresServer, str]]
) -> dict[int, dict[str, Timing]]:
    """A first recall, warm ones, and durable single writes: each size in turn, the same noise."""
    kinds = ("first recall", "recall", "write", "recall after a write")
    told = {size: {kind: Timing(kind) for kind in kinds} for size in places}
    with ExitStack() as stack:
        agents = {}
        for size, place in places.items():
            agents[size] = stack.enter_context(kept.memory(*place)).agent("ada", user="tuff")
            told[size]["first recall"].run(partial(agents[size].recall, question(0)))
        for n in range(1, QUESTIONS + 1):
            for size, ada in agents.items():
                told[size]["recall"].run(partial(ada.recall, question(n)))
        for n in range(WRITES):
            for size, ada in agents.items():
                told[size]["write"].run(partial(ada.remember, sentence(10**8 + n)))
                told[size]["recall after a write"].run(partial(ada.recall, question(n)))
    return told


def _row(size: int, told: dict[str, Timing]) -> list[str]:
    return [f"{size:,}", *(f"{its.wall_ms(50):.1f} ms" for its in told.values())]


def _bytes(server: PostgresServer) -> int:
    with psycopg.connect(server.dsn) as link:
        (size,) = link.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
    return int(size)


if __name__ == "__main__":
    order, place, *which = sys.argv[1:]
    {"fill": fill, "measure": measure}[order](Path(place), LARGE, tuple(which) or PARTS)
