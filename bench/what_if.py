"""What-if: how many entries a second are decided again under another policy, by two workers."""

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
    start = time.perf_counter()
    found = policy_trial.run(str(place), Settings(), ProcessPool(WORKERS), OTHER)
    rate = found.entries / (time.perf_counter() - start)
    rows = [
        ["entries", f"{found.entries:,}"],
        ["questions asked again", f"{found.questions:,}"],
        *[[fate, f"{count:,}"] for fate, count in found.counts.items()],
        ["entries a second", f"{rate:,.0f}"],
    ]
    table(f"What-if by {WORKERS} workers", ["", ""], rows)
    goal(f"{rate:,.0f} entries a second (at least {RATE_MIN:,})", met=rate >= RATE_MIN)
