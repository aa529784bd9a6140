"""Branches: what it costs to open one beside a long log, and to read through it."""

import time
from collections.abc import Callable
from pathlib import Path

import muniment
from bench.figures import goal, table
from bench.opening import fill
from muniment.engine.api.memory import Memory

ENTRIES = 100_000
REPEATS = 9
READS = 40
MS_MAX, KB_MAX, SLOWER_MAX = 5, 64, 1.3
QUESTIONS = ("the blue bicycle", "who lives in Lisbon", "green tea", "the train to Porto")


def run(folder: Path) -> None:
    place = folder / "branches"
    with muniment.open(place) as memory:
        fill(memory.agent("ada", user="tuff"), ENTRIES)
        _ask(memory)  # the index is made
        memory.branch("first").discard()  # and so is the log of operations
        opened, kept = _opened(memory, place)
        parent, through = _read(memory)
    slower = through / parent
    rows = [
        ["open a branch", f"{opened * 1e3:.2f} ms", f"{kept / 1024:.1f} KB on disk"],
        ["recall in the memory", f"{parent * 1e3:.2f} ms", ""],
        ["recall through the branch", f"{through * 1e3:.2f} ms", f"{slower:.2f} times"],
    ]
    table(f"A branch beside {ENTRIES:,} entries, median of {REPEATS}", ["", "time", ""], rows)
    goal(f"opening takes {opened * 1e3:.2f} ms (at most {MS_MAX})", met=opened * 1e3 <= MS_MAX)
    goal(f"it keeps {kept / 1024:.1f} KB (at most {KB_MAX})", met=kept / 1024 <= KB_MAX)
    goal(
        f"reading through it takes {slower:.2f} times as long (at most {SLOWER_MAX})",
        met=slower <= SLOWER_MAX,
    )


def _opened(memory: Memory, place: Path) -> tuple[float, int]:
    """The median time to open one, and how much a branch with one sentence of its own keeps."""
    before = _size(place)
    times = [_timed(lambda n=n: memory.branch(f"try-{n}")) for n in range(REPEATS)]  # type: ignore[misc]
    return sorted(times)[REPEATS // 2], (_size(place) - before) // REPEATS


def _read(memory: Memory) -> tuple[float, float]:
    """The same questions in the memory and in a branch with a sentence of its own, in turn."""
    branch = memory.on_branch("try-0")
    branch.agent("ada", user="tuff").remember("I moved to Porto by train")
    _ask(branch)
    pairs = [(_timed(lambda: _ask(memory)), _timed(lambda: _ask(branch))) for _ in range(REPEATS)]
    parents, branches = (sorted(each)[REPEATS // 2] / READS for each in zip(*pairs, strict=True))
    return parents, branches


def _ask(memory: Memory) -> None:
    agent = memory.onlooker("ada", user="tuff")
    for n in range(READS):
        agent.recall(QUESTIONS[n % len(QUESTIONS)])


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
