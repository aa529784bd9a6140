"""Appended lines: the last entries that this process wrote to a stream, still open.

The index that takes them in next need not read and decrypt them again. The log is append-only: an
entry that was appended at a place stays the one at that place, until the whole state is forgotten.
"""

from collections.abc import Iterable
from typing import Final

from muniment.log import chain
from muniment.log.entry import Entry, Line, OpenedEntry
from muniment.model.lru_cache import LruCache
from muniment.retrieval.index import index_feed

KEPT: Final = 256  # entries: more than the texts that are taken in at once come with

NOTHING: Final[tuple[Entry, ...]] = ()


class AppendedLines:
    """What says nothing to an index of texts is only counted, for it may be large."""

    def __init__(self, generation: bytes) -> None:
        self.generation = generation  # of the keys: once somebody is erased, none of it holds
        self._entries: LruCache[int, tuple[Entry, ...]] = LruCache(KEPT)

    def put(self, lines: Iterable[Line]) -> None:
        for line in lines:
            tells = line.header.type in index_feed.TELLING
            self._entries.put(line.seq, (_opened(line),) if tells else NOTHING)

    def about(
        self, subjects: frozenset[str] | None, generation: bytes, *, after: int, upto: int
    ) -> list[Entry]:
        """Those of a span that hold nothing about anybody else; none, unless all are at hand."""
        if upto - after > KEPT or generation != self.generation:
            return []
        found: list[Entry] = []
        for seq in range(after + 1, upto + 1):
            held = self._entries.get(seq)
            if held is None:
                return []
            found += (each for each in held if _is_about(each, subjects))
        return found


def _opened(line: Line) -> Entry:
    return OpenedEntry(seq=line.seq, hash=line.hash, header=b"", line=line)


def _is_about(entry: Entry, subjects: frozenset[str] | None) -> bool:
    parts = chain.header_of(entry).parts
    return subjects is None or all(part.subject in subjects for part in parts)
