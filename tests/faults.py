"""A store that fails when it is told to: before the commit, after it, or for lack of room."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from muniment.log.entry import Entry, Head
from muniment.log.reference_store import ScratchStore
from muniment.log.store import (
    Batch,
    Derived,
    Find,
    Segment,
    ShelfRow,
    StoredSegment,
)
from muniment.model.errors import MunimentError, OutcomeUnknownError, StorageFullError, StoreError

Fault = Callable[[], MunimentError]


def down() -> MunimentError:
    return StoreError("the disk does not answer")


def unanswered() -> MunimentError:
    return OutcomeUnknownError("the connection broke during the commit")


def full() -> MunimentError:
    return StorageFullError("no space left on device")


class FaultyStore:
    """A scratch store with a plan: which of the coming appends fail, how, and where.

    `only` names the stream the plan is about; the others go on, and are not counted.
    """

    def __init__(self) -> None:
        self.real = ScratchStore()
        self.only = ""
        self.attempts = 0
        self.offered: list[Batch] = []
        self._plan: dict[int, tuple[Fault, bool]] = {}
        self._broken: set[str] = set()

    # ── The plan ────────────────────────────────────────────────────────────────────────────────

    def fail(self, *nth: int, fault: Fault = down, committed: bool = False, only: str = "") -> None:
        """The n-th appends from now on fail; `committed` ones fail after the bytes are kept."""
        self.only, self.attempts = only, 0
        self.offered = []
        self._plan = dict.fromkeys(nth, (fault, committed))

    def plan(self, nth: int, fault: Fault, *, committed: bool) -> None:
        """One more failure in the present plan."""
        self._plan[nth] = (fault, committed)

    @property
    def planned(self) -> list[int]:
        """Which of the appends were to fail."""
        return sorted(self._plan)

    def recover(self) -> None:
        self._plan = {}
        self._broken = set()

    def break_call(self, name: str) -> None:
        """A method of the store that fails whenever it is called: `shred`, `reset`, `shelve`."""
        self._broken.add(name)

    # ── The port ────────────────────────────────────────────────────────────────────────────────

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        if self.only and stream != self.only:
            self.real.append(stream, batch, expect=expect)
            return
        self.attempts += 1
        self.offered.append(batch)
        fault, committed = self._plan.get(self.attempts, (None, True))
        if committed:
            self.real.append(stream, batch, expect=expect)
        if fault:
            raise fault()

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        return self.real.read(stream, after=after, upto=upto, limit=limit)

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        return self.real.pick(stream, seqs)

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        return self.real.about(stream, subjects, after=after, upto=upto)

    def head(self, stream: str) -> Head | None:
        return self.real.head(stream)

    def find(self, stream: str, operation: str) -> int | None:
        return self.real.find(stream, operation)

    def streams(self) -> list[str]:
        return self.real.streams()

    def shred(self, stream: str, subject: str) -> int:
        with self._may_break("shred"):
            return self.real.shred(stream, subject)

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        with self._may_break("empty"):
            return self.real.empty(stream, seqs)

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        return self.real.write_lock(stream)

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        return self.real.rows(stream, find)

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        return self.real.births(stream, finds)

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        return self.real.checkpoint(stream)

    def reset(self, stream: str) -> None:
        with self._may_break("reset"):
            self.real.reset(stream)

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        with self._may_break("shelve"):
            self.real.shelve(stream, derived, upto=upto)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        self.real.put_segment(stream, segment, replaces)

    def segments(self, stream: str, kind: str) -> AbstractContextManager[Sequence[StoredSegment]]:
        return self.real.segments(stream, kind)

    def close(self) -> None:
        self.real.close()

    @contextmanager
    def _may_break(self, name: str) -> Iterator[None]:
        if name in self._broken:
            raise StoreError(f"{name} failed")
        yield
