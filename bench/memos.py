"""Memorizing beside a plain durable append, with ten thousand items kept before.

Both are one durable transaction of the same text at the same settings, in turns, so that they
meet the same noise. The plain one is `observe`: screened, sealed, chained and fsynced like ours,
and nothing is weighed, compared, routed or evicted for it.
"""

from itertools import islice
from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.sentences import sentences

BEFORE = 10_000
MEASURED = 1_000
RATIO_MAX = 1.5


def run(folder: Path) -> None:
    memory, plain = muniment.open(folder / "memos"), muniment.open(folder / "plain")
    ada, bob = memory.agent("ada", user="tuff"), plain.agent("ada", user="tuff")
    texts = iter(sentences(BEFORE + MEASURED))
    ours, theirs = Timing("memorize"), Timing("plain append")
    with ada.job() as job, bob.job() as other:
        for text in islice(texts, BEFORE):
            job.memorize({"type": "observation", "text": text})
            other.observe(text)
        for text in texts:
            ours.run(lambda text=text: job.memorize({"type": "observation", "text": text}))  # type: ignore[misc]
            theirs.run(lambda text=text: other.observe(text))  # type: ignore[misc]
    table(
        f"Memorizing with {BEFORE:,} items kept before, {MEASURED:,} of each, synchronous=FULL",
        ["", "cpu µs", "cpu p50 µs", "wall p50 ms", "wall p99 ms"],
        [
            [
                each.name,
                f"{each.cpu_us:.0f}",
                f"{each.cpu_p50_us:.0f}",
                f"{each.wall_ms(50):.2f}",
                f"{each.wall_ms(99):.2f}",
            ]
            for each in (ours, theirs)
        ],
    )
    wall, cpu = ours.wall_ms(50) / theirs.wall_ms(50), ours.cpu_p50_us / theirs.cpu_p50_us
    goal(
        f"memorize takes {wall:.2f} times a plain durable append (goal: at most {RATIO_MAX}); "
        f"{cpu:.2f} times its CPU",
        met=wall <= RATIO_MAX,
    )
    memory.close()
    plain.close()
