"""An index keeps the entries that it has opened, many sentences and few large ones."""

from muniment.engine.projections.opened_lines import (
    LARGE_KEPT,
    SMALL_BYTES,
    SMALL_KEPT,
    OpenedLines,
)
from muniment.log.entry import Entry, Line, SealedPart


def entry(seq: int, size: int) -> Entry:
    part = SealedPart(subject="tuff", data=bytes(size))
    return Entry(seq=seq, hash=bytes(32), header=b"", parts=(part, None))


def line(seq: int) -> Line:
    return Line(header=None, hash=seq.to_bytes(32, "big"), event=None)  # type: ignore[arg-type]


def test_large_entries_leave_before_the_sentences_that_were_opened_with_them() -> None:
    held = OpenedLines()
    held.put(entry(1, 100), line(1))
    for seq in range(2, LARGE_KEPT + 3):
        held.put(entry(seq, SMALL_BYTES + 1), line(seq))

    assert held.get(1) == line(1)
    assert held.get(2) is None
    assert held.get(LARGE_KEPT + 2) == line(LARGE_KEPT + 2)


def test_what_was_asked_for_longest_ago_leaves_first() -> None:
    held = OpenedLines()
    for seq in range(SMALL_KEPT):
        held.put(entry(seq, 100), line(seq))
    held.get(0)
    held.put(entry(SMALL_KEPT, 100), line(SMALL_KEPT))

    assert held.get(0) == line(0)
    assert held.get(1) is None
