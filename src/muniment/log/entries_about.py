"""Entries of some subjects: a log of a thousand people is read for one of them, not for all."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from muniment.log import store_checks
from muniment.log.entry import Entry
from muniment.log.store import EventLog

SPAN: Final = 4_096  # entries that are asked about at once
FEW: Final = 16  # so many in a row, or as short a log, are read: asking first would cost more


def read(
    log: EventLog, stream: str, subjects: frozenset[str] | None, *, after: int, upto: int
) -> Iterator[Entry]:
    """The entries that hold nothing about anybody else, in order; all where no subjects are named.

    Their links are not followed: whoever wants to see that none is missing reads the whole log.
    """
    if subjects is None or upto - after <= FEW:
        for entry in log.read(stream, after=after, upto=upto):
            if subjects is None or store_checks.is_about(entry, subjects):
                yield entry
        return
    for start in range(after, upto, SPAN):
        found = log.about(stream, subjects, after=start, upto=min(start + SPAN, upto))
        yield from _entries(log, stream, found)


def _entries(log: EventLog, stream: str, seqs: Sequence[int]) -> Iterator[Entry]:
    """Those that stand in a row are read, the others picked."""
    alone: list[int] = []
    for _, row in groupby(enumerate(seqs), key=lambda each: each[1] - each[0]):
        run = [seq for _, seq in row]
        if len(run) <= FEW:
            alone += run
            continue
        yield from log.pick(stream, alone)
        alone = []
        yield from log.read(stream, after=run[0] - 1, upto=run[-1])
    yield from log.pick(stream, alone)
