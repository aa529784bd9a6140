"""Branches: what it costs to open one beside a long log, and to read through it."""

import statistics
from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.opening import fill
from muniment.engine.api.memory import Memory

ENTRIES = 100_000
REPEATS = 25
READS = 40
MS_MAX, KB_MAX, SLOWER_MAX = 5, 64, 1.3
QUESTIONS = ("the blue bicycle", "who lives in Lisbon", "green tea", "the train to Porto")


def run(folder: Path) -> None:
    place = folder / "branches"
    with muniment.open(place) as memory:
        ada = memory.agent("ada", user="tuff")
        fill(ada, ENTRIES)
        entries = ada.seq
        _ask(memory)  # the index is made
        memory.branch("first").discard()  # and so is the log of operations
        opened, kept = _opened(memory, place)
        parent, through = _read(memory)
    slower = through.cpu_p50_us / parent.cpu_p50_us
    rows = [
        [
            each.name,
            f"{each.cpu_p50_us / 1e3:.2f} ms",
            f"{statistics.median(each.wall) * 1e3:.2f} ms",
        ]
        for each in (opened, parent, through)
    ]
    table(f"A branch beside {entries:,} entries, median of {REPEATS}", ["", "CPU", "clock"], rows)
    _goals(opened.cpu_p50_us / 1e3, kept / 1024, slower)


def _goals(opened: float, kept: float, slower: float) -> None:
    goal(f"opening takes {opened:.2f} ms of CPU (at most {MS_MAX})", met=opened <= MS_MAX)
    goal(f"it keeps {kept:.1f} KB on disk (at most {KB_MAX})", met=kept <= KB_MAX)
    goal(
        f"reading through it takes {slower:.2f} times as long (at most {SLOWER_MAX})",
        met=slower <= SLOWER_MAX,
    )


def _opened(memory: Memory, place: Path) -> tuple[Timing, int]:
    """What it takes to open one, and how much each keeps."""
    before, opened = _size(place), Timing("open a branch")
    for n in range(REPEATS):
        opened.run(lambda n=n: memory.branch(f"try-{n}"))  # type: ignore[misc]
    return opened, (_size(place) - before) // REPEATS


def _read(memory: Memory) -> tuple[Timing, Timing]:
    """The same questions in the memory and in a branch with a sentence of its own, in turn."""
    branch = memory.on_branch("try-0")
    branch.agent("ada", user="tuff").remember("I moved to Porto by train")
    _ask(branch)
    parent, through = Timing(f"{READS} recalls"), Timing(f"{READS} recalls through the branch")
    for _ in range(REPEATS):
        parent.run(lambda: _ask(memory))
        through.run(lambda: _ask(branch))
    return parent, through


def _ask(memory: Memory) -> None:
    agent = memory.onlooker("ada", user="tuff")
    for n in range(READS):
        agent.recall(QUESTIONS[n % len(QUESTIONS)])


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
