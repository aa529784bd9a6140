"""Key table: a SQLite file of wrapped keys; rows are added, emptied in place, and never moved.

Rows are emptied, not deleted: a deletion makes SQLite rebalance its tree, which leaves copies of
other keys in pages that a later deletion does not overwrite. There is no write-ahead log, because
it would keep destroyed keys.
"""

import contextlib
import ctypes
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import RLock
from typing import Any, Final

import apsw

from muniment.adapters.storage.sqlite import connection, errors, page_checksums
from muniment.adapters.system import durable_files
from muniment.model.errors import (
    IntegrityError,
    KeystoreError,
    MunimentError,
    ReadOnlyError,
    StorageFullError,
)

SCHEMA: Final = 1
# EXTRA makes the end of the journal durable too: a journal that came back would bring back a key.
SETTINGS: Final = """
PRAGMA journal_mode = DELETE;
PRAGMA synchronous = EXTRA;
PRAGMA fullfsync = ON;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
"""
GUARDS: Final = """
CREATE TRIGGER key_stays BEFORE DELETE ON key
  BEGIN SELECT RAISE(ABORT, 'a key is emptied, never deleted'); END;
CREATE TRIGGER key_is_only_emptied BEFORE UPDATE ON key
  WHEN NEW.ref IS NOT OLD.ref OR NEW.number IS NOT OLD.number
    OR coalesce(NEW.token, NEW.kind, NEW.name, NEW.wrapped) IS NOT NULL
  BEGIN SELECT RAISE(ABORT, 'a key is only emptied'); END;
"""
TABLES: Final = f"""
CREATE TABLE master (one INTEGER PRIMARY KEY CHECK (one = 1), token BLOB NOT NULL) STRICT;
CREATE TABLE key (
  number INTEGER PRIMARY KEY,
  ref TEXT NOT NULL UNIQUE,
  token BLOB UNIQUE,
  kind BLOB,
  name BLOB,
  wrapped BLOB
) STRICT;
CREATE INDEX key_kind ON key (kind);
{GUARDS}
PRAGMA user_version = {SCHEMA};
"""
# Every record at once, under another master key: the old pages are all freed, and freed pages are
# overwritten. Nobody else can look meanwhile, and the guards are back before anybody can.
OPEN_GUARDS: Final = "DROP TRIGGER key_stays; DROP TRIGGER key_is_only_emptied"
CLEAR: Final = "DELETE FROM key"
WHOLE: Final = "SELECT ref, name, wrapped FROM key WHERE "
BY_REF: Final = WHOLE + "ref = ?"
BY_TOKEN: Final = WHOLE + "token = ?"
BY_KIND: Final = WHOLE + "kind = ?"
EACH: Final = "SELECT ref, name, wrapped FROM key ORDER BY number"
ALL: Final = "SELECT ref, token, kind, name, wrapped FROM key ORDER BY number"
EMPTIED: Final = "SELECT ref FROM key WHERE wrapped IS NULL ORDER BY number"
ADD: Final = "INSERT INTO key (ref, token, kind, name, wrapped) VALUES (?, ?, ?, ?, ?)"
EMPTY: Final = """
UPDATE key SET token = NULL, kind = NULL, name = NULL, wrapped = NULL
WHERE ref = ? AND wrapped IS NOT NULL
"""

Value = str | bytes | None
Record = tuple[Any, ...]


class KeyFile:
    """One connection, one thread at a time; opened again after an error and after a fork."""

    def __init__(self, path: Path, *, still: bool = False) -> None:
        self.path = path
        self._still = still  # nothing can be written where it lies
        self._connection: apsw.Connection | None = None
        self._lock = RLock()
        self._pid = os.getpid()

    def ask(self, sql: str, *values: Value) -> list[Record]:
        with self._held() as held:
            return held.execute(sql, values).fetchall()

    def add(self, records: Iterable[tuple[Value, ...]]) -> None:
        """Many records at once; the caller is in a transaction."""
        with self._held() as held:
            held.executemany(ADD, records)

    @contextlib.contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[None]:
        """One transaction; `ask` inside it belongs to it. Nobody else even reads where `alone`."""
        if self._still:
            raise ReadOnlyError
        with self._held() as held:
            held.execute("BEGIN EXCLUSIVE" if alone else "BEGIN IMMEDIATE")
            try:
                yield
                held.execute("COMMIT")
            except BaseException:
                # A connection that was closed for its wounds has rolled back already.
                with contextlib.suppress(apsw.Error):
                    if held.in_transaction:
                        held.execute("ROLLBACK")
                raise

    def check(self) -> None:
        """The file is whole, and every index knows every record; it reads all of them."""
        with self._held() as held:
            if connection.is_cut(held, self.path):
                raise _damaged(connection.CUT)
            _check_indexes(held)

    def close(self) -> None:
        if self._pid != os.getpid():
            self._start_again()
        with self._lock:
            held, self._connection = self._connection, None
            if held is not None:
                with contextlib.suppress(apsw.Error):
                    held.close(force=True)

    @contextlib.contextmanager
    def _held(self) -> Iterator[apsw.Connection]:
        if self._pid != os.getpid():
            self._start_again()
        with self._lock, border():
            held = self._connection = self._connection or self._connect()
            try:
                yield held
            except apsw.Error as error:
                told = _told(error, held.system_errno)
                if isinstance(error, errors.WOUNDS):
                    self.close()
                raise told from error

    def _connect(self) -> apsw.Connection:
        return _connect_still(self.path) if self._still else _connect(self.path)

    def _start_again(self) -> None:
        # The parent's connection must not be closed by the child, not even when it ends.
        if self._connection is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))
        self._pid, self._lock, self._connection = os.getpid(), RLock(), None


@contextlib.contextmanager
def border() -> Iterator[None]:
    """No error of SQLite's or of the disk's leaves the keystore as it is."""
    try:
        yield
    except apsw.Error as error:
        raise _told(error) from error
    except UnicodeDecodeError as error:
        raise KeystoreError(f"the keystore is damaged ({error})") from error
    except OSError as error:
        told = errors.told_by_system(error)
        if isinstance(told, StorageFullError):
            raise told from error
        raise KeystoreError(told.detail) from error


def _told(error: apsw.Error, system_errno: int = 0) -> MunimentError:
    told = errors.told(error, system_errno)
    if isinstance(told, StorageFullError) or isinstance(error, errors.WAITED):
        return told
    if isinstance(told, IntegrityError):
        return KeystoreError(f"the keystore is damaged ({type(error).__name__}: {error})")
    return KeystoreError(told.detail)


def _connect(path: Path) -> apsw.Connection:
    durable_files.create(path)
    held = connection.opened(path)
    try:
        held.set_busy_timeout(connection.BUSY_TIMEOUT_MS)
        held.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        held.execute(SETTINGS).fetchall()
        _make_tables(held)
        _check_pages(held, path)
        # The last process may have been killed before the end of its journal was durable.
        durable_files.sync_folder(path.parent)
    except BaseException:
        held.close(force=True)
        raise
    return held


def _connect_still(path: Path) -> apsw.Connection:
    held, _ = connection.connect_still(path)
    try:
        _check_finished(held)
        _check_pages(held, path)
    except BaseException:
        held.close(force=True)
        raise
    return held


def _check_finished(held: apsw.Connection) -> None:
    if held.pragma("user_version") != SCHEMA:
        raise KeystoreError("the keystore was written by another program, or is incomplete")


def _check_pages(held: apsw.Connection, path: Path) -> None:
    """Whether every index knows every record, where no checksum says it of each page (6 us a key).

    A name that a damaged index does not find would be given another key, and begin a second
    history beside the first.
    """
    if connection.is_cut(held, path):
        raise _damaged(connection.CUT)
    if not page_checksums.are_kept(held):
        _check_indexes(held)


def _check_indexes(held: apsw.Connection) -> None:
    found = [str(line) for (line,) in held.execute("PRAGMA integrity_check(1)")]
    if found != ["ok"]:
        raise _damaged(found[0])


def _damaged(why: str) -> KeystoreError:
    return KeystoreError(f"the keystore is damaged ({why}): put it back from a backup")


def _make_tables(held: apsw.Connection) -> None:
    version = held.pragma("user_version")
    if not version:
        held.execute("BEGIN IMMEDIATE")
        # Another process may have been here while we waited for the lock.
        version = held.pragma("user_version")
        if not version:
            held.execute(TABLES).fetchall()
            version = SCHEMA
        held.execute("COMMIT")
    if version != SCHEMA:
        raise KeystoreError("the keystore was written by a newer program")
