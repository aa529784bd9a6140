"""Copy-on-write store: logs that continue from an entry of another store.

A stream of a branch is the parent's up to the branching point, and from there on a log of its own
whose first entry is linked to the parent's last: the chain itself says where it comes from. Both
have the numbers and the name of the stream, so whoever reads notices no seam. Only what is
written here is kept, in another store or under another reference of the same one: entries, rows
that begin, and for each row of the parent's that ends here a note where it stood.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, islice
from typing import Final, Protocol

import msgspec

from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.store import (
    Batch,
    Birth,
    Death,
    Derived,
    Find,
    Segment,
    ShelfRow,
    Store,
    StoredSegment,
)
from muniment.model.errors import HeadMovedError, KeyReusedError

ENDED: Final = "ended:"  # before a shelf's name: the rows of the parent's that end here
ROWS_MAX: Final = 1 << 20  # rows that one entry may bear

Place = tuple[int, int]  # (born, n): where a row stands in its shelf


class OwnLogs(Protocol):
    """Where what is written in a branch lies: for each of its streams a log of its own."""

    def find(self, stream: str) -> str | None: ...

    def make(self, stream: str) -> str: ...

    def known(self) -> list[str]:
        """The streams that have one."""


class BranchStore:
    """The `Store` port over a parent: reads go through, and nothing is written there."""

    def __init__(self, parent: Store, own: Store, forks: Mapping[str, int], logs: OwnLogs) -> None:
        self._parent, self._store = parent, own
        self._forks, self._logs = dict(forks), logs
        self._heads: dict[str, Head] = {}  # the parent's entries that are branched from
        self._ended: dict[str, _EndedRows] = {}

    def fork(self, stream: str) -> int:
        """The last entry of the parent's that is seen here; 0 where it had none."""
        store_checks.check_ref(stream)
        return self._forks.get(stream, 0)

    def written(self, stream: str) -> int:
        """How many entries a stream has of its own."""
        head = self._own_head(stream)
        return head.seq if head else 0

    # ── The log ─────────────────────────────────────────────────────────────────────────────────

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        fork, head = self.fork(stream), self._fork_head(stream)
        if head is not None and expect.seq == fork and expect != head:
            raise HeadMovedError("a branch begins at another entry")
        if any(it.operation and self._inherited(stream, it.operation) for it in batch.entries):
            raise KeyReusedError
        ended = self._known_ends(stream)
        new = self._own_changes(stream, batch.changes, ended)
        shifted = Batch(
            entries=tuple(_moved(entry, -fork) for entry in batch.entries),
            changes=tuple(new),
            checkpoint=batch.checkpoint,
        )
        own = self._logs.make(stream)
        self._store.append(own, shifted, expect=Head(seq=expect.seq - fork, hash=expect.hash))
        self._follow(stream, ended, shifted)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        fork = self.fork(stream)
        below = fork if upto is None else min(upto, fork)
        found = self._parent.read(stream, after=after, upto=below, limit=limit) if fork else ()
        own = self._logs.find(stream)
        if own is None or (upto is not None and upto <= fork):
            return iter(found)
        last = None if upto is None else upto - fork
        mine = self._store.read(own, after=max(after - fork, 0), upto=last, limit=limit)
        both = chain(found, (_moved(entry, fork) for entry in mine))
        return both if limit is None else islice(both, max(limit, 0))

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        fork, own = self.fork(stream), self._logs.find(stream)
        below = [seq for seq in seqs if seq <= fork]
        above = [seq - fork for seq in seqs if seq > fork]
        found = self._parent.pick(stream, below) if below else []
        mine = self._store.pick(own, above) if own and above else []
        return [*found, *(_moved(entry, fork) for entry in mine)]

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        fork, own = self.fork(stream), self._logs.find(stream)
        below = min(upto, fork)
        found = (
            self._parent.about(stream, subjects, after=after, upto=below) if after < below else []
        )
        if own is None or upto <= fork:
            return found
        mine = self._store.about(own, subjects, after=max(after - fork, 0), upto=upto - fork)
        return [*found, *(seq + fork for seq in mine)]

    def head(self, stream: str) -> Head | None:
        mine = self._own_head(stream)
        if mine is None:
            return self._fork_head(stream)
        return Head(seq=mine.seq + self.fork(stream), hash=mine.hash)

    def find(self, stream: str, operation: str) -> int | None:
        own = self._logs.find(stream)
        mine = self._store.find(own, operation) if own else None
        return self._inherited(stream, operation) if mine is None else mine + self.fork(stream)

    def streams(self) -> list[str]:
        found = set(self._parent.streams())
        new = {each for each in self._logs.known() if self._own_head(each)}
        return sorted({each for each in found if self.fork(each)} | new)

    def shred(self, stream: str, subject: str) -> int:
        """Of what was written here: the parent's is not this store's to take."""
        own = self._logs.find(stream)
        return self._store.shred(own, subject) if own else 0

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        """Of what was written here, as with `shred`."""
        own, fork = self._logs.find(stream), self.fork(stream)
        return self._store.empty(own, [seq - fork for seq in seqs if seq > fork]) if own else 0

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        """Of its own log; until there is one, of the parent's: whoever only looks makes none."""
        own = self._logs.find(stream)
        return self._store.write_lock(own) if own else self._parent.write_lock(stream)

    def close(self) -> None:
        """Nothing is held open here: the parent is closed by whoever opened it."""

    def _inherited(self, stream: str, operation: str) -> int | None:
        fork = self.fork(stream)
        seq = self._parent.find(stream, operation) if fork else None
        return seq if seq is not None and seq <= fork else None

    def _own_head(self, stream: str) -> Head | None:
        own = self._logs.find(stream)
        return self._store.head(own) if own else None

    def _fork_head(self, stream: str) -> Head | None:
        """Where the parent stood; it is never any other, so it is looked for once."""
        fork, known = self.fork(stream), self._heads.get(stream)
        if known is None and fork:
            for entry in self._parent.pick(stream, [fork]):
                known = self._heads[stream] = Head(seq=fork, hash=entry.hash)
        return known

    # ── Projections ─────────────────────────────────────────────────────────────────────────────

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        """Rows that begin here, then the parent's as this branch has left them, newest first."""
        found = chain(self._new(stream, find), self._old(stream, find))
        return islice(found, find.limit if find.limit >= 0 else None)

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        fork, own = self.fork(stream), self._logs.find(stream)
        old: list[list[int]] = [[] for _ in finds]
        if fork:
            old = self._parent.births(stream, [_until(find, fork) for find in finds])
        if own is None or all(find.at <= fork for find in finds):
            return old
        new = self._store.births(own, [_after(find, fork) for find in finds])
        return [
            self._born(stream, find, [seq + fork for seq in mine], before)
            for find, mine, before in zip(finds, new, old, strict=True)
        ]

    def _born(self, stream: str, find: Find, new: list[int], old: list[int]) -> list[int]:
        if old and find.at > self.fork(stream) and self._ends(stream, find.shelf):
            return [row.born for row in self.rows(stream, find)]
        both = new + old
        return both if find.limit < 0 else both[: find.limit]

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        fork, own = self.fork(stream), self._logs.find(stream)
        mine = self._store.checkpoint(own) if own else None
        if mine is not None:
            return mine[0] + fork, mine[1]
        known = self._parent.checkpoint(stream) if fork else None
        return known if known is not None and known[0] <= fork else None

    def reset(self, stream: str) -> None:
        self._ended.pop(stream, None)
        own = self._logs.find(stream)
        if own:
            self._store.reset(own)

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        """The rows of what was written here; those of before are the parent's to fold."""
        fork, own = self.fork(stream), self._logs.find(stream)
        self._ended.pop(stream, None)
        if own is None or upto <= fork:
            return
        mine = [each for each in derived.changes if each.seq > fork]
        new = self._own_changes(stream, mine, _EndedRows())
        kept = Derived(changes=tuple(new), checkpoint=derived.checkpoint)
        self._store.shelve(own, kept, upto=upto - fork)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        """None is kept: the parent's index is read through, and what is new is little."""

    def segments(self, stream: str, kind: str) -> AbstractContextManager[Sequence[StoredSegment]]:
        del stream, kind
        return nullcontext(())

    def _new(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        fork, own = self.fork(stream), self._logs.find(stream)
        if own is None or find.at <= fork:
            return
        for row in self._store.rows(own, _after(find, fork)):
            died = None if row.died is None else row.died + fork
            entry = _moved(row.entry, fork)
            yield ShelfRow(shelf=row.shelf, n=row.n, born=row.born + fork, died=died, entry=entry)

    def _old(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        """The parent's rows as they stood: what ended there since goes on here."""
        fork = self.fork(stream)
        if not fork:
            return
        ended = self._ends(stream, find.shelf)
        more = find.limit + len(ended) if find.limit >= 0 else find.limit
        then = msgspec.structs.replace(_until(find, fork), limit=more)
        for row in self._parent.rows(stream, then):
            died = ended.get((row.born, row.n), row.died)
            if died is not None and died > fork and (row.born, row.n) not in ended:
                died = None
            if find.every or died is None or died > find.at:
                yield row if died == row.died else msgspec.structs.replace(row, died=died)

    def _ends(self, stream: str, shelf: str) -> Mapping[Place, int]:
        """Which rows of the parent's have ended here, and at which entry."""
        known, own = self._known_ends(stream), self._logs.find(stream)
        if shelf not in known.shelves and own is not None:
            find = Find(shelf=f"{ENDED}{shelf}", at=known.upto, every=True)
            fork, ended = self.fork(stream), dict[Place, int]()
            for row in self._store.rows(own, find):
                ended[divmod(row.n, ROWS_MAX)] = row.born + fork
            known.shelves[shelf] = ended
        return known.shelves.get(shelf, {})

    def _follow(self, stream: str, known: "_EndedRows", batch: Batch) -> None:
        """What we have written ourselves need not be looked for."""
        known.upto += len(batch.entries)
        fork = self.fork(stream)
        for each in batch.changes:
            shelf = each.shelf.removeprefix(ENDED)
            if isinstance(each, Birth) and shelf != each.shelf and shelf in known.shelves:
                known.shelves[shelf][divmod(each.n, ROWS_MAX)] = each.seq + fork

    def _known_ends(self, stream: str) -> "_EndedRows":
        """What is held of them, unless others have written since."""
        known, written = self._ended.get(stream), self.written(stream)
        if known is None or known.upto != written:
            known = self._ended[stream] = _EndedRows(written)
        return known

    def _own_changes(
        self, stream: str, changes: Iterable[Birth | Death], known: "_EndedRows"
    ) -> list[Birth | Death]:
        """As its own log is told them: a row of the parent's that ends is noted by its place."""
        fork, new, now = self.fork(stream), list[Birth | Death](), set[tuple[str, Place]]()
        for change in changes:
            seq = change.seq - fork
            new.append(msgspec.structs.replace(change, seq=seq))
            for place in self._reached(stream, change) if isinstance(change, Death) else ():
                before = self._ends(stream, change.shelf) if known.upto else {}
                if place not in before and (change.shelf, place) not in now:
                    now.add((change.shelf, place))
                    new.append(_end(change.shelf, seq, place))
        return new

    def _reached(self, stream: str, death: Death) -> list[Place]:
        """The rows of the parent's that an end is about."""
        fork = self.fork(stream)
        if not fork:
            return []
        by = Find(shelf=death.shelf, at=fork, id_token=death.id_token, key_token=death.key_token)
        return [(row.born, row.n) for row in self._parent.rows(stream, by)]


class _EndedRows:
    """Rows of the parent's that have ended, by shelf, as far as an own entry."""

    def __init__(self, upto: int = 0) -> None:
        self.upto = upto
        self.shelves: dict[str, dict[Place, int]] = {}


def _end(shelf: str, seq: int, place: Place) -> Birth:
    """A note in an own log that a row of the parent's ends; its number says which."""
    born, n = place
    return Birth(
        shelf=f"{ENDED}{shelf}", n=born * ROWS_MAX + n, seq=seq, id_token=b"", key_token=b""
    )


def _moved(entry: Entry, by: int) -> Entry:
    """The same entry at another number of its store; its header says its own."""
    return msgspec.structs.replace(entry, seq=entry.seq + by) if by else entry


def _until(find: Find, fork: int) -> Find:
    return msgspec.structs.replace(find, at=min(find.at, fork))


def _after(find: Find, fork: int) -> Find:
    return msgspec.structs.replace(find, at=max(find.at - fork, 0))
