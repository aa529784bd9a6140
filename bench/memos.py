"""Memorizing beside a plain durable append, with ten thousand items kept before."""

from itertools import islice
from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.sentences import sentences

BEFORE = 10_000
MEASURED = 400


def run(folder: Path) -> None:
    memory, plain = muniment.open(folder / "memos"), muniment.open(folder / "plain")
    ada, bob = memory.agent("ada", user="tuff"), plain.agent("ada", user="tuff")
    texts = iter(sentences(BEFORE + MEASURED))
    with ada.job() as job, bob.job() as other:
        for text in islice(texts, BEFORE):
            job.memorize({"type": "observation", "text": text})
            other.observe(text)
        ours, theirs = Timing("memorize"), Timing("plain append")
        for text in texts:  # interleaved, so that both meet the same noise
            ours.run(lambda text=text: job.memorize({"type": "observation", "text": text}))  # type: ignore[misc]
            theirs.run(lambda text=text: other.observe(text))  # type: ignore[misc]
    table(
        f"Memorizing with {BEFORE} items kept before, synchronous=FULL",
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
    wall = ours.wall_ms(50) / theirs.wall_ms(50)
    goal(f"memorize takes {wall:.2f} times a plain durable append (goal: 1.5)", met=wall <= 1.5)
    memory.close()
    plain.close()
