"""Store port: a store keeps bytes in order and does not interpret them.

A store knows references, never names; tokens, never keys; bytes, never meanings. Appending is
one transaction for the log, the shelves and the desk's checkpoint, or nothing. `expect` makes it
correct; `write_lock` is a courtesy that lets writers queue instead of colliding.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol, runtime_checkable

import msgspec

from muniment.log.entry import Entry, Head

EPISODES: Final = "episodic"  # the shelf whose rows may have an open twin


class Birth(msgspec.Struct, frozen=True, kw_only=True):
    """A shelf row begins: it points to the entry that holds its content."""

    shelf: str
    n: int  # several rows may be born in one entry
    seq: int
    id_token: bytes
    key_token: bytes


class Death(msgspec.Struct, frozen=True, kw_only=True):
    """The living rows of a shelf with this token end here; nothing is overwritten."""

    shelf: str
    seq: int
    id_token: bytes = b""
    key_token: bytes = b""


class OpenEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode in plain text, for people who ask in SQL; only kept when the owner wants it.

    It ends with its row on the shelf of episodes, and goes when its subject is shredded.
    """

    seq: int
    n: int  # as on the shelf: several episodes may be born in one entry
    subject: str  # a reference
    episodic_id: str
    job_seed: str
    created_seeded_ts: str
    summary: str
    payload: bytes  # JSON, like the next two
    evidence: bytes
    provenance: bytes
    tokens: tuple[str, ...]  # distinct and sorted


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    """What a store keeps beside entries, and what the entries can give again."""

    changes: tuple[Birth | Death, ...] = ()
    checkpoint: bytes = b""  # the desk after the last entry, sealed; empty when none is due
    episodes: tuple[OpenEpisode, ...] = ()  # open twins of episodes born in these entries


class Batch(Derived, frozen=True, kw_only=True):
    """What one append does, all of it or nothing."""

    entries: tuple[Entry, ...]


class ShelfRow(msgspec.Struct, frozen=True, kw_only=True):
    """An interval over the stream's seq: alive from `born` until `died`."""

    shelf: str
    n: int
    born: int
    died: int | None
    entry: Entry


class Find(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows of a shelf: alive at `at`, newest first; or every row born until then."""

    shelf: str
    at: int
    every: bool = False
    id_token: bytes = b""
    key_token: bytes = b""
    limit: int = -1


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """An immutable piece of an index over the entries up to `upto`, sealed."""

    kind: str
    number: int
    upto: int
    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, start: int, room: memoryview) -> bytes | memoryview:
        return memoryview(self.data)[start : start + len(room)]


class StoredSegment(Protocol):
    """A segment where it lies, as long as a visit to its store lasts."""

    @property
    def number(self) -> int: ...

    @property
    def upto(self) -> int: ...

    @property
    def size(self) -> int: ...

    def read(self, start: int, room: memoryview) -> bytes | memoryview:
        """What fills a room, from a place on: in that room, or where it is at hand already."""


class EventLog(Protocol):
    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        """All or nothing and durable; shelves change only at the seqs of the batch.

        HeadMovedError when the head is not `expect` (of an empty stream only seq 0 is asked);
        KeyReusedError when an operation is known already: look with `find` first.
        """

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]: ...

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        """The entries at these places, in order, each once; whatever is not there is left out."""

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        """Where the entries are that hold no part of anybody else; an emptied part is nobody's."""

    def head(self, stream: str) -> Head | None: ...

    def find(self, stream: str, operation: str) -> int | None:
        """The seq of the batch that carried this idempotency key."""

    def streams(self) -> list[str]: ...

    def shred(self, stream: str, subject: str) -> int:
        """Delete the sealed parts of a subject for good; headers and chain stay."""

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        """Delete the sealed parts of these entries for good, and give back the room they had."""

    def write_lock(self, stream: str) -> AbstractContextManager[None]: ...


class Projections(Protocol):
    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]: ...

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        """Where the rows of each search begin, in their order; nothing is fetched from there.

        For few rows: a search without a limit may answer with the first part alone.
        """

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None: ...

    def reset(self, stream: str) -> None:
        """Drop shelves, checkpoint and segments: everything that the log can give again."""

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        """Put these projections in the place of all there were, at once; used by a rebuild.

        A rebuild that dies in the middle leaves the old ones, never half of the new.
        """


class RowReader(Protocol):
    """What shelves are read from: a store, or one with an append on top."""

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]: ...

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]: ...

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]: ...

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]: ...


class Segments(Protocol):
    def put_segment(
        self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()
    ) -> None: ...

    def segments(self, stream: str, kind: str) -> AbstractContextManager[Sequence[StoredSegment]]:
        """A visit to all of a kind, as of one moment; they are large, so each is read in parts.

        The visitor asks nothing else of this stream meanwhile.
        """


class Store(EventLog, Projections, Segments, Protocol):
    def close(self) -> None: ...


@runtime_checkable
class PageChecks(Protocol):
    """A store that can say of every page it keeps whether it is whole."""

    def check(self, stream: str) -> tuple[str, ...]: ...
