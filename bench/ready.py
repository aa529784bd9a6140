"""Ready when told: what taking in a text costs, and the first question beside a warm one."""

import time
from collections.abc import Callable
from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.sentences import sentences
from muniment.engine.projections import eager_index

TEXTS = 10_000
QUESTIONS = 20
INDEXED_MAX_US = 80
FIRST_MAX = 3


def run(folder: Path) -> None:
    texts, questions = sentences(TEXTS), sentences(QUESTIONS + 3, start=TEXTS)
    apart = _appended(folder / "apart", texts)
    with muniment.open(folder / "told") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(texts[:500])  # the rules of languages and the like are made once
        ada.recall(questions[0])
        told = _cpu(lambda: ada.remember_many(texts[500:])) / (TEXTS - 500) * 1e6
        first = _cpu(lambda: ada.recall(questions[1])) * 1e3
        warm = Timing("warm")
        for text in questions[3:]:
            warm.run(lambda text=text: ada.recall(text))  # type: ignore[misc]
    with muniment.open(folder / "told") as memory:
        reopened = _cpu(lambda: memory.agent("ada", user="tuff").recall(questions[2])) * 1e3
    usual = warm.cpu_p50_us / 1e3
    table(
        f"Ready when told: {TEXTS:,} texts, CPU",
        ["told, µs each", "of it the index", "first recall, ms", "after opening", "warm"],
        [
            [
                f"{told:.0f}",
                f"{told - apart:.0f}",
                f"{first:.1f}",
                f"{reopened:.1f}",
                f"{usual:.1f}",
            ]
        ],
    )
    goal(
        f"a text is taken in within {told - apart:.0f} µs (goal: at most {INDEXED_MAX_US})",
        met=told - apart <= INDEXED_MAX_US,
    )
    for name, each in (("much was told", first), ("opening", reopened)):
        goal(
            f"the first recall after {name} takes {each / usual:.1f} times a warm one "
            f"(goal: at most {FIRST_MAX})",
            met=each <= FIRST_MAX * usual,
        )


def _appended(folder: Path, texts: list[str]) -> float:
    """What telling takes by itself: nobody takes anything in."""
    enough, eager_index.ENOUGH = eager_index.ENOUGH, len(texts) + 1  # type: ignore[misc]
    try:
        with muniment.open(folder) as memory:
            ada = memory.agent("ada", user="tuff")
            ada.remember_many(texts[:500])
            return _cpu(lambda: ada.remember_many(texts[500:])) / (len(texts) - 500) * 1e6
    finally:
        eager_index.ENOUGH = enough  # type: ignore[misc]


def _cpu(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began
