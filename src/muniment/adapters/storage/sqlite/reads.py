"""Reads of a stream file: entries in order, heads, keys, rows as they stood."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import groupby
from operator import itemgetter
from types import NoneType
from typing import Any, Final

import apsw

from muniment.adapters.storage.sqlite import errors, header_packing
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.adapters.storage.sqlite.schema import PARTS_MAX
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Find, ShelfRow
from muniment.model.lazy_pattern import lazy_pattern

CHUNK: Final = 256  # entries or rows fetched under one lock; between chunks others may go
PLACE_MAX: Final = 2**62
SEQ_MAX: Final = PLACE_MAX // PARTS_MAX
NAMED: Final = lazy_pattern(r":\w+")

Place = tuple[int, int]  # (born, n)
Kinds = type | tuple[type, ...]

# The plus signs before parameters are not for show: where a bare parameter meets ORDER BY or
# LIMIT, SQLite prepares the statement anew at every call, since its value could change the plan.
HEAD: Final = "SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1"
FIND: Final = "SELECT seq FROM entry WHERE operation = ?"
CHECKPOINT: Final = "SELECT seq, data FROM checkpoint"
SEGMENTS: Final = "SELECT number, upto, rowid FROM segment WHERE kind = +? ORDER BY number"
PARTS: Final = f"""LEFT JOIN fragment AS f
  ON f.place >= e.seq * {PARTS_MAX} AND f.place < (e.seq + 1) * {PARTS_MAX}
LEFT JOIN subject AS s ON s.number = f.subject"""
_ENTRY: Final = f"""
SELECT e.seq, e.hash, e.header, e.operation, f.place, s.ref, f.data
FROM entry AS e {PARTS}
"""  # noqa: S608  only constants of this package are put in
ENTRIES: Final = f"{_ENTRY} WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq"
ENTRY: Final = f"{_ENTRY} WHERE e.seq = +?"  # a range would also read what stands behind it
SOME: Final = 8  # entries that one statement asks for: as many as an answer has, mostly
ROWS: Final = """
SELECT born, n, died FROM row {which} AND shelf = +:shelf AND (born, n) < (:born, :n)
ORDER BY born DESC, n DESC LIMIT 0 + :limit
"""
# Which index answers is said, not guessed: without statistics SQLite would read the whole shelf.
BY: Final = {
    (True, True): "INDEXED BY row_id WHERE {living} AND id_token = +:id_token"
    " AND key_token = +:key_token",
    (True, False): "INDEXED BY row_id WHERE {living} AND id_token = +:id_token",
    (False, True): "INDEXED BY row_key WHERE {living} AND key_token = +:key_token",
}
NOW: Final = "died IS NULL"
THEN: Final = "(died IS NULL OR died > :at)"
EVER: Final = "TRUE"
BY_NOTHING: Final = {
    NOW: f"INDEXED BY row_alive WHERE {NOW}",
    THEN: f"NOT INDEXED WHERE {THEN}",
    EVER: f"NOT INDEXED WHERE {EVER}",
}
FORMS: Final = {
    living: {by: ROWS.format(which=form.format(living=living)) for by, form in BY.items()}
    | {(False, False): ROWS.format(which=whole)}
    for living, whole in BY_NOTHING.items()
}


# A flipped bit in the description of a value makes a number of a text, or nothing of a number.
ENTRY_TYPES: Final = (int, bytes, bytes, (str, NoneType), (int, NoneType))
PART_TYPES: Final = ((str, NoneType), (bytes, NoneType))


def head(file: StreamFile) -> Head | None:
    found = file.ask(HEAD)
    if not found:
        return None
    _expect(found[0], (int, bytes))
    return Head(seq=found[0][0], hash=found[0][1])


def _expect(values: Sequence[object], types: Sequence[Kinds]) -> None:
    """Check that columns have the types of the schema, which a damaged page may not keep."""
    if not all(map(isinstance, values, types)):
        raise errors.damaged("the file of a log", "a column holds a value of another type")


def find(file: StreamFile, operation: str) -> int | None:
    found = file.ask(FIND, (operation,))
    if not found:
        return None
    _expect(found[0], (int,))
    return int(found[0][0])


def checkpoint(file: StreamFile) -> tuple[int, bytes] | None:
    found = file.ask(CHECKPOINT)
    if not found:
        return None
    _expect(found[0], (int, bytes))
    return found[0][0], found[0][1]


class KeptSegment:
    """A segment in its file."""

    def __init__(self, number: int, upto: int, blob: apsw.Blob) -> None:
        self.number, self.upto, self.size, self._blob = number, upto, blob.length(), blob

    def read(self, start: int, room: memoryview) -> memoryview:
        self._blob.seek(start)
        self._blob.read_into(room)
        return room


@contextmanager
def segments(file: StreamFile | None, kind: str) -> Iterator[list[KeptSegment]]:
    """All of a kind as of one moment."""
    if file is None:
        yield []
        return
    file.run("BEGIN")
    with ExitStack() as opened:
        found = list[KeptSegment]()
        for number, upto, row in file.ask(SEGMENTS, (kind,)):
            _expect((number, upto), (int, int))
            blob = file.db.blob_open("main", "segment", "data", row, False)  # noqa: FBT003
            opened.callback(blob.close, True)  # noqa: FBT003
            found.append(KeptSegment(number, upto, blob))
        yield found
    file.run("COMMIT")


def entries(file: StreamFile, *, after: int, upto: int) -> list[Entry]:
    """The entries after one seq and up to another; a missing one is simply not there."""
    lines = file.ask(ENTRIES, (after, upto))
    return [_entry(list(group)) for _, group in groupby(lines, key=itemgetter(0))]


def picked(file: StreamFile, seqs: Sequence[int]) -> list[Entry]:
    """The entries at these places, a few at a time: a statement costs more than what it finds."""
    places = sorted(set(seqs))
    found = (places[start : start + SOME] for start in range(0, len(places), SOME))
    lines = (line for some in found for line in file.ask(_some(len(some)), tuple(some)))
    return [_entry(list(group)) for _, group in groupby(lines, key=itemgetter(0))]


def about(file: StreamFile, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
    """Where the entries are that hold no part of anybody else; what is others' is not looked at."""
    refs, first, last = sorted(subjects), max(after, 0) + 1, min(upto, SEQ_MAX)
    places = first * PARTS_MAX, (last + 1) * PARTS_MAX
    found = file.ask(_about(len(refs)), (*refs, *places, *places, first, last, *refs))
    for row in found:
        _expect(row, (int,))
    return [seq for (seq,) in found]


@cache
def _about(count: int) -> str:
    mine = f"(SELECT number FROM subject WHERE ref IN ({', '.join('?' * count)}))"  # noqa: S608
    return f"""SELECT seq FROM (
      SELECT place / {PARTS_MAX} AS seq FROM fragment INDEXED BY fragment_subject
      WHERE subject IN {mine} AND place >= ? AND place < ?
      UNION SELECT place / {PARTS_MAX} FROM fragment INDEXED BY fragment_emptied
      WHERE data IS NULL AND place >= ? AND place < ?
      UNION SELECT seq FROM partless WHERE seq >= ? AND seq <= ?
    ) AS its WHERE NOT EXISTS (
      SELECT 1 FROM fragment AS f
      WHERE f.place >= its.seq * {PARTS_MAX} AND f.place < (its.seq + 1) * {PARTS_MAX}
      AND f.data IS NOT NULL AND f.subject NOT IN {mine})
    ORDER BY seq"""  # noqa: S608  only signs for values are put in


@cache
def _some(count: int) -> str:
    return f"{_ENTRY} WHERE e.seq IN ({', '.join('?' * count)}) ORDER BY e.seq"


def rows(file: StreamFile, find: Find, *, before: Place, limit: int) -> list[ShelfRow]:
    """The newest rows that stand before a place, as they stood at `find.at`."""
    found = _places(file, find, before, limit)
    for row in found:
        _expect(row, (int, int, (int, NoneType)))
    # Rows born together share an entry: it is fetched once, however large it is.
    born = {place: _born(file, place) for place in dict.fromkeys(row[0] for row in found)}
    return [
        ShelfRow(shelf=find.shelf, n=n, born=place, died=died, entry=entry)
        for place, n, died in found
        if (entry := born[place]) is not None
    ]


def births(file: StreamFile, finds: Sequence[Find]) -> list[list[int]]:
    """Where the rows of each search begin: one statement for all of them and for the head."""
    *found, (top,) = _together(file, finds, NOW)
    # What is looked for whether it lives or not is the same then and now.
    if top and min([find.at for find in finds if not find.every], default=top) < top:
        *found, _ = _together(file, finds, THEN)
    for each in found:
        each.sort(reverse=True)
    return found


def _together(file: StreamFile, finds: Sequence[Find], living: str) -> list[list[int]]:
    values: list[int | str | bytes] = []
    for find in finds:  # as the forms have them: then, tokens, shelf, place, limit
        values += [find.at] if living is THEN and not find.every else []
        values += [token for token in (find.id_token, find.key_token) if token]
        limit = find.limit if 0 <= find.limit < CHUNK else CHUNK
        values += (find.shelf, *start(find), limit)
    found: list[list[int]] = [[] for _ in range(len(finds) + 1)]
    sql = _joined(tuple([_form(find, living) for find in finds]))
    for n, born in file.ask(sql, tuple(values)):
        if type(born) is not int:  # nearly never: of each row to ask in general would take longer
            _expect((born,), ((int, NoneType),))
        found[n].append(born)
    return found


@cache
def _joined(forms: tuple[str, ...]) -> str:
    asked = [
        f"SELECT {n}, born FROM ({NAMED.sub('?', form)})"  # noqa: S608  our own forms
        for n, form in enumerate(forms)
    ]
    return " UNION ALL ".join([*asked, f"SELECT {len(forms)}, max(seq) FROM entry"])  # noqa: S608


def _places(file: StreamFile, find: Find, before: Place, limit: int) -> list[tuple[Any, ...]]:
    """Where the rows stand and when they ended.

    What lives now lived then where the log has not moved on, and a smaller index knows it. The
    head is looked at after the rows: as long as it is not past `at`, nobody had died in between.
    An entry never changes, so what the rows point to needs no common transaction.
    """
    bound = _bound(find, before, limit)
    found = file.ask(_form(find, NOW), bound)
    top = head(file)
    if find.every or top is None or find.at >= top.seq:
        return found
    return file.ask(_form(find, THEN), bound)


def _form(find: Find, living: str) -> str:
    return FORMS[EVER if find.every else living][bool(find.id_token), bool(find.key_token)]


def _born(file: StreamFile, seq: int) -> Entry | None:
    lines = file.ask(ENTRY, (seq,))
    return _entry(lines) if lines else None


def start(find: Find) -> Place:
    """The place before which the rows of this search begin."""
    return min(find.at + 1, PLACE_MAX), -PLACE_MAX


def _bound(find: Find, before: Place, limit: int) -> dict[str, int | str | bytes]:
    born, n = before
    return {
        "shelf": find.shelf,
        "at": find.at,
        "born": born,
        "n": n,
        "limit": limit,
        "id_token": find.id_token,
        "key_token": find.key_token,
    }


def _entry(lines: list[tuple[Any, ...]]) -> Entry:
    seq, digest, header, operation, place, _, _ = lines[0]
    _expect(lines[0], ENTRY_TYPES)
    return Entry(
        seq=seq,
        hash=digest,
        header=header_packing.unpack(header),
        parts=() if place is None else _parts(lines),
        operation=operation or "",
    )


def _parts(lines: list[tuple[Any, ...]]) -> tuple[SealedPart | None, ...]:
    for line in lines:
        _expect(line[5:], PART_TYPES)
    if len(lines) > 1:
        lines.sort(key=itemgetter(4))
    return tuple(
        None if data is None else SealedPart(subject=subject, data=data)
        for *_, subject, data in lines
    )
