"""Shelf rows: the keyed tokens under which they begin and end, and rows that live again.

A row that lives again is read where its content stands, as if it had never ended. The row itself
begins with the entry that revived it, so that a read of the past is still a predicate; what it
points to, and its place among others, are those of the row that had ended.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

import msgspec

from muniment.log import sealing
from muniment.log.entry import Entry, Line
from muniment.log.store import Birth, Death, Find, RowReader, ShelfRow
from muniment.model.events.rollback import RecordsRevived

MARK: Final = b'"records_revived"'  # in the header of the entry that a revived row begins with


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a shelf begins, by name."""

    shelf: str
    id: str
    key: str = ""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    shelf: str
    id: str


def change(key: bytes, seq: int, n: int, named: Opening | Ending) -> Birth | Death:
    if isinstance(named, Ending):
        return death(key, seq, named.shelf, named.id)
    return birth(key, seq, n, named.shelf, named.id, named.key)


def id_token(key: bytes, shelf: str, item_id: str) -> bytes:
    return sealing.token(key, f"{shelf}\x00{item_id}") if item_id else b""


def key_token(key: bytes, shelf: str, name: str) -> bytes:
    return sealing.token(key, f"{shelf}\x01{name}") if name else b""


def birth(key: bytes, seq: int, n: int, *named: str) -> Birth:
    shelf, item_id, name = named
    return Birth(
        shelf=shelf,
        n=n,
        seq=seq,
        id_token=id_token(key, shelf, item_id),
        key_token=key_token(key, shelf, name),
    )


def death(key: bytes, seq: int, shelf: str, item_id: str) -> Death:
    return Death(shelf=shelf, seq=seq, id_token=id_token(key, shelf, item_id))


# ── Rows that live again ────────────────────────────────────────────────────────────────────────


class RevivedRows:
    """The rows of one stream for one reader, those that were revived among them."""

    def __init__(
        self,
        store: RowReader,
        stream: str,
        opened: Callable[[Entry], Line],
        may_see: Callable[[str, Entry], bool],
    ) -> None:
        self._store, self._stream = store, stream
        self._opened, self._may_see = opened, may_see

    def rows(self, find: Find) -> Iterator[ShelfRow]:
        """Rows newest first; among those that were revived, a limit must not cut off others."""
        rows: Iterable[ShelfRow] = self._store.rows(self._stream, find)
        if find.limit >= 0:
            rows = list(rows)
            if any(is_revived(row.entry) for row in rows):
                return islice(self.rows(msgspec.structs.replace(find, limit=-1)), find.limit)
        return _in_order(rows, lambda row: self._resolved(row, find.at))

    def lives(self, find: Find) -> Iterator[tuple[int, ShelfRow]]:
        """Every life that a row has had, newest first: where it began, and the row it takes up."""
        for row in self._store.rows(self._stream, find):
            found = self._taken_up(row) if is_revived(row.entry) else row
            if found and self._may_see(row.shelf, found.entry):
                yield row.born, found

    def _resolved(self, row: ShelfRow, at: int) -> ShelfRow | None:
        """Where a revival was undone, the row that had ended before tells of its end."""
        ended = row.died if row.died is not None and row.died <= at else None
        if ended is not None and any(map(is_revived, self._store.pick(self._stream, [ended]))):
            return None
        return self._taken_up(row)

    def _taken_up(self, row: ShelfRow) -> ShelfRow | None:
        """The row that a revived one takes up again; none, once what revived it is erased."""
        if not self._may_see(row.shelf, row.entry):
            return None
        told = self._opened(row.entry).event
        if not isinstance(told, RecordsRevived):
            return None
        content = told.rows[row.n - 1 - len(told.ended)]  # ends are counted before what begins
        entry = self._store.pick(self._stream, [content.seq])[0]
        return msgspec.structs.replace(row, born=content.seq, n=content.n, entry=entry)


def is_revived(entry: Entry) -> bool:
    return MARK in entry.header


def _in_order(
    rows: Iterable[ShelfRow], resolve: Callable[[ShelfRow], ShelfRow | None]
) -> Iterator[ShelfRow]:
    """Rows newest first by where their content stands, each of them once.

    A row is revived behind its content, so whoever stands between has been met before it.
    """
    waiting: list[ShelfRow] = []
    known: set[tuple[int, int]] = set()
    for row in rows:
        if is_revived(row.entry):
            found = resolve(row)
            if found and _place(found) not in known:
                known.add(_place(found))
                waiting.append(found)
                waiting.sort(key=_place)
            continue
        while waiting and _place(waiting[-1]) > _place(row):
            yield waiting.pop()
        if _place(row) not in known:
            yield row
    yield from reversed(waiting)


def _place(row: ShelfRow) -> tuple[int, int]:
    return row.born, row.n
