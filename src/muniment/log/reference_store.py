"""Reference store in plain values: for proofs, for tests, and as the meaning of the port."""

from collections.abc import Iterable, Iterator, Reversible, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice

import msgspec

from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.store import (
    EPISODES,
    Batch,
    Birth,
    Death,
    Derived,
    Find,
    OpenEpisode,
    Segment,
    ShelfRow,
)
from muniment.model.errors import InputError, KeyReusedError, StoreError

Place = tuple[int, int]  # (born, n): where a row stands in its shelf


class ScratchStore:
    """The whole `Store` port, without a world: one thread, no files, gone when closed."""

    def __init__(self) -> None:
        self._kept: dict[str, _Stream] = {}
        self._closed = False

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        known = self._peek(stream)
        store_checks.check_batch(batch, head=known.head, expect=expect)
        # Everything is checked before anything is touched: from here on nothing can fail.
        known.check_operations(batch.entries)
        known.check_births(batch.changes)
        kept = self._kept.setdefault(stream, known)
        kept.add(batch.entries)
        kept.change(batch.changes)
        kept.show(batch.episodes)
        kept.put_checkpoint(expect.seq + len(batch.entries), batch.checkpoint)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        entries = self._peek(stream).entries
        first = max(after, 0)
        last = len(entries) if upto is None else max(upto, 0)
        return iter(entries[first : last if limit is None else min(last, first + max(limit, 0))])

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        entries = self._peek(stream).entries
        return [entries[seq - 1] for seq in sorted(set(seqs)) if 0 < seq <= len(entries)]

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        found = self.read(stream, after=after, upto=upto)
        return [each.seq for each in found if store_checks.is_about(each, subjects)]

    def head(self, stream: str) -> Head | None:
        return self._peek(stream).head

    def find(self, stream: str, operation: str) -> int | None:
        return self._peek(stream).operations.get(operation)

    def streams(self) -> list[str]:
        self._check_open()
        return sorted(self._kept)

    def shred(self, stream: str, subject: str) -> int:
        return self._peek(stream).shred(subject)

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        return self._peek(stream).empty(seqs)

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        self._peek(stream)
        return nullcontext()

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        return iter(self._peek(stream).rows(find))

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        return [self._peek(stream).births(find) for find in finds]

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        return self._peek(stream).checkpoint

    def reset(self, stream: str) -> None:
        self._peek(stream).reset()

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        kept = self._peek(stream)
        if upto:  # an empty log gives empty shelves
            store_checks.check_upto(upto, head=kept.head)
        store_checks.check_derived(derived, first=1, last=upto)
        kept.replace(derived.changes)
        kept.show(derived.episodes)
        kept.put_checkpoint(upto, derived.checkpoint)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        kept = self._peek(stream)
        store_checks.check_upto(segment.upto, head=kept.head)
        for number in replaces:
            kept.segments.pop((segment.kind, number), None)
        kept.segments[segment.kind, segment.number] = segment

    def segments(self, stream: str, kind: str) -> nullcontext[list[Segment]]:
        found = self._peek(stream).segments
        return nullcontext([each for (its, _), each in sorted(found.items()) if its == kind])

    def episodes(self, stream: str) -> list[OpenEpisode]:
        """The open episodes that live, oldest first."""
        return self._peek(stream).open_episodes()

    def close(self) -> None:
        self._closed = True
        self._kept.clear()

    def _peek(self, stream: str) -> "_Stream":
        self._check_open()
        store_checks.check_ref(stream)
        return self._kept.get(stream) or _Stream()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")


class _Interval:
    """A row as it is kept: only its death may still be written."""

    __slots__ = ("birth", "died")

    def __init__(self, birth: Birth) -> None:
        self.birth = birth
        self.died: int | None = None

    @property
    def place(self) -> Place:
        return self.birth.seq, self.birth.n

    @property
    def tokens(self) -> tuple[tuple[str, bytes], ...]:
        return ("id", self.birth.id_token), ("key", self.birth.key_token)

    def fits(self, change: Death | Find) -> bool:
        return (not change.id_token or change.id_token == self.birth.id_token) and (
            not change.key_token or change.key_token == self.birth.key_token
        )

    def shown(self, find: Find) -> bool:
        alive = self.died is None or self.died > find.at
        return self.birth.seq <= find.at and (find.every or alive)


class _ReferenceShelf:
    """The rows of one shelf, and where the living ones are by token."""

    def __init__(self) -> None:
        self.rows: dict[Place, _Interval] = {}
        self.living: dict[tuple[str, bytes], dict[Place, _Interval]] = {}
        self.named: dict[bytes, list[_Interval]] = {}
        self.keyed: dict[bytes, list[_Interval]] = {}
        self._newest: Place = (0, 0)
        self._in_order = True  # nearly always: each row is born behind all others

    def bear(self, birth: Birth) -> None:
        row = _Interval(birth)
        self._in_order = self._in_order and row.place > self._newest
        self._newest = max(self._newest, row.place)
        self.rows[row.place] = row
        self.named.setdefault(birth.id_token, []).append(row)
        self.keyed.setdefault(birth.key_token, []).append(row)
        for token in row.tokens:
            self.living.setdefault(token, {})[row.place] = row

    def end(self, death: Death) -> None:
        token = ("id", death.id_token) if death.id_token else ("key", death.key_token)
        for row in [row for row in self.living.get(token, {}).values() if row.fits(death)]:
            row.died = death.seq
            for its in row.tokens:
                del self.living[its][row.place]

    def find(self, find: Find) -> list[_Interval]:
        found = (row for row in self._near(find) if row.shown(find) and row.fits(find))
        return list(found if find.limit < 0 else islice(found, find.limit))

    def _near(self, find: Find) -> Iterable[_Interval]:
        """The rows that ever had the token, or all of them, newest first."""
        near: Reversible[_Interval] = self.rows.values()
        if find.id_token:
            near = self.named.get(find.id_token, ())
        elif find.key_token:
            near = self.keyed.get(find.key_token, ())
        if not self._in_order:
            return sorted(near, key=lambda row: row.place, reverse=True)
        return reversed(near)


class _Stream:
    """Everything that is kept of one stream."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.operations: dict[str, int] = {}
        self.shelves: dict[str, _ReferenceShelf] = {}
        self.checkpoint: tuple[int, bytes] | None = None
        self.segments: dict[tuple[str, int], Segment] = {}
        self.episodes: dict[Place, OpenEpisode] = {}

    @property
    def head(self) -> Head | None:
        if not self.entries:
            return None
        return Head(seq=self.entries[-1].seq, hash=self.entries[-1].hash)

    def check_operations(self, entries: Sequence[Entry]) -> None:
        keys = [entry.operation for entry in entries if entry.operation]
        if len(set(keys)) < len(keys) or any(key in self.operations for key in keys):
            raise KeyReusedError("an operation key of this batch is already in the log")

    def check_births(self, changes: Sequence[Birth | Death]) -> None:
        born = [(its.shelf, its.seq, its.n) for its in changes if isinstance(its, Birth)]
        if len(set(born)) < len(born) or any(map(self._is_born, born)):
            raise InputError("two rows of a shelf cannot begin at the same position")

    def add(self, entries: Sequence[Entry]) -> None:
        self.entries.extend(entries)
        self.operations.update((its.operation, its.seq) for its in entries if its.operation)

    def change(self, changes: Sequence[Birth | Death]) -> None:
        for change in changes:
            shelf = self.shelves.setdefault(change.shelf, _ReferenceShelf())
            if isinstance(change, Birth):
                shelf.bear(change)
            else:
                shelf.end(change)

    def show(self, episodes: Sequence[OpenEpisode]) -> None:
        self.episodes.update(((its.seq, its.n), its) for its in episodes)

    def open_episodes(self) -> list[OpenEpisode]:
        shelf = self.shelves.get(EPISODES, _ReferenceShelf())
        ended = {place for place, row in shelf.rows.items() if row.died is not None}
        return [its for place, its in sorted(self.episodes.items()) if place not in ended]

    def put_checkpoint(self, seq: int, data: bytes) -> None:
        if data and seq:
            self.checkpoint = (seq, data)

    def rows(self, find: Find) -> list[ShelfRow]:
        shelf = self.shelves.get(find.shelf)
        return [self._row(row) for row in shelf.find(find)] if shelf else []

    def births(self, find: Find) -> list[int]:
        shelf = self.shelves.get(find.shelf)
        return [row.birth.seq for row in shelf.find(find)] if shelf else []

    def shred(self, subject: str) -> int:
        count = 0
        self.episodes = {
            place: its for place, its in self.episodes.items() if its.subject != subject
        }
        for at, entry in enumerate(self.entries):
            kept = tuple(part if part and part.subject != subject else None for part in entry.parts)
            if kept != entry.parts:
                count += sum(old is not new for old, new in zip(entry.parts, kept, strict=True))
                self.entries[at] = msgspec.structs.replace(entry, parts=kept)
        return count

    def empty(self, seqs: Sequence[int]) -> int:
        wanted, count = set(seqs), 0
        for at, entry in enumerate(self.entries):
            if entry.seq in wanted and any(entry.parts):
                count += sum(part is not None for part in entry.parts)
                parts = (None,) * len(entry.parts)
                self.entries[at] = msgspec.structs.replace(entry, parts=parts)
        return count

    def replace(self, changes: Sequence[Birth | Death]) -> None:
        before = dict(self.shelves)
        self.shelves.clear()
        try:
            self.check_births(changes)
        except InputError:
            self.shelves.update(before)
            raise
        self.reset()
        self.change(changes)

    def reset(self) -> None:
        self.shelves.clear()
        self.segments.clear()
        self.episodes.clear()
        self.checkpoint = None

    def _is_born(self, place: tuple[str, int, int]) -> bool:
        shelf, seq, n = place
        return shelf in self.shelves and (seq, n) in self.shelves[shelf].rows

    def _row(self, row: _Interval) -> ShelfRow:
        birth = row.birth
        return ShelfRow(
            shelf=birth.shelf,
            n=birth.n,
            born=birth.seq,
            died=row.died,
            entry=self.entries[birth.seq - 1],
        )
