"""Benchmark page: the table of all peers with machine, versions and load, as docs/benchmarks.md."""

import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.peers.comparison import (
    ADDS_BEFORE,
    ADDS_EACH,
    KILLS,
    PROCESSES,
    SINGLES,
    PeerFigures,
    median_ms,
)

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
PACKAGES = {
    "Muniment": ("muniment", "apsw"),
    "LangGraph": ("langgraph", "langgraph-checkpoint-sqlite"),
    "mem0": ("mem0ai", "qdrant-client"),
    "Chroma": ("chromadb",),
}
OPENING = Path(__file__).with_name("page_opening.md")


def page(found: Mapping[str, PeerFigures], items: int, pythons: Mapping[str, Path]) -> str:
    names = list(found)
    rows = [f"| | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    for title, cell in _rows(items):
        cells = [cell(found[name]) if found[name].adds else "" for name in names]
        rows.append(f"| {title} | {' | '.join(cells)} |")
    rows += [f"| {title} | {' | '.join(cells)} |" for title, cells in _survived(found)]
    failed = [f"- {name}: {its.failed}" for name, its in found.items() if its.failed]
    versions = [f"- {name}: {_versions(name, python)}" for name, python in pythons.items()]
    parts = [
        OPENING.read_text("utf-8").format(items=items),
        "\n".join(rows),
        *(["\n".join(failed)] if failed else []),
    ]
    machine = f"## Machine and versions\n\n{_machine()}\n\n" + "\n".join(versions)
    return "\n\n".join([*map(str.strip, parts), machine]) + "\n"


def _rows(items: int) -> list[tuple[str, Callable[[PeerFigures], str]]]:
    return [
        ("bulk, texts a CPU second", lambda its: _rate(items, its, 0)),
        ("bulk, texts a wall second", lambda its: _rate(items, its, 1)),
        ("to the first answer, texts a CPU second", lambda its: f"{items / its.first:,.0f}"),
        (f"one add of {SINGLES}, CPU ms", lambda its: f"{median_ms(its.adds, 0):.2f}"),
        ("one add, wall ms", lambda its: f"{median_ms(its.adds, 1):.2f}"),
        ("recall of ten, CPU ms", lambda its: f"{median_ms(its.recalls, 0):.1f}"),
        ("recall of ten, wall ms", lambda its: f"{median_ms(its.recalls, 1):.1f}"),
        ("import and open, CPU s", lambda its: f"{its.opened:.2f}"),
        ("memory, MB", lambda its: f"{its.rss_mb:.0f}"),
        ("disk, bytes a text", lambda its: f"{its.bytes_each:,.0f}"),
    ]


def _rate(items: int, its: PeerFigures, which: int) -> str:
    return f"{items / sum(each[which] for each in its.bulk):,.0f}"


def _survived(found: Mapping[str, PeerFigures]) -> list[tuple[str, list[str]]]:
    crowd = f"{PROCESSES} processes, {ADDS_EACH} adds each"
    kills = f"{KILLS} kills behind {ADDS_BEFORE} acknowledged adds"
    return [
        (crowd, [its.lost or "failed" for its in found.values()]),
        (kills, [its.killed or "failed" for its in found.values()]),
    ]


def _machine() -> str:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; load over 1, 5 and 15 "
        f"minutes when the run ended: {load}, its own work included."
    )


def _versions(name: str, python: Path) -> str:
    code = "import sys, sqlite3, importlib.metadata as m; print(sys.version.split()[0], "
    code += "sqlite3.sqlite_version, *(f'{each} {m.version(each)}' for each in sys.argv[1:]))"
    words = [str(python), "-c", code, *PACKAGES.get(name, ())]
    ran = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603
    interpreter, sqlite, *packages = ran.stdout.split()
    pairs = [f"{a} {b}" for a, b in zip(packages[::2], packages[1::2], strict=True)]
    return ", ".join([f"Python {interpreter}", f"SQLite {sqlite}", *pairs])
