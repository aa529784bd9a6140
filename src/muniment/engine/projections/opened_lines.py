"""Opened lines: caches of the entries that an index need not read, unpack and decrypt again.

`OpenedLines` holds what was opened for answers: neighbours and repeated questions share entries,
and to open one takes longer than to rank it. `ToldLines` holds what this process appended last,
for an index that follows it. Whatever is not here is read in the log, and an index of either is the
same.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from muniment.log import chain
from muniment.log.entry import Entry, Line, OpenedEntry, weight
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model.lru_cache import LruCache

SMALL_BYTES: Final = 4_096  # of an entry, sealed
SMALL_KEPT: Final = 4_096  # what a life of some months says; about a kilobyte each
LARGE_KEPT: Final = 128
TOLD_MAX: Final = 256  # of a log: what 64 turns of a talk write, and some more
LOGS_MAX: Final = 16  # those that were written to last
ORDINARY: Final = 1  # the weight of what is kept; to read a long entry costs little for its size


class OpenedLines:
    """Most are a sentence; a batch or a document takes as much room as hundreds of these.

    Threads may share it, as they share the caches that it is made of.
    """

    def __init__(self) -> None:
        self._small: LruCache[int, Line] = LruCache(SMALL_KEPT)
        self._large: LruCache[int, Line] = LruCache(LARGE_KEPT)

    def get(self, seq: int) -> Line | None:
        return self._small.get(seq) or self._large.get(seq)

    def put(self, entry: Entry, line: Line) -> None:
        size = sum(len(part.data) for part in entry.parts if part is not None)
        (self._small if size <= SMALL_BYTES else self._large).put(entry.seq, line)


class ToldLines:
    """The last lines of each log, in a row; what is long, and what was before it, is not kept."""

    def __init__(self, store: Store, keyring: Keyring) -> None:
        self._store, self._keyring = store, keyring
        # Each with how far erasures had come: after one, a line may say what must be gone.
        self._held = LruCache[str, tuple[bytes, tuple[Line, ...]]](LOGS_MAX)

    def hear(self, stream: str, lines: Sequence[Line]) -> None:
        """What was appended to a log, and is durable."""
        erasures = self._keyring.generation()
        when, before = self._held.get(stream) or (erasures, ())
        if when != erasures or (before and before[-1].seq + 1 != lines[0].seq):
            before = ()  # others have written between, or these are of an earlier call
        long = [n for n, line in enumerate(lines, start=1) if weight(line.header) > ORDINARY]
        told = tuple(lines[long[-1] :]) if long else (*before, *lines)
        self._held.put(stream, (erasures, told[-TOLD_MAX:]))

    def entries(
        self, stream: str, subjects: frozenset[str] | None, *, after: int, upto: int
    ) -> Iterator[Entry]:
        """What `chain.about` gives: the entries that hold nothing about anybody else, in order."""
        when, lines = self._held.get(stream) or (b"", ())
        known = [line for line in lines if after < line.seq <= upto]
        if not known or known[-1].seq != upto or when != self._keyring.generation():
            known = []
        first = known[0].seq if known else upto + 1
        yield from chain.about(self._store, stream, subjects, after=after, upto=first - 1)
        for line in known:
            if subjects is None or subjects.issuperset([its.subject for its in line.header.parts]):
                # It need not be opened: nobody asks for its bytes, which are in the log.
                yield OpenedEntry(seq=line.seq, hash=line.hash, header=b"", line=line)

    def clear(self) -> None:
        self._held.clear()
