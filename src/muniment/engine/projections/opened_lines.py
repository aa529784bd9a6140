"""Opened lines: a cache of the entries that an index has opened for its answers.

Neighbours and repeated questions share them, and to open one takes longer than to rank it. Most
are a sentence; one that holds a batch or a document takes as much room as hundreds of these.
"""

from typing import Final

from muniment.log.entry import Entry, Line
from muniment.model.lru_cache import LruCache

SMALL_BYTES: Final = 4_096  # of an entry, sealed
SMALL_KEPT: Final = 1_024
LARGE_KEPT: Final = 128


class OpenedLines:
    """Threads may share it, as they share the caches that it is made of."""

    def __init__(self) -> None:
        self._small: LruCache[int, Line] = LruCache(SMALL_KEPT)
        self._large: LruCache[int, Line] = LruCache(LARGE_KEPT)

    def get(self, seq: int) -> Line | None:
        return self._small.get(seq) or self._large.get(seq)

    def put(self, entry: Entry, line: Line) -> None:
        size = sum(len(part.data) for part in entry.parts if part is not None)
        (self._small if size <= SMALL_BYTES else self._large).put(entry.seq, line)
