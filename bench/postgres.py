"""PostgreSQL: eight writers at once, a durable sentence at a time and many, beside raw psycopg."""

import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import psycopg

from bench.figures import goal, table
from bench.postgres_raw import SCHEMA, RawServer
from bench.sentences import sentences
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.model.errors import StoreError

WRITERS = 8
SINGLE = 60  # sentences of each writer in one round
BULK = 600
BULK_BATCH = 200
TOGETHER = 20  # sentences in one entry, as `remember_many` writes them
ROUNDS = 3

OURS, THEIRS = "muniment", "raw psycopg, same rows"
Figures = dict[tuple[str, str], list[float]]  # (who, what): cpu, wall of each round


def run(folder: Path) -> None:
    server = PostgresServer()
    try:
        server.start()
    except StoreError as error:
        print(f"\npostgres: not measured, {error.detail}")
        server.remove()
        return
    try:
        with psycopg.connect(server.dsn, autocommit=True) as link:
            (version,) = link.execute("SHOW server_version").fetchone() or ("",)
            link.execute(SCHEMA)
        for shown in (False, True):
            _show(version, _measure(server.dsn, folder, shown=shown), shown=shown)
    finally:
        server.crash()
        server.remove()


def _measure(dsn: str, folder: Path, *, shown: bool) -> Figures:
    """Every writer is a process; all of them do the same thing at the same moment."""
    spawn = multiprocessing.get_context("spawn")
    barrier, told = spawn.Barrier(WRITERS), spawn.Queue()
    writers = [
        spawn.Process(
            target=_write, args=(dsn, folder, number, barrier, told), kwargs={"shown": shown}
        )
        for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    figures = [told.get() for _ in writers]
    for writer in writers:
        writer.join()
    return {
        key: [sum(each[key][0] for each in figures), max(each[key][1] for each in figures)]
        for key in figures[0]
    }


def _write(
    dsn: str, folder: Path, number: int, barrier: Barrier, told: "Queue[Figures]", *, shown: bool
) -> None:
    name = f"w{number}{'-open' if shown else ''}"
    settings = Settings(keys=str(folder / name), tenant=name, open_tables=shown)
    with open_memory(dsn, settings) as memory:
        ada, raw = memory.agent("ada", user="tuff"), RawServer(dsn, name)
        for text in sentences(30):  # the first calls load numbering plans and prepare statements
            ada.remember(text)
            raw.remember([text])
        figures: Figures = {}
        for at in range(ROUNDS):  # one after the other, so that both meet the same noise
            texts, many = sentences(SINGLE, start=1000 * at), sentences(BULK, start=100_000 * at)
            acts: dict[tuple[str, str], Callable[[], object]] = {
                (OURS, "single"): partial(_each, ada.remember, texts),
                (THEIRS, "single"): partial(_each, lambda text: raw.remember([text]), texts),
                (OURS, "bulk"): partial(ada.remember_many, many, batch=BULK_BATCH),
                (THEIRS, "bulk"): partial(_raw_bulk, raw, many),
            }
            for key, act in acts.items():
                _timed(figures, key, barrier, act)
        raw.close()
    told.put(figures)


def _each(act: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        act(text)


def _raw_bulk(raw: RawServer, texts: list[str]) -> None:
    for start in range(0, len(texts), BULK_BATCH):
        raw.remember(texts[start : start + BULK_BATCH], TOGETHER)


def _timed(
    figures: Figures, key: tuple[str, str], barrier: Barrier, act: Callable[[], object]
) -> None:
    barrier.wait()
    cpu, wall = time.process_time(), time.perf_counter()
    act()
    spent = time.process_time() - cpu
    barrier.wait()
    kept = figures.setdefault(key, [0.0, 0.0])
    kept[0] += spent
    kept[1] += time.perf_counter() - wall


def _show(version: str, figures: Figures, *, shown: bool) -> None:
    for what, each in (("single", SINGLE), ("bulk", BULK)):
        total = WRITERS * ROUNDS * each
        size = "one at a time" if what == "single" else f"a durable append for {BULK_BATCH}"
        tables = "with open tables" if shown else "without open tables"
        table(
            f"PostgreSQL {version}, {WRITERS} writers, {total:,} sentences, {size}, {tables}",
            ["", "client cpu µs each", "sentences per second"],
            [
                [who, f"{cpu / total * 1e6:.0f}", f"{total / wall:,.0f}"]
                for who in (OURS, THEIRS)
                for cpu, wall in [figures[who, what]]
            ],
        )
        ratio = figures[THEIRS, what][1] / figures[OURS, what][1]
        if shown:  # the raw one has no such tables: a ratio to know, not one to reach
            print(f"           {ratio:.2f} of the raw rate, which keeps no open tables")
        else:
            goal(f"{ratio:.2f} of the raw rate (goal: at least 0.6)", met=ratio >= 0.6)
