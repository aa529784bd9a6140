"""Pending view: a stream as it will be once the current decision is appended.

Several commands may share one append. Each must be decided on what those before it did, as the
proof will decide it again; the store knows nothing of them yet. However many they are, the next
one finds its rows by their tokens, and asks the store for no more than it would ask alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import msgspec

from muniment.log.entry import Entry
from muniment.log.store import Birth, Death, Find, RowReader, ShelfRow

Place = tuple[int, int]  # where a row begins: seq and n


class Ahead:
    """The read half of a store, with entries and rows of one stream on top."""

    def __init__(self, store: RowReader) -> None:
        self.entries: list[Entry] = []
        self.changes: list[Birth | Death] = []
        self._store = store
        self._shelves: dict[str, _PendingShelf] = defaultdict(_PendingShelf)
        self._shelved = 0  # of the changes: most appends are one command, which asks for none

    def add(self, entry: Entry, changes: Sequence[Birth | Death]) -> None:
        self.entries.append(entry)
        self.changes += changes

    def _entry(self, seq: int) -> Entry:
        """They follow each other without a gap."""
        return self.entries[seq - self.entries[0].seq]

    def _shelf(self, name: str) -> "_PendingShelf | None":
        for change in self.changes[self._shelved :]:
            self._shelves[change.shelf].add(change)
        self._shelved = len(self.changes)
        return self._shelves.get(name)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        told = self._store.read(stream, after=after, upto=upto, limit=limit)
        mine = (it for it in self.entries if it.seq > after and (upto is None or it.seq <= upto))
        return islice(chain(told, mine), limit)

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        wanted = set(seqs)
        mine = [entry for entry in self.entries if entry.seq in wanted]
        return [*self._store.pick(stream, seqs), *mine]

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        # A receipt that goes first changes a shelf of its own: then nothing need be fetched here.
        if not self.changes or all(self._shelf(find.shelf) is None for find in finds):
            return self._store.births(stream, finds)
        return [[row.born for row in self.rows(stream, find)] for find in finds]

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        """Rows that begin here, then those of before, the newest first; none is sought unasked."""
        shelf = self._shelf(find.shelf)
        if shelf is None:
            return self._store.rows(stream, find)
        found = chain(self._new(shelf, find), self._old(shelf, stream, find))
        return islice(found, find.limit if find.limit >= 0 else None)

    def _new(self, shelf: "_PendingShelf", find: Find) -> Iterator[ShelfRow]:
        for begun in shelf.begun(find):
            died = begun.died if begun.died is not None and begun.died <= find.at else None
            if died is None or find.every:
                its = begun.birth
                entry = self._entry(its.seq)
                yield ShelfRow(shelf=its.shelf, n=its.n, born=its.seq, died=died, entry=entry)

    def _old(self, shelf: "_PendingShelf", stream: str, find: Find) -> Iterator[ShelfRow]:
        """Rows of before that have not ended here."""
        ended = self._ended(shelf, stream, find)
        more = find.limit + len(ended) if find.limit >= 0 else find.limit
        for row in self._store.rows(stream, msgspec.structs.replace(find, limit=more)):
            died = ended.get((row.born, row.n))
            if died is None or died > find.at:
                yield row
            elif find.every:
                yield msgspec.structs.replace(row, died=died)

    def _ended(self, shelf: "_PendingShelf", stream: str, find: Find) -> dict[Place, int]:
        """Where the rows stand that end here, and when; of this name alone, if one is sought."""
        ended: dict[Place, int] = {}
        for death in shelf.deaths(find):
            if death.places is None:
                by = Find(
                    shelf=find.shelf,
                    at=self.entries[0].seq - 1,
                    id_token=death.death.id_token,
                    key_token=death.death.key_token,
                )
                death.places = [(row.born, row.n) for row in self._store.rows(stream, by)]
            for place in death.places:
                ended.setdefault(place, death.death.seq)
        return ended


class _Begun:
    """A row that begins here, and where it ends if it does."""

    def __init__(self, birth: Birth) -> None:
        self.birth = birth
        self.died: int | None = None


class _Ending:
    """An end, and which rows of before it reaches: asked once, when somebody must know."""

    def __init__(self, death: Death) -> None:
        self.death = death
        self.places: list[Place] | None = None


class _PendingShelf:
    """What begins and what ends on one shelf, in its order, found by tokens."""

    def __init__(self) -> None:
        self._begun: list[_Begun] = []
        self._by_id: dict[bytes, list[_Begun]] = defaultdict(list)
        self._by_key: dict[bytes, list[_Begun]] = defaultdict(list)
        self._deaths: list[_Ending] = []
        self._deaths_of: dict[bytes, list[_Ending]] = defaultdict(list)  # by name; b"": of a key

    def add(self, change: Birth | Death) -> None:
        if isinstance(change, Death):
            self._end(change)
            return
        begun = _Begun(change)
        self._begun.append(begun)
        self._by_id[change.id_token].append(begun)
        self._by_key[change.key_token].append(begun)

    def begun(self, find: Find) -> Iterator[_Begun]:
        """The rows that a search is for, ended or not, the newest first."""
        for begun in reversed(self._among(find.id_token, find.key_token)):
            if begun.birth.seq <= find.at and _is_of(begun.birth, find.id_token, find.key_token):
                yield begun

    def deaths(self, find: Find) -> Iterable[_Ending]:
        """The ends that may reach what a search is for, in their order."""
        if not find.id_token:
            return self._deaths
        of_name, of_keys = self._deaths_of[find.id_token], self._deaths_of[b""]
        return sorted([*of_name, *of_keys], key=lambda each: each.death.seq)

    def _end(self, death: Death) -> None:
        for begun in self._among(death.id_token, death.key_token):
            if begun.died is None and _is_of(begun.birth, death.id_token, death.key_token):
                begun.died = death.seq
        ending = _Ending(death)
        self._deaths.append(ending)
        self._deaths_of[death.id_token].append(ending)

    def _among(self, id_token: bytes, key_token: bytes) -> list[_Begun]:
        if id_token:
            return self._by_id.get(id_token, [])
        return self._by_key.get(key_token, []) if key_token else self._begun


def _is_of(birth: Birth, id_token: bytes, key_token: bytes) -> bool:
    return id_token in (b"", birth.id_token) and key_token in (b"", birth.key_token)
