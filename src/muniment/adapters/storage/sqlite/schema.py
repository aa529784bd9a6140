"""SQLite schema of a stream file: its tables, the triggers that guard them, its migrations.

A part is emptied, never deleted: SQLite balances its tree when it deletes, which leaves copies of
the neighbours behind in pages that a later deletion no longer finds. Emptying moves nothing.
For the same reason a part's key is one number (`place`) in the order of writing.
Whose part it is stands there as a number: a reference is long, and few people are in a log.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import apsw

from muniment.log import store_checks
from muniment.model.errors import NewerError, StoreError

PARTS_BITS: Final = 10  # of a place: the number of a part within its entry
PARTS_MAX: Final = 1 << PARTS_BITS
assert PARTS_MAX == store_checks.PARTS_MAX, "every store takes as many; a file has room for these"
TABLES: Final = frozenset(
    {"entry", "subject", "fragment", "partless", "row", "checkpoint", "segment"}
    | {"episode", "episode_token"}
)

Step = Callable[[apsw.Connection], None]
_steps: list[Step] = []


def migration(step: Step) -> Step:
    """A named step forward; there is none back."""
    _steps.append(step)
    return step


def migrate(connection: apsw.Connection) -> None:
    """Take the steps that this file has not taken yet, each in its own transaction."""
    known, wanted = _versions(connection)
    for number in range(known + 1, wanted + 1):
        with _Immediate(connection):
            # Another process may have taken this step while we waited for the lock.
            if _version(connection) < number:
                _take(connection, number)


def check(connection: apsw.Connection) -> None:
    """Of a file that cannot be written: whether it has taken every step."""
    known, wanted = _versions(connection)
    if known < wanted:
        raise StoreError(f"the file has schema {known}; open it once where it can be written")


def _versions(connection: apsw.Connection) -> tuple[int, int]:
    """The one of the file, and ours; a newer one is nothing for us."""
    known, wanted = _version(connection), len(_steps)
    if known > wanted:
        raise NewerError(f"the file has schema {known} and this program knows only {wanted}")
    return known, wanted


@migration
def log_shelves_and_segments(connection: apsw.Connection) -> None:
    _run(connection, LOG + SHELVES + DERIVED + OPEN)


LOG: Final = """
CREATE TABLE entry (
  seq INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  header BLOB NOT NULL,
  operation TEXT
) STRICT;
CREATE UNIQUE INDEX entry_operation ON entry (operation) WHERE operation IS NOT NULL;
CREATE TRIGGER entry_follows BEFORE INSERT ON entry
  WHEN NEW.seq IS NOT coalesce((SELECT max(seq) FROM entry), 0) + 1
  BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END;
CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;

CREATE TABLE subject (
  number INTEGER PRIMARY KEY,
  ref TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER subject_stays BEFORE UPDATE ON subject
  BEGIN SELECT RAISE(ABORT, 'a subject keeps its number'); END;
CREATE TRIGGER subject_is_kept BEFORE DELETE ON subject
  BEGIN SELECT RAISE(ABORT, 'a subject keeps its number'); END;

CREATE TABLE fragment (
  place INTEGER PRIMARY KEY,
  subject INTEGER,
  data BLOB
) STRICT;
CREATE INDEX fragment_subject ON fragment (subject);
CREATE INDEX fragment_emptied ON fragment (place) WHERE data IS NULL;
CREATE TRIGGER fragment_is_only_emptied BEFORE UPDATE ON fragment
  WHEN NOT shredding() OR NEW.data IS NOT NULL
    OR NEW.place IS NOT OLD.place OR NEW.subject IS NOT OLD.subject
  BEGIN SELECT RAISE(ABORT, 'a sealed part is only emptied, and only by shredding'); END;
CREATE TRIGGER fragment_is_kept BEFORE DELETE ON fragment
  BEGIN SELECT RAISE(ABORT, 'a sealed part is emptied, never deleted'); END;

-- Whose parts an entry holds is an index. With this table and the index of emptied parts, what is
-- about nobody is found without a search through what is about everybody else.
CREATE TABLE partless (seq INTEGER PRIMARY KEY) STRICT;
"""

PARTLESS: Final = f"""
SELECT seq FROM entry NOT INDEXED WHERE NOT EXISTS (
  SELECT 1 FROM fragment WHERE place >= seq * {PARTS_MAX} AND place < (seq + 1) * {PARTS_MAX})
ORDER BY seq
"""  # noqa: S608  only a constant of this package is put in
# Many rows have an id or a key and not the other: an index that leaves them out is a page less to
# write for each of them. Whoever searches by a token asks for one that is there.
SHELVES: Final = """
CREATE TABLE row (
  shelf TEXT NOT NULL,
  born INTEGER NOT NULL,
  n INTEGER NOT NULL,
  died INTEGER,
  id_token BLOB,
  key_token BLOB,
  PRIMARY KEY (shelf, born, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_alive ON row (shelf) WHERE died IS NULL;
CREATE INDEX row_id ON row (shelf, id_token, died) WHERE id_token IS NOT NULL;
CREATE INDEX row_key ON row (shelf, key_token, died) WHERE key_token IS NOT NULL;
CREATE TRIGGER row_stays BEFORE UPDATE OF shelf, born, n, id_token, key_token ON row
  BEGIN SELECT RAISE(ABORT, 'of a row only its death is still to be written'); END;
CREATE TRIGGER row_dies_once BEFORE UPDATE OF died ON row
  WHEN OLD.died IS NOT NULL OR NEW.died IS NULL
  BEGIN SELECT RAISE(ABORT, 'a row dies once'); END;
"""

DERIVED: Final = """
CREATE TABLE checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE segment (
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (kind, number)
) STRICT;
"""

# Plain text for people who ask in SQL: see the decision on open tables. The view has the columns
# that were asked for and no other; what is forgotten or shredded is not in it.
OPEN: Final = """
CREATE TABLE episode (
  seq INTEGER NOT NULL,
  n INTEGER NOT NULL,
  died INTEGER,
  subject TEXT NOT NULL,
  episodic_id TEXT NOT NULL PRIMARY KEY,
  job_seed TEXT NOT NULL,
  created_seeded_ts TEXT NOT NULL,
  summary TEXT NOT NULL,
  payload TEXT NOT NULL,
  evidence TEXT NOT NULL,
  provenance TEXT NOT NULL,
  tokens TEXT NOT NULL,
  UNIQUE (seq, n)
) STRICT;
CREATE INDEX episode_subject ON episode (subject);
CREATE INDEX episode_created ON episode (created_seeded_ts) WHERE died IS NULL;
CREATE TABLE episode_token (
  token TEXT NOT NULL,
  seq INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (token, seq, n)
) STRICT, WITHOUT ROWID;
CREATE VIEW episodic_stage1 AS
  SELECT episodic_id, job_seed, created_seeded_ts, summary, payload, evidence, provenance
  FROM episode WHERE died IS NULL;
"""


def differences(connection: apsw.Connection) -> list[str]:
    """What a file of our schema has besides it, lacks of it, or has otherwise."""
    if _version(connection) != len(_steps):
        return []
    here, ours = _objects(connection), _expected()
    told = [f"{name} was added to its schema" for name in sorted(here.keys() - ours.keys())]
    told += [f"{name} is missing in its schema" for name in sorted(ours.keys() - here.keys())]
    both = sorted(here.keys() & ours.keys())
    return told + [f"{name} was changed in its schema" for name in both if here[name] != ours[name]]


@cache
def _expected() -> dict[str, str]:
    fresh = apsw.Connection(":memory:")
    try:
        migrate(fresh)
        return _objects(fresh)
    finally:
        fresh.close()


def _objects(connection: apsw.Connection) -> dict[str, str]:
    found = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {f"{kind} {name}": str(sql) for kind, name, sql in found}


class _Immediate:
    """One write transaction of the set-up."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        _run(self._connection, "BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *told: object) -> None:
        if kind is None:
            _run(self._connection, "COMMIT")
        elif self._connection.in_transaction:
            _run(self._connection, "ROLLBACK")


def _take(connection: apsw.Connection, number: int) -> None:
    step = _steps[number - 1]
    _run(connection, "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT)")
    step(connection)
    _run(connection, "INSERT INTO migration VALUES (?, ?)", (number, step.__name__))
    _run(connection, f"PRAGMA user_version = {number:d}")


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _run(connection: apsw.Connection, sql: str, values: tuple[int | str, ...] = ()) -> None:
    connection.execute(sql, values).fetchall()
