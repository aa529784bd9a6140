"""Opening: what it costs to stand at the head of a long log, and what it takes in memory."""

import json
import subprocess
import sys
from pathlib import Path

import muniment
from bench.figures import goal, table
from bench.sentences import sentences
from muniment.engine.api.agent import Agent
from muniment.engine.streams import admission
from muniment.model.commands import Remember

SIZES = (10_000, 100_000)  # entries
AT_ONCE = 500
REPEATS = 5

# In a process of its own: importing is paid once and not counted, opening is.
PROBE = """
import json, sys, time
import muniment
import muniment.adapters.config
cpu, wall = time.process_time(), time.perf_counter()
memory = muniment.open(sys.argv[1])
ada = memory.agent("ada", user="tuff")
seq = ada.seq
opened = time.process_time() - cpu
found = len(ada.recall("the blue bicycle").hits)
# What is resident now: the peak that the system reports also counts the parent's, before exec.
pages = int(open("/proc/self/statm").read().split()[1])
print(json.dumps({"cpu": opened, "wall": time.perf_counter() - wall, "kb": pages * 4,
                  "seq": seq, "found": found}))
"""


def run(folder: Path) -> None:
    figures = {}
    for size in SIZES:
        place = folder / f"open-{size}"
        with muniment.open(place) as memory:
            fill(memory.agent("ada", user="tuff"), size)
        figures[size] = [_probe(place) for _ in range(REPEATS)]
    rows = [
        [
            f"{size:,} entries",
            f"{min(each['seq'] for each in told):,}",
            f"{min(each['cpu'] for each in told) * 1e3:.1f}",
            f"{min(each['kb'] for each in told) / 1024:.1f}",
        ]
        for size, told in figures.items()
    ]
    table(
        f"Cold open to the head, best of {REPEATS}",
        ["", "seq", "cpu ms to open", "MB resident after a recall"],
        rows,
    )
    small, large = (min(each["cpu"] for each in figures[size]) for size in SIZES)
    goal(
        f"opening 100k costs {large / small:.2f} times opening 10k (goal: at most 1.5)",
        met=large / small <= 1.5,
    )
    little, much = (min(each["kb"] for each in figures[size]) for size in SIZES)
    goal(
        f"memory at 100k is {much / little:.2f} times that at 10k (goal: flat, at most 1.1)",
        met=much / little <= 1.1,
    )


def fill(ada: Agent, size: int) -> None:
    """Sentences told one by one, two entries each, in appends that are large only to save time."""
    session = ada._session  # noqa: SLF001
    told = sentences(size // 2)
    for start in range(0, len(told), AT_ONCE):
        commands = [
            Remember(text=text, subject=session.subject) for text in told[start : start + AT_ONCE]
        ]
        session.hub.append(
            session.stream_id, [session.prepare(admission.admit(each)) for each in commands]
        )


def _probe(place: Path) -> dict[str, float]:
    told = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PROBE, str(place)], capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found
