"""In-memory store (":memory:"): plain values, thread-safe."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import Lock, RLock

from muniment.adapters.system.keyed_locks import KeyedLocks, ReentrantLock
from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, Derived, Find, Segment, ShelfRow


class InMemoryStore(ScratchStore):
    """A scratch store with two locks per stream: nobody who reads waits for a writer."""

    def __init__(self) -> None:
        super().__init__()
        self._guard = Lock()
        self._locks: dict[str, RLock] = {}
        self._write_locks = KeyedLocks[str, ReentrantLock](lambda _: ReentrantLock())

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        with self._lock(stream):
            super().append(stream, batch, expect=expect)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        with self._lock(stream):  # what comes back is a copy, so the lock need not outlive it
            return super().read(stream, after=after, upto=upto, limit=limit)

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        with self._lock(stream):
            return super().pick(stream, seqs)

    def head(self, stream: str) -> Head | None:
        with self._lock(stream):
            return super().head(stream)

    def find(self, stream: str, operation: str) -> int | None:
        with self._lock(stream):
            return super().find(stream, operation)

    def shred(self, stream: str, subject: str) -> int:
        with self._lock(stream):
            return super().shred(stream, subject)

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        with self._lock(stream):
            return super().empty(stream, seqs)

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        super().write_lock(stream)
        return self._write_locks.held(stream)

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        with self._lock(stream):
            return super().rows(stream, find)

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        with self._lock(stream):
            return super().checkpoint(stream)

    def reset(self, stream: str) -> None:
        with self._lock(stream):
            super().reset(stream)

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        with self._lock(stream):
            super().shelve(stream, derived, upto=upto)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        with self._lock(stream):
            super().put_segment(stream, segment, replaces)

    def segments(self, stream: str, kind: str) -> nullcontext[list[Segment]]:
        with self._lock(stream):
            return super().segments(stream, kind)

    def _lock(self, stream: str) -> RLock:
        store_checks.check_ref(stream)
        with self._guard:
            return self._locks.setdefault(stream, RLock())
