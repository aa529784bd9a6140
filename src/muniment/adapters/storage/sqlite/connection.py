"""SQLite connection to one stream file: its settings, and what it may never be asked to do."""

import contextlib
import ctypes
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from muniment.adapters.storage.sqlite import errors, page_checksums, schema
from muniment.adapters.system.durable_files import sync_file, sync_folder
from muniment.adapters.system.path_exists import is_still, is_there
from muniment.model.errors import StoreError

# Every SQLite from 3.7.0 to 3.51.2 can corrupt a file when two writers reset its log at once.
LIBRARY_MIN: Final = (3, 51, 3)
BUSY_TIMEOUT_MS: Final = 10_000
BUSY_PAUSE_SECONDS: Final = 0.005
CUT: Final = "the file ends before its last page does"
JOURNAL_BYTES_MAX: Final = 4 * 1024 * 1024  # what the write-ahead log keeps between checkpoints

# fullfsync does nothing outside macOS, where a plain fsync stops at the drive's own cache.
SETTINGS: Final = f"""
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA secure_delete = ON;
PRAGMA journal_size_limit = {JOURNAL_BYTES_MAX};
PRAGMA temp_store = MEMORY;
PRAGMA recursive_triggers = ON;
"""

# What the statements of this package need; anything else is denied before it is prepared.
READ_ONLY: Final = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_TRANSACTION})
FUNCTIONS: Final = frozenset({"coalesce", "max", "shredding"})
UPDATES: Final = frozenset(
    {("row", "died"), ("fragment", "data"), ("checkpoint", "seq"), ("checkpoint", "data")}
    | {("segment", "upto"), ("segment", "data"), ("episode", "died")}
)
DELETES: Final = frozenset({"row", "checkpoint", "segment", "episode", "episode_token"})


def check_library(version: str) -> None:
    """Refuse a SQLite that can corrupt what it is given."""
    if tuple(int(part) for part in version.split(".")[:3]) < LIBRARY_MIN:
        wanted = ".".join(map(str, LIBRARY_MIN))
        raise StoreError(f"SQLite {version} may corrupt its files; {wanted} or newer is needed")


def connect(
    path: Path, *, shredding: Callable[[], bool], page_limit: int | None = None, vfs: str = ""
) -> apsw.Connection:
    """Open a file that exists, make it ours, and lock the door behind the set-up."""
    connection = _opened(path, vfs)
    try:
        _set_up(connection, shredding, page_limit)
    except BaseException as error:
        broken = None
        if isinstance(error, apsw.Error):
            where = errors.log_of(path.stem)
            broken = errors.told(error, connection.system_errno, where)
        with contextlib.suppress(apsw.Error):
            connection.close(force=True)
        if broken:
            raise broken from error
        raise
    return connection


def _opened(path: Path, vfs: str) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE
    if vfs:  # a disk of somebody else's making: whoever brings one answers for its pages
        return apsw.Connection(str(path), flags=flags, vfs=vfs)
    return opened(path)


def opened(path: Path) -> apsw.Connection:
    """A file of ours, to be read and written; the pages of a new one end with a checksum."""
    checked = page_checksums.vfs()
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=checked)
    try:
        page_checksums.reserve(connection)
    except BaseException:
        connection.close(force=True)
        raise
    return connection


def connect_still(path: Path) -> tuple[apsw.Connection, bool]:
    """Open a file that cannot be written, and leave nothing beside it; says if it is all there is.

    While somebody who can write has it open, their log and its index are there to be read along
    with it. Else the file is all there is, and SQLite must be told that it needs no index.
    """
    plain = path.resolve().as_uri()
    try:
        return _looked_at(f"{plain}?mode=ro"), False
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if any(_has_content(path, beside) for beside in ("-wal", "-journal")):
            raise StoreError(
                f"{path.name} was not closed before it was made read-only;"
                " open it once where it can be written"
            ) from None
    return _looked_at(f"{plain}?immutable=1"), True


def sync_recovered(path: Path) -> None:
    """Make durable what a killed process wrote and did not sync; called before anybody is answered.

    SQLite recovers such frames from the write-ahead log as if they had been committed, and syncs
    nothing: what is found would be there until the power goes. The log has no locks on it, so a
    descriptor of its own takes none away.
    """
    if _has_content(path, "-wal"):
        sync_file(path.with_name(path.name + "-wal"))
        sync_folder(path.parent)


def is_lying_still(path: Path) -> bool:
    """Whether nobody has opened a file to write since it was taken for all there is."""
    return not _has_content(path, "-wal")


def _has_content(path: Path, beside: str) -> bool:
    left = path.with_name(path.name + beside)
    return is_there(left) and left.stat().st_size > 0


def _looked_at(address: str) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(address, flags=flags, vfs=page_checksums.vfs())
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.execute("PRAGMA temp_store = MEMORY; SELECT 1 FROM sqlite_schema").fetchall()
    except BaseException:
        connection.close(force=True)
        raise
    return connection


def reading(path: Path) -> apsw.Connection:
    """A connection of its own to a file, for who looks at it or copies it."""
    if is_still(path.parent):
        return connect_still(path)[0]
    return opened(path)


def has_moved(connection: apsw.Connection) -> bool:
    """Whether the file of a connection is no longer the one at its path.

    What is written to a file that was removed is gone with the last who has it open.
    """
    moved = ctypes.c_int(0)
    place = ctypes.addressof(moved)
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, place)
    return bool(moved.value)


def is_cut(connection: apsw.Connection, path: Path) -> bool:
    """Whether the file ends before its last page does.

    SQLite takes what is missing of that page for zeros, and compares no checksum with it: an index
    whose page was cut knows nothing, and says so of everything. Asked by name alone: another
    descriptor of the file, closed, would take away the locks of this process.
    """
    # What is not yet in the file is in the journal beside it; a second look after another process
    # has finished sees one state.
    for _ in range(2):
        wanted = int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
        if any(_has_content(path, beside) for beside in ("-wal", "-journal")):
            return False
        if path.stat().st_size >= wanted:
            return False
    return True


def problems(path: Path) -> tuple[str, ...]:
    """What is wrong with the pages, which SQLite all reads, and with the schema.

    A trigger that somebody added may drop what is written; without an index nobody is answered.
    """
    connection = reading(path)
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        found = [CUT] if is_cut(connection, path) else []
        found += [str(line) for (line,) in connection.execute("PRAGMA quick_check")]
        found += schema.differences(connection)
    except apsw.Error as error:
        if errors.is_torn(error):
            return (str(error),)
        raise errors.told(error, connection.system_errno) from error
    finally:
        connection.close(force=True)
    return tuple(line for line in found if line != "ok")


def authorize(
    action: int, first: str | None, second: str | None, _schema: str | None, _source: str | None
) -> int:
    """Asked once for every statement that is prepared: a short list of what is allowed."""
    allowed = (
        action in READ_ONLY
        or (action in {apsw.SQLITE_READ, apsw.SQLITE_INSERT} and first in schema.TABLES)
        or (action == apsw.SQLITE_UPDATE and (first, second) in UPDATES)
        or (action == apsw.SQLITE_DELETE and first in DELETES)
        or (action == apsw.SQLITE_FUNCTION and second in FUNCTIONS)
    )
    return apsw.SQLITE_OK if allowed else apsw.SQLITE_DENY


def _set_up(
    connection: apsw.Connection, shredding: Callable[[], bool], page_limit: int | None
) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.create_scalar_function(
        "shredding", lambda *_: shredding(), 0, flags=apsw.SQLITE_INNOCUOUS
    )
    _write_ahead(connection)
    connection.execute(SETTINGS).fetchall()
    if page_limit is not None:
        connection.pragma("max_page_count", page_limit)
    schema.migrate(connection)
    connection.authorizer = authorize


def _write_ahead(connection: apsw.Connection) -> None:
    mode = _ask_for_write_ahead(connection)
    if mode != "wal":
        raise StoreError(f"this file system cannot keep a write-ahead log: it offers {mode!r}")


def _ask_for_write_ahead(connection: apsw.Connection) -> object:
    # Changing the mode of a new file does not wait for another process that is doing the same.
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            return connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(BUSY_PAUSE_SECONDS)
