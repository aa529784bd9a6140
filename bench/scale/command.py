"""`python -m bench scale`: a person with N memories, and P people, in a folder and on a server.

Everything is counted in CPU of the process that asks; what a server spends is not in it. Beside
each store stands plain SQLite with a chain and a full-text index, filled and asked the same.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw
import psycopg

import muniment
from bench.scale import steps
from bench.scale.steps import Figures, Shape
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.model.errors import StoreError

MEMORIES, PEOPLE, EACH = 1_000_000, 100_000, 5
SMALL = 100  # of everything a hundredth, where nobody says how much
FOLDER, SERVER, RAW = STORES = ("folder", "postgres", "raw")
TITLES = {FOLDER: "folder", SERVER: "PostgreSQL", RAW: "raw SQLite, FTS5"}
SETTINGS = {"shared_buffers": "256MB", "max_wal_size": "2GB"}

Row = tuple[str, Callable[[Figures], str]]
ROWS: tuple[Row, ...] = (
    ("added in batches, texts a CPU second", lambda its: f"{its['rate']:,.0f}"),
    ("… the first tenth", lambda its: f"{its['first']:,.0f}"),
    ("… the last tenth", lambda its: f"{its['last']:,.0f}"),
    ("one add at the end, mean, CPU ms", lambda its: f"{its['single']:.2f}"),
    ("one add at the end, median, CPU ms", lambda its: f"{its['single_p50']:.2f}"),
    ("open, CPU ms", lambda its: f"{its['open']:.1f}"),
    ("first recall after opening, CPU ms", lambda its: f"{its['reopened']:.1f}"),
    ("recall, CPU ms", lambda its: f"{its['warm']:.1f}"),
    ("first recall of another person, CPU ms", lambda its: f"{its['person']:.1f}"),
    ("first map of entities of a person, CPU ms", lambda its: f"{its['entities']:.1f}"),
    ("context of 2,000 tokens, CPU ms", lambda its: f"{its['context']:.1f}"),
    ("memory while adding, peak, MB", lambda its: f"{its['peak_mb']:.0f}"),
    ("memory after the questions, MB", lambda its: f"{its['rss_mb']:.0f}"),
    ("open file handles, at most", lambda its: f"{its['handles']:.0f}"),
    ("disk, bytes a memory", lambda its: f"{its['bytes']:,.0f}"),
    ("files", lambda its: f"{its['files']:.0f}"),
    ("entries in the logs", lambda its: f"{its['entries']:,.0f}"),
    ("prove by two workers, entries a CPU second", lambda its: f"{its['proved']:,.0f}"),
    ("… memories a CPU second", lambda its: f"{its['memories']:,.0f}"),
    ("… memory of a worker, peak, MB", lambda its: f"{its['prove_mb']:.0f}"),
    (
        f"prove --new behind it, {steps.SINGLES} memories later, CPU s",
        lambda its: f"{its['new_seconds']:.1f}",
    ),
    ("… entries a CPU second", lambda its: f"{its['new']:,.0f}"),
)


def run(folder: Path) -> None:
    """Small, among the other benchmarks."""
    main(["--memories", str(MEMORIES // SMALL), "--people", str(PEOPLE // SMALL)], folder)


def main(words: Sequence[str], folder: Path) -> None:
    asked = _asked(words)
    place = Path(asked.folder) if asked.folder else folder
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(0o711)
    for title, people, each in (
        ("One person", 1, asked.memories),
        (f"Many people in one log, {asked.each} memories each", asked.people, asked.each),
    ):
        if not people * each:
            continue
        found = dict[str, Figures]()
        for store in asked.stores:
            share = asked.share if store == SERVER else 1
            shape = (people, max(1, each // share)) if people == 1 else (people // share, each)
            name = f"{TITLES[store]}, {shape[0] * shape[1] if people == 1 else shape[0]:,}"
            try:
                found[name] = _measured(
                    place / "measured", store, *shape, name, proved=not asked.unproved
                )
            except StoreError as error:
                print(f"\n{name}: not measured, {error.detail}")
        print(f"\n{title}\n\n{_table(found)}", flush=True)
    print(f"\n{_machine()}")


def _asked(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench scale")
    parser.add_argument("--memories", type=int, default=MEMORIES, help="of one person; 0: none")
    parser.add_argument("--people", type=int, default=PEOPLE, help="in one log; 0: none")
    parser.add_argument("--each", type=int, default=EACH, help="memories of each of them")
    parser.add_argument("--share", type=int, default=1, help="on the server one in so many")
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    parser.add_argument("--unproved", action="store_true", help="without the proofs")
    parser.add_argument("--folder", default="", help="where the stores lie while they are measured")
    return parser.parse_args(words)


def _measured(
    place: Path, store: str, people: int, each: int, name: str, *, proved: bool
) -> Figures:
    """Filled, asked and proved; what lies there before and afterwards is removed."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    place.chmod(0o711)  # the server may run as somebody else
    try:
        with _shaped(place, store, people, each, name) as shape:
            figures = _step("fill", shape)
            figures["bytes"], figures["files"] = _taken(place, shape)
            asked = _step("ask", shape)
            asked["handles"] = max(figures["handles"], asked["handles"])
            return figures | asked | (_step("prove", shape) if proved else {})
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _step(step: str, shape: Shape) -> Figures:
    """Told at once: who interrupts a long run keeps what was measured."""
    figures = steps.run(step, shape)
    told = ", ".join(f"{name} {figure:,.2f}" for name, figure in figures.items())
    print(f"  {shape.name}, {step}: {told}", file=sys.stderr, flush=True)
    return figures


@contextmanager
def _shaped(place: Path, store: str, people: int, each: int, name: str) -> Iterator[Shape]:
    if store == SERVER:
        server = PostgresServer(place / "server", settings=SETTINGS)
        server.start()
        try:
            yield Shape(server.dsn, people, each, keys=str(place / "keys"), name=name)
        finally:
            server.stop()
        return
    yield Shape(str(place / "store"), people, each, raw=store == RAW, name=name)


def _taken(place: Path, shape: Shape) -> tuple[float, float]:
    """Bytes for each memory, without the room that is held back for a full disk; and files."""
    here = Path(shape.keys) if shape.keys else place
    files = [each for each in here.rglob("*") if each.is_file() and each.name != "ballast"]
    taken = sum(each.stat().st_size for each in files)
    if shape.keys:
        with psycopg.connect(shape.address) as link:
            query = "SELECT pg_database_size(current_database())"
            taken += int((link.execute(query).fetchone() or (0,))[0])
    return taken / shape.memories, len(files)


def _table(found: dict[str, Figures]) -> str:
    lines = [f"| | {' | '.join(found)} |", f"|---|{'--:|' * len(found)}"]
    for title, cell in ROWS:
        cells = [_cell(cell, its) for its in found.values()]
        if any(cells):
            lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(cell: Callable[[Figures], str], its: Figures) -> str:
    try:
        return cell(its)
    except KeyError:
        return ""


def _machine() -> str:
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}, Muniment"
        f" {muniment.__version__}, Python {platform.python_version()}, SQLite"
        f" {apsw.sqlite_lib_version()}, {platform.system()} {platform.machine()},"
        f" {os.cpu_count()} cores, load {load}"
    )
