"""PostgreSQL as it grows: many tenants on one server, their writes and their recall on the way.

`python -m bench growth` goes to 30,000 items; `python -m bench.growth 1000000 1000` is the large
run: so many items over so many tenants, in all.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from bench.figures import goal, table
from bench.sentences import sentences
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.postgres.server import Server
from muniment.model.errors import StoreError

ITEMS, TENANTS = 30_000, 30
MARKS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
BATCH = 1_000
PROBES = 30
QUESTION = "what did she say about the harbour and the boat?"


def run(folder: Path, items: int = ITEMS, tenants: int = TENANTS) -> None:
    server = Server()
    try:
        server.start()
    except StoreError as error:
        print(f"\ngrowth: not measured, {error.detail}")
        server.remove()
        return
    try:
        _grow(server, folder, items, tenants)
    finally:
        server.crash()
        server.remove()


def _grow(server: Server, folder: Path, items: int, tenants: int) -> None:
    """Tenant after tenant is filled in bulk; at each mark a new and an old one are asked."""
    each, rows, done = max(items // tenants, 1), [], 0
    began = since = time.perf_counter()
    cpu, last = time.process_time(), 0
    for number in range(tenants):
        with open_memory(server.dsn, _settings(folder, number)) as memory:
            for start in range(0, each, BATCH):
                texts = sentences(min(BATCH, each - start), start=number * each + start)
                memory.agent("ada", user="tuff").remember_many(texts)
        done += each
        if done in MARKS or number == tenants - 1:
            spent, used = time.perf_counter() - since, time.process_time() - cpu
            rate = (done - last) / spent
            probe = [_probe(server, folder, which) for which in (0, number)]
            rows.append([f"{done:,}", f"{rate:,.0f}", f"{used / (done - last) * 1e6:.0f}", *probe])
            print("  ", *rows[-1], _size(server), sep="  ", flush=True)
            since, cpu, last = time.perf_counter(), time.process_time(), done
    table(
        f"{done:,} items of {tenants:,} tenants on one server, "
        f"{time.perf_counter() - began:,.0f} s, {_size(server)}",
        ["items", "items/s in bulk", "client cpu µs", "first tenant", "newest tenant"],
        rows,
    )
    first, final = (float(row[1].replace(",", "")) for row in (rows[0], rows[-1]))
    goal(f"the bulk rate at the end is {final / first:.2f} of that at the first mark", met=True)


def _settings(folder: Path, number: int) -> Settings:
    return Settings(tenant=f"tenant-{number}", keys=str(folder / f"keys-{number % 50}"))


def _probe(server: Server, folder: Path, number: int) -> str:
    """A durable write and a recall, medians, in one tenant."""
    with open_memory(server.dsn, _settings(folder, number)) as memory:
        ada = memory.agent("ada", user="tuff")
        writes, reads = [], []
        ada.recall(QUESTION)
        for n, text in enumerate(sentences(PROBES, start=7_000_000)):
            at = time.perf_counter()
            ada.remember(text)
            writes.append(time.perf_counter() - at)
            if n % 6 == 0:
                at = time.perf_counter()
                ada.recall(QUESTION)
                reads.append(time.perf_counter() - at)
    told = statistics.median(writes) * 1e3, statistics.median(reads) * 1e3
    return f"write {told[0]:.1f} ms, recall {told[1]:.1f} ms"


def _size(server: Server) -> str:
    with psycopg.connect(server.dsn) as link:
        (size,) = link.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
    return f"{size / 1e6:,.0f} MB"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        run(Path(place), int(sys.argv[1]), int(sys.argv[2]))
