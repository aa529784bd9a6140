"""The command `python -m bench lives`: which lives are drawn, lived and reported."""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.lives import report
from bench.lives.doors import DOORS
from bench.lives.living import Lived, live
from bench.lives.phrasebook import LANGUAGES, SETS
from bench.lives.plot import PEOPLE, Plan


def run(folder: Path) -> None:
    """A small life through every door: what `python -m bench` shows."""
    main(["--days", "20", "--turns", "200", "--questions", "80"], folder)


def main(arguments: Sequence[str], folder: Path) -> None:
    given = _parser().parse_args(arguments)
    doors = list(DOORS) if "all" in given.door else given.door
    lives: list[Lived] = []
    for door in doors:
        for seed in given.seeds:
            plan = Plan(
                seed=seed,
                days=given.days,
                turns=given.turns,
                questions=given.questions or max(40, given.turns * 15 // 100),
                languages=tuple(LANGUAGES if "mixed" in given.language else given.language),
                people=given.people,
                held_out=given.held_out,
            )
            with tempfile.TemporaryDirectory(dir=folder) as place:
                lives.append(live(plan, door, Path(place), prompted=not given.unprompted))
    report.show(lives, misses=given.misses)
    if given.json:
        Path(given.json).write_bytes(msgspec.json.encode(lives))
        print(f"  every answer and cost is in {given.json}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench lives", description=__doc__)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--turns", type=int, default=2_000)
    parser.add_argument("--questions", type=int, default=0, help="15 for each 100 turns if unsaid")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--door", nargs="+", default=["all"], choices=[*DOORS, "all"])
    parser.add_argument("--language", nargs="+", default=["en"], choices=[*LANGUAGES, "mixed"])
    parser.add_argument("--people", type=int, default=2, choices=range(1, len(PEOPLE) + 1))
    parser.add_argument(
        "--held-out",
        type=int,
        nargs="?",
        const=1,
        default=0,
        choices=SETS,
        help="the set of phrases that nobody tuned on: 1 (`!`), 2 (`!!`), 3",
    )
    parser.add_argument("--unprompted", action="store_true", help="no context before each turn")
    parser.add_argument("--misses", type=int, default=0, help="show so many that 800 tokens missed")
    parser.add_argument("--json", default="", help="write every answer and cost to this file")
    return parser
