"""A soak: everything that is simulated, killed, cut, flipped and fuzzed, as one table that ends.

`python -m tests.simulation.soak 100 2` does all of it with two workers; 10 is a tenth of it. Chance
is seeded everywhere, so a share gives the same worlds, disks and inputs on every machine. It ends
with 1 where a row failed, and prints what was said of it.
"""

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
CONNECTIONS: Final = 1_000
CROWD_SECONDS: Final = 600
CROWD_SECONDS_MIN: Final = 10


class Row(NamedTuple):
    """What is promised, and the tests that try to break it."""

    promise: str
    tests: str


class Outcome(NamedTuple):
    promise: str
    is_good: bool
    said: str  # how many tests, or the figures of a crowd
    seconds: float
    output: str


ROWS: Final = (
    Row("worlds that fail, beside calm ones", "tests/simulation/test_worlds.py"),
    Row("the power is cut", "tests/simulation/test_power.py"),
    Row("writers are killed", "tests/simulation/test_killing.py"),
    Row("imports are killed", "tests/behaviour/test_imports_are_killed.py"),
    Row("histories are carried over", "tests/laws/test_exchange.py"),
    Row("histories prove", "tests/laws/test_histories.py tests/laws/test_conversations.py"),
    Row("the Subconscious is not heard", "tests/laws/test_non_interference.py"),
    Row("what is owed is made good", "tests/behaviour/seed_002/test_failures.py"),
    Row("what is held stays", "tests/laws/test_holds.py tests/laws/test_retention.py"),
    Row("a past is branched", "tests/laws/test_branches.py tests/laws/test_what_if.py"),
    Row("a past is rolled back", "tests/laws/test_rollback.py"),
    Row("all of these meet", "tests/laws/test_evidence_together.py"),
    Row("a system call fails", "tests/simulation/test_failing_calls.py"),
    Row("the disk is full", "tests/simulation/test_full_disk.py"),
    Row("a bit is flipped", "tests/simulation/test_bit_flips.py"),
    Row("a model fails while it learns", "tests/behaviour/learning/test_faults.py"),
    Row("a server fails", "tests/conformance/test_postgres_faults.py"),
    Row("parsers are fuzzed", "tests/fuzzing tests/laws/test_bad_input.py"),
    Row("patterns are made to explode", "tests/behaviour/test_detector_laws.py"),
    Row("budgets are kept", "tests/behaviour/one_memory/test_budgets.py"),
    Row("twins are found at hand", "tests/behaviour/one_memory/test_twins_at_hand.py"),
    Row("loops are opened once", "tests/behaviour/seed_002/test_loops_are_opened_once.py"),
    Row("names that look alike", "tests/laws/test_names.py"),
    Row("any id at any door", "tests/behaviour/one_memory/test_any_id_at_every_door.py"),
    Row("bugs are planted", "tests/planted"),
)


def run(row: Row, share: int, workers: str) -> Outcome:
    told = ["env", f"MUNIMENT_SOAK={share}", sys.executable, "-m", "pytest", "-q", "-n", workers]
    command = [*told, *row.tests.split()]
    return _timed(row.promise, command, r"(\d+ (?:passed|failed).*) in ")


def crowd(share: int) -> Outcome:
    seconds = max(CROWD_SECONDS * share // 100, CROWD_SECONDS_MIN)
    command = [sys.executable, "-m", "tests.simulation.crowd", str(CONNECTIONS), str(seconds)]
    return _timed(f"{CONNECTIONS:,} connections, most hostile", command, r"honest calls +(.*)")


def _timed(promise: str, command: list[str], figures: str) -> Outcome:
    begun = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    found = re.findall(figures, output)
    said = found[-1] if found else "it did not end as it should"
    return Outcome(promise, done.returncode == 0, said, time.monotonic() - begun, output)


def table(outcomes: list[Outcome], share: int) -> str:
    lines = [f"A soak of {share} %", ""]
    for each in outcomes:
        how = "held" if each.is_good else "FAILED"
        lines.append(f"{each.promise:<36} {how:<7} {each.seconds:>7.0f} s  {each.said}")
    whole = sum(each.seconds for each in outcomes)
    bad = sum(not each.is_good for each in outcomes)
    return "\n".join([*lines, "", f"{bad} of {len(outcomes)} failed, {whole / 60:.0f} minutes"])


def main(words: list[str]) -> int:
    share, workers = int(words[0]) if words else 100, words[1] if words[1:] else "2"
    outcomes: list[Outcome] = []
    for row in ROWS:
        outcomes.append(run(row, share, workers))
        print(f"{row.promise}: {outcomes[-1].said}", file=sys.stderr, flush=True)
    outcomes.append(crowd(share))
    for each in outcomes:
        if not each.is_good:
            print(f"── {each.promise} ──\n{each.output[-6_000:]}", file=sys.stderr)
    print(table(outcomes, share))
    return not all(each.is_good for each in outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
