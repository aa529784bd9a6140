"""Writing: one durable sentence at a time, and many at once, beside raw SQLite."""

from pathlib import Path

import muniment
from bench.figures import Timing, goal, table
from bench.raw import RawStore
from bench.sentences import sentences
from muniment.engine.api.remember import PART_SENTENCES

SINGLE = 600
WARM = 130  # twice what is taken into the index at once
BULK = 20_000
BULK_BATCH = 2_000


def run(folder: Path) -> None:
    _single(folder)
    _bulk(folder)


def _single(folder: Path) -> None:
    memory = muniment.open(folder / "single")
    ada = memory.agent("ada", user="tuff")
    raw = RawStore(folder / "single.raw")
    ours, theirs = Timing("muniment remember"), Timing("raw SQLite, same rows")
    for text in sentences(WARM):  # the first load plans, prepare SQL, compile what indexing asks
        ada.remember(text)
        raw.remember([text])
    for text in sentences(SINGLE, start=WARM):  # interleaved, so that both meet the same noise
        ours.run(lambda text=text: ada.remember(text))  # type: ignore[misc]
        theirs.run(lambda text=text: raw.remember([text]))  # type: ignore[misc]
    table(
        f"Durable single write, {SINGLE} of each, synchronous=FULL",
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
    ratio = ours.cpu_us / theirs.cpu_us
    goal(
        f"CPU of a durable write is {ratio:.2f} times the raw one (goal: at most 3)", met=ratio <= 3
    )
    memory.close()
    raw.close()


def _bulk(folder: Path) -> None:
    memory = muniment.open(folder / "bulk")
    ada = memory.agent("ada", user="tuff")
    raw = RawStore(folder / "bulk.raw")
    together = RawStore(folder / "together.raw")
    ours, theirs = Timing("muniment remember_many"), Timing("raw, an entry and a row for each")
    grouped = Timing("raw, an entry for 200, a row for each")
    ada.remember_many(sentences(200))
    for start in range(0, BULK, BULK_BATCH):
        texts = sentences(BULK_BATCH, start=start)
        ours.run(lambda texts=texts: ada.remember_many(texts))  # type: ignore[misc]
        theirs.run(lambda texts=texts: raw.remember(texts, PART_SENTENCES))  # type: ignore[misc]
        grouped.run(lambda texts=texts: together.remember_together(texts, PART_SENTENCES))  # type: ignore[misc]
    rows = []
    for each in (ours, theirs, grouped):
        cpu, wall = sum(each.cpu), sum(each.wall)
        rows.append(
            [each.name, f"{cpu / BULK * 1e6:.0f}", f"{BULK / cpu:,.0f}", f"{BULK / wall:,.0f}"]
        )
    table(
        f"Bulk, {BULK:,} sentences, a durable append for each {BULK_BATCH:,}",
        ["", "cpu µs each", "per cpu second", "per wall second"],
        rows,
    )
    ratio = sum(theirs.cpu) / sum(ours.cpu)
    goal(
        f"bulk ingest is {ratio:.2f} of the rate of raw chained inserts (goal: at least 0.6); "
        f"{sum(grouped.cpu) / sum(ours.cpu):.2f} of raw inserts grouped as ours are",
        met=ratio >= 0.6,
    )
    together.close()
    memory.close()
    raw.close()
    _sizes(folder)


def _sizes(folder: Path) -> None:
    ours = sum(path.stat().st_size for path in (folder / "bulk" / "streams").glob("*.db"))
    raw = (folder / "bulk.raw").stat().st_size
    with muniment.open(folder / "bulk") as memory:
        entries = memory.agent("ada", user="tuff").seq
    table(
        "Disk",
        ["", "bytes a sentence", "bytes an entry"],
        [
            ["muniment", f"{ours / (BULK + 200):.0f}", f"{ours / entries:.0f}"],
            ["raw SQLite", f"{raw / BULK:.0f}", f"{raw / (BULK + BULK // PART_SENTENCES):.0f}"],
        ],
    )
