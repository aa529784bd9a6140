"""Measure recall: `python -m bench.recall [folder]`, on every set there is, beside plain search."""

import argparse
import os
from pathlib import Path

from bench.recall import ablate, compare, detail

BESIDE = Path(__file__).parents[2].parent / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description=__doc__)
    named = os.environ.get("MUNIMENT_BENCH_DATA") or BESIDE
    parser.add_argument("folder", nargs="?", type=Path, default=Path(named), help="of the sets")
    parser.add_argument("--minilm", action="store_true", help="with MiniLM, if it is installed")
    parser.add_argument("--only", nargs="+", metavar="SET", help="these sets, by their names")
    parser.add_argument("--detail", action="store_true", help="LoCoMo and LongMemEval by contexts")
    parser.add_argument("--ablate", action="store_true", help="what each rule is worth")
    chosen = parser.parse_args()
    if chosen.ablate:
        ablate.run(chosen.folder, only=chosen.only)
    elif chosen.detail:
        detail.run(chosen.folder, minilm=chosen.minilm)
    else:
        compare.run(chosen.folder, minilm=chosen.minilm, only=chosen.only)


if __name__ == "__main__":
    main()
