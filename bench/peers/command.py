"""Beside others: installs who is wanted, measures all in turn, writes docs/benchmarks.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.figures import goal
from bench.peers import benchmark_page, comparison
from bench.peers.comparison import PeerFigures, median_ms
from bench.peers.peer_process import PeerFailedError
from bench.sizes import installed

ITEMS = 10_000
PEERS, KEPT = "--peers", "--kept="
WANTED = {
    "LangGraph": ("langgraph", "langgraph-checkpoint-sqlite"),
    "mem0": ("mem0ai", "qdrant-client"),
    "Chroma": ("chromadb",),
}


def run(folder: Path) -> None:
    """With --peers the others are installed and the page is written; else it is only printed.

    A number says how many texts; --kept=FOLDER keeps the environments there.
    """
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    items = numbers[0] if numbers else ITEMS
    pythons = {"raw SQLite": Path(sys.executable), "Muniment": Path(sys.executable)}
    if PEERS in sys.argv:
        pythons |= {name: _python(folder, name, wanted) for name, wanted in WANTED.items()}
    found = comparison.measured(pythons, folder / "measured", items)
    for name, its in found.items():
        python = pythons[name]
        its.lost = _tried(comparison.crowded, name, python, folder / "crowded" / name)
        its.killed = _tried(comparison.killed, name, python, folder / "killed" / name)
    told = benchmark_page.page(found, items, pythons)
    print(told)
    if PEERS in sys.argv:
        benchmark_page.PAGE.write_text(told, "utf-8")
        _goals(found["Muniment"], found["LangGraph"])


def _python(folder: Path, name: str, wanted: tuple[str, ...]) -> Path:
    kept = next((Path(each[len(KEPT) :]) for each in sys.argv if each.startswith(KEPT)), folder)
    python = kept / name / "bin" / "python"
    return python if python.exists() else installed(kept / name, wanted, _base())


def _base() -> str:
    """A Python whose SQLite loads extensions, as LangGraph's store does: the system's often does.

    All peers get the same one; a build without it is taken where there is no other.
    """
    found = [sys.executable, shutil.which("python3", path=os.defpath)]
    asked = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
    return next((each for each in found if each and _runs(each, asked)), sys.executable)


def _runs(python: str, code: str) -> bool:
    return not subprocess.run([python, "-c", code], capture_output=True, check=False).returncode  # noqa: S603


def _tried(work: object, name: str, python: Path, folder: Path) -> str:
    assert callable(work)
    try:
        return str(work(name, python, folder))
    except (PeerFailedError, BrokenPipeError) as error:
        return f"failed: {error}"


def _goals(ours: PeerFigures, theirs: PeerFigures) -> None:
    if ours.adds and theirs.adds:
        added, other = (median_ms(its.adds, 0) for its in (ours, theirs))
        goal(f"an add takes {added / other:.2f} of LangGraph's CPU (goal: 1)", met=added <= other)
        first = theirs.first / ours.first
        goal(f"to the first answer at {first:.2f} of LangGraph's rate (goal: 1)", met=first >= 1)
