"""Writes to a stream file: every function here is one transaction, or nothing."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import apsw

from muniment.adapters.storage.sqlite import errors, header_packing, plain_tables, reads
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.adapters.storage.sqlite.schema import PARTLESS, PARTS_BITS
from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.store import EPISODES, Batch, Birth, Death, Derived, Segment
from muniment.model.errors import InputError, KeyReusedError

ADD_ENTRY: Final = "INSERT INTO entry (seq, hash, header, operation) VALUES (?, ?, ?, ?)"
ADD_SUBJECT: Final = "INSERT OR IGNORE INTO subject (ref) VALUES (?)"
ADD_PART: Final = """
INSERT INTO fragment (place, subject, data)
VALUES (?, (SELECT number FROM subject WHERE ref = ?), ?)
"""
ADD_PARTLESS: Final = "INSERT INTO partless (seq) VALUES (?)"
FIND_PARTLESS: Final = f"INSERT OR IGNORE INTO partless (seq) {PARTLESS}"
ADD_ROW: Final = """
INSERT INTO row (shelf, born, n, id_token, key_token) VALUES (?, ?, ?, ?, ?)
"""
END_BY_ID: Final = """
UPDATE row INDEXED BY row_id SET died = ? WHERE died IS NULL AND shelf = ? AND id_token = ?
"""
END_BY_KEY: Final = """
UPDATE row INDEXED BY row_key SET died = ? WHERE died IS NULL AND shelf = ? AND key_token = ?
"""
END_BY_BOTH: Final = END_BY_ID + " AND key_token = ?"
PLACES: Final = " RETURNING born, n"
PUT_CHECKPOINT: Final = """
INSERT INTO checkpoint (one, seq, data) VALUES (1, ?, ?)
ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, data = excluded.data
"""
PUT_SEGMENT: Final = """
INSERT INTO segment (kind, number, upto, data) VALUES (?, ?, ?, ?)
ON CONFLICT (kind, number) DO UPDATE SET upto = excluded.upto, data = excluded.data
"""
DROP_SEGMENT: Final = "DELETE FROM segment WHERE kind = ? AND number = ?"
RESET: Final = ("DELETE FROM row", "DELETE FROM checkpoint", "DELETE FROM segment")
SHRED: Final = """
UPDATE fragment SET data = NULL
WHERE subject = (SELECT number FROM subject WHERE ref = ?) AND data IS NOT NULL
"""
EMPTY: Final = """
UPDATE fragment SET data = NULL WHERE place >= ? AND place < ? AND data IS NOT NULL
"""


def append(file: StreamFile, batch: Batch, *, expect: Head) -> None:
    file.run("BEGIN IMMEDIATE")
    store_checks.check_batch(batch, head=reads.head(file), expect=expect)
    _add(file, batch.entries)
    _change(file, batch.changes)
    plain_tables.add(file, batch.episodes)
    if batch.checkpoint:
        file.run(PUT_CHECKPOINT, (batch.entries[-1].seq, batch.checkpoint))
    file.commit()


def shelve(file: StreamFile, derived: Derived, *, upto: int) -> None:
    """Put what was derived anew in the place of what was derived before."""
    file.run("BEGIN IMMEDIATE")
    store_checks.check_upto(upto, head=reads.head(file))
    store_checks.check_derived(derived, first=1, last=upto)
    _clear(file)
    file.run(FIND_PARTLESS)
    _change(file, derived.changes)
    plain_tables.add(file, derived.episodes)
    if derived.checkpoint:
        file.run(PUT_CHECKPOINT, (upto, derived.checkpoint))
    file.commit()
    file.checkpoint()


def reset(file: StreamFile) -> None:
    file.run("BEGIN IMMEDIATE")
    _clear(file)
    file.commit()
    file.checkpoint()


def _clear(file: StreamFile) -> None:
    for statement in RESET:
        file.run(statement)
    plain_tables.clear(file)


def put_segment(file: StreamFile, segment: Segment, replaces: Sequence[int]) -> None:
    file.run("BEGIN IMMEDIATE")
    store_checks.check_upto(segment.upto, head=reads.head(file))
    for number in replaces:
        file.run(DROP_SEGMENT, (segment.kind, number))
    file.run(PUT_SEGMENT, (segment.kind, segment.number, segment.upto, segment.data))
    file.commit()


def shred(file: StreamFile, subject: str) -> int:
    with _shredding(file):
        count = _counted(file, lambda: file.run(SHRED, (subject,)))
        shown = plain_tables.remove(file, subject)
        file.commit()
    if shown:
        file.rewrite()
    file.checkpoint()
    return count


def empty(file: StreamFile, seqs: Sequence[int]) -> int:
    places = [(seq << PARTS_BITS, (seq + 1) << PARTS_BITS) for seq in seqs]
    with _shredding(file):
        count = _counted(file, lambda: file.run_many(EMPTY, places))
        file.commit()
    file.rewrite()  # the file shrinks, and no page keeps what stood in the plain tables
    file.checkpoint()
    return count


@contextmanager
def _shredding(file: StreamFile) -> Iterator[None]:
    file.shredding = True
    try:
        file.run("BEGIN IMMEDIATE")
        yield
    finally:
        file.shredding = False


def _counted(file: StreamFile, work: Callable[[], object]) -> int:
    before = file.db.total_changes()
    work()
    return file.db.total_changes() - before


def _add(file: StreamFile, entries: Sequence[Entry]) -> None:
    try:
        file.run_many(
            ADD_ENTRY,
            [
                (its.seq, its.hash, header_packing.pack(its.header), its.operation or None)
                for its in entries
            ],
        )
    except apsw.ConstraintError as error:
        if errors.extended(error) == apsw.SQLITE_CONSTRAINT_UNIQUE:
            raise KeyReusedError("an operation key of this batch is already in the log") from error
        raise
    parts = [part for entry in entries for part in _parts(entry)]
    if parts:
        subjects = dict.fromkeys(subject for _, subject, _ in parts if subject)
        file.run_many(ADD_SUBJECT, [(each,) for each in subjects])
        file.run_many(ADD_PART, parts)
    if partless := [(its.seq,) for its in entries if not its.parts]:
        file.run_many(ADD_PARTLESS, partless)


def _parts(entry: Entry) -> list[tuple[int, str | None, bytes | None]]:
    return [
        (place, part.subject, part.data) if part else (place, None, None)
        for place, part in enumerate(entry.parts, start=entry.seq << PARTS_BITS)
    ]


def _change(file: StreamFile, changes: Sequence[Birth | Death]) -> None:
    births: list[Birth] = []
    for change in changes:
        if isinstance(change, Birth):
            births.append(change)
            continue
        _bear(file, births)
        births = []
        places = _end(file, change)
        if change.shelf == EPISODES:
            plain_tables.end(file, change.seq, places)
    _bear(file, births)


def _end(file: StreamFile, death: Death) -> list[tuple[int, int]]:
    """End the living rows with these tokens; where they stand in their shelf."""
    if not death.key_token:
        return file.ask(END_BY_ID + PLACES, (death.seq, death.shelf, death.id_token))
    if not death.id_token:
        return file.ask(END_BY_KEY + PLACES, (death.seq, death.shelf, death.key_token))
    tokens = (death.id_token, death.key_token)
    return file.ask(END_BY_BOTH + PLACES, (death.seq, death.shelf, *tokens))


def _bear(file: StreamFile, births: Sequence[Birth]) -> None:
    if not births:
        return
    rows = [
        (its.shelf, its.seq, its.n, its.id_token or None, its.key_token or None) for its in births
    ]
    try:
        file.run_many(ADD_ROW, rows)
    except apsw.ConstraintError as error:
        raise InputError("two rows of a shelf cannot begin at the same position") from error
