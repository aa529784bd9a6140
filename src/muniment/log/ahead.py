"""Ahead: a stream as it will stand once what is being decided is appended.

Several commands may share one append. Each must be decided on what those before it did, as the
proof will decide it again; the store knows nothing of them yet.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

import msgspec

from muniment.log.entry import Entry
from muniment.log.store import Birth, Death, Find, Reader, Row

Place = tuple[int, int]  # where a row begins: seq and n


class Ahead:
    """The read half of a store, with entries and rows of one stream on top."""

    def __init__(self, store: Reader) -> None:
        self.entries: list[Entry] = []
        self.changes: list[Birth | Death] = []
        self._store = store

    def add(self, entry: Entry, changes: Sequence[Birth | Death]) -> None:
        self.entries.append(entry)
        self.changes += changes

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        told = self._store.read(stream, after=after, upto=upto, limit=limit)
        mine = (it for it in self.entries if it.seq > after and (upto is None or it.seq <= upto))
        return islice(chain(told, mine), limit)

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        mine = [entry for entry in self.entries if entry.seq in seqs]
        return [*self._store.pick(stream, seqs), *mine]

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        if not self.changes:
            return self._store.births(stream, finds)
        return [[row.born for row in self.rows(stream, find)] for find in finds]

    def rows(self, stream: str, find: Find) -> Iterator[Row]:
        if not self.changes:
            return self._store.rows(stream, find)
        found = [*self._new(find), *self._old(stream, find)]
        return iter(found[: find.limit] if find.limit >= 0 else found)

    def _new(self, find: Find) -> Iterator[Row]:
        """Rows that begin here, the newest first."""
        entries = {entry.seq: entry for entry in self.entries}
        for place in range(len(self.changes) - 1, -1, -1):
            birth = self.changes[place]
            if not isinstance(birth, Birth) or not _is_wanted(birth, find):
                continue
            died = next((it.seq for it in self.changes[place:] if _ends(it, birth, find)), None)
            if died is None or find.every:
                yield Row(
                    shelf=birth.shelf,
                    n=birth.n,
                    born=birth.seq,
                    died=died,
                    entry=entries[birth.seq],
                )

    def _old(self, stream: str, find: Find) -> Iterator[Row]:
        """Rows of before that have not ended here."""
        ended = self._ended(stream, find)
        more = find.limit + len(ended) if find.limit >= 0 else find.limit
        for row in self._store.rows(stream, msgspec.structs.replace(find, limit=more)):
            died = ended.get((row.born, row.n))
            if died is None:
                yield row
            elif find.every:
                yield msgspec.structs.replace(row, died=died)

    def _ended(self, stream: str, find: Find) -> dict[Place, int]:
        """Where the rows stand that end here, and when."""
        ended: dict[Place, int] = {}
        for death in self.changes:
            if isinstance(death, Death) and death.shelf == find.shelf and death.seq <= find.at:
                by = Find(
                    shelf=death.shelf,
                    at=self.entries[0].seq - 1,
                    id_token=death.id_token,
                    key_token=death.key_token,
                )
                for row in self._store.rows(stream, by):
                    ended.setdefault((row.born, row.n), death.seq)
        return ended


def _is_wanted(birth: Birth, find: Find) -> bool:
    return (
        birth.shelf == find.shelf
        and birth.seq <= find.at
        and (not find.id_token or birth.id_token == find.id_token)
        and (not find.key_token or birth.key_token == find.key_token)
    )


def _ends(change: Birth | Death, birth: Birth, find: Find) -> bool:
    return (
        isinstance(change, Death)
        and change.shelf == birth.shelf
        and change.seq <= find.at
        and (not change.id_token or change.id_token == birth.id_token)
        and (not change.key_token or change.key_token == birth.key_token)
    )
