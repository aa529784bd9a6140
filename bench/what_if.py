"""What-if: how many entries a second are decided again under another policy, by two workers."""

import resource
import time
from pathlib import Path

import muniment
from bench.figures import goal, table
from bench.opening import fill
from muniment.adapters.config import Settings
from muniment.adapters.operations import policy_trial
from muniment.adapters.operations.executors import ProcessPool
from muniment.model.policy import Policy, Privacy

ENTRIES = 100_000
AGENTS = ("ada", "bob", "cleo", "dan")
QUESTIONS = ("the blue bicycle", "who lives in Lisbon", "green tea", "the train to Porto")
EACH = 25  # questions of an agent
WORKERS = 2
RATE_MIN = 2_000
OTHER = Policy(privacy=Privacy(deny_patterns=("bicycle",)))


def run(folder: Path) -> None:
    place = folder / "what-if"
    with muniment.open(place) as memory:
        for name in AGENTS:
            agent = memory.agent(name, user="tuff")
            fill(agent, ENTRIES // len(AGENTS))
            for n in range(EACH):
                agent.recall(QUESTIONS[n % len(QUESTIONS)])
    start, before = time.perf_counter(), _cpu_of_workers()
    found = policy_trial.run(str(place), Settings(), ProcessPool(WORKERS), OTHER)
    clock, cpu = time.perf_counter() - start, _cpu_of_workers() - before
    rate = found.entries / cpu * WORKERS  # a machine that others use gives them less of the clock
    rows = [
        ["entries", f"{found.entries:,}"],
        ["questions asked again", f"{found.questions:,}"],
        *[[fate, f"{count:,}"] for fate, count in found.counts.items()],
        ["entries a second of CPU, each worker", f"{found.entries / cpu:,.0f}"],
        ["entries a second of the clock", f"{found.entries / clock:,.0f}"],
        ["cores that the workers had", f"{cpu / clock:.2f}"],
    ]
    table(f"What-if by {WORKERS} workers", ["", ""], rows)
    goal(
        f"{rate:,.0f} entries a second on {WORKERS} cores (at least {RATE_MIN:,})",
        met=rate >= RATE_MIN,
    )


def _cpu_of_workers() -> float:
    """Of processes that have ended, with what it took to start them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
