"""Run one simulated world, or several: `python -m tests.simulation [SEED [HOW_MANY]]`."""

import secrets
import sys

from tests.simulation.worlds import live


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else secrets.randbelow(1_000_000)
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for each in range(seed, seed + many):
        outcome = live(each)
        told = "as in calm" if outcome.is_good else "DIFFERENT"
        print(
            f"seed {each}: {outcome.steps} steps, {outcome.entries} entries, "
            f"{outcome.faults} faults: {told}"
        )
        if not outcome.is_good:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
