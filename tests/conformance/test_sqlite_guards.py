"""What a stream file refuses, how it is set up, and what its errors become."""

import contextlib
import errno
import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.conformance.disks import Chance, FailingDisk, fail_full, fail_sync, nothing, residue
from tests.conformance.streams import (
    OTHER,
    START,
    STREAM,
    batch,
    birth,
    death,
    everything,
    grow,
)

from muniment.adapters.storage.sqlite import SqliteStore, connection, errors, schema
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Batch, Segment
from muniment.model.errors import (
    IntegrityError,
    MunimentError,
    NewerError,
    OutcomeUnknownError,
    StorageFullError,
    StoreError,
)

# Stopped by the triggers, even on a connection that asks nobody.
AGAINST_THE_LOG = [
    "UPDATE entry SET header = x'00'",
    "UPDATE entry SET operation = 'other' WHERE seq = 1",
    "DELETE FROM entry",
    "DELETE FROM entry WHERE seq = 2",
    "INSERT INTO entry (seq, hash, header) VALUES (9, x'00', x'00')",
    "INSERT OR REPLACE INTO entry (seq, hash, header) VALUES (1, x'00', x'00')",
    "UPDATE fragment SET data = NULL",
    "UPDATE fragment SET data = x'00'",
    "UPDATE fragment SET subject = 'other'",
    "DELETE FROM fragment",
    "INSERT OR REPLACE INTO fragment (place, subject, data) VALUES (1024, 'other', x'00')",
    "UPDATE row SET died = NULL",
    "UPDATE row SET died = 9 WHERE died IS NOT NULL",
    "UPDATE row SET born = 2",
    "UPDATE row SET key_token = x'00'",
]
# Stopped by the authorizer, before they are even prepared.
BESIDE_THE_LOG = [
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA synchronous = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA user_version = 0",
    "CREATE TABLE other (x)",
    "CREATE TEMP TABLE other (x)",
    "CREATE INDEX other ON entry (hash)",
    "CREATE VIEW other AS SELECT 1",
    "CREATE TRIGGER other AFTER INSERT ON entry BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE other USING fts5(x)",
    "ALTER TABLE entry RENAME TO other",
    "ALTER TABLE entry ADD COLUMN other",
    "DROP TABLE entry",
    "DROP TRIGGER entry_stays",
    "DROP INDEX entry_operation",
    "SELECT * FROM sqlite_schema",
    "DELETE FROM sqlite_schema",
    "INSERT INTO migration VALUES (9, 'other')",
    "DELETE FROM migration",
    "SELECT load_extension('other')",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n LIMIT 3",
    "REINDEX",
    "ANALYZE",
    "VACUUM",
    "VACUUM INTO 'other.db'",
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path, ballast_bytes=0)
    grow(store, 3, birth(1), death(2, key=b"k"), birth(3), operation="key")
    yield store
    store.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[FailingDisk]:
    disk = FailingDisk(f"failing {tmp_path.name}")
    yield disk
    disk.unregister()


# ── Guards ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("statement", AGAINST_THE_LOG + BESIDE_THE_LOG)
def test_a_connection_of_the_store_refuses(store: SqliteStore, statement: str) -> None:
    before = everything(store)
    with pytest.raises(MunimentError):
        ask(store, statement)
    assert everything(store) == before


@pytest.mark.parametrize("statement", AGAINST_THE_LOG)
def test_the_triggers_hold_where_nobody_is_asked(store: SqliteStore, statement: str) -> None:
    before = everything(store)
    with opened(store) as file:
        file.db.authorizer = None
    with pytest.raises(MunimentError, match="ConstraintError"):
        ask(store, statement)
    assert everything(store) == before


def test_another_program_cannot_shred(store: SqliteStore, tmp_path: Path) -> None:
    store.close()
    stranger = apsw.Connection(str(stream_file(tmp_path)))
    for statement in ("DELETE FROM fragment", "UPDATE fragment SET data = NULL"):
        with pytest.raises(apsw.Error):
            stranger.execute(statement)
    stranger.close()


def test_the_settings_are_those_of_a_log(store: SqliteStore) -> None:
    with opened(store) as file:
        file.db.authorizer = None
        told = {name: file.db.pragma(name) for name in ("journal_mode", "synchronous")}
        told |= {name: file.db.pragma(name) for name in ("secure_delete", "busy_timeout")}
        file.db.authorizer = connection.authorize
    assert told == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "busy_timeout": 10_000,
    }


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.7.0"])
def test_an_old_library_is_refused(version: str) -> None:
    with pytest.raises(StoreError, match=version):
        connection.check_library(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.54.1", "4.0.0"])
def test_a_sound_library_is_taken(version: str) -> None:
    connection.check_library(version)


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "memory"
    store = SqliteStore(folder)
    grow(store)
    with store.write_lock(STREAM):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert modes.pop("streams") == stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert set(modes.values()) == {0o600}
    assert {name.removeprefix(STREAM) for name in modes} == {
        "ballast",
        "heads",
        ".db",
        ".db-wal",
        ".db-shm",
        ".lock",
    }
    store.close()


def test_the_schema_names_its_steps_and_refuses_a_newer_one(
    store: SqliteStore, tmp_path: Path
) -> None:
    store.close()
    held = apsw.Connection(str(stream_file(tmp_path)))
    steps = held.execute("SELECT number, name FROM migration").fetchall()
    assert steps == [(n, step.__name__) for n, step in enumerate(schema._steps, start=1)]
    assert steps[0] == (1, "log_shelves_and_segments")
    assert held.pragma("user_version") == len(steps)
    held.pragma("user_version", 99)
    held.close()
    newer = SqliteStore(tmp_path, ballast_bytes=0)
    with pytest.raises(NewerError, match="schema 99"):
        newer.head(STREAM)
    newer.close()


def test_so_many_files_are_open_at_most(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, open_files_max=3, ballast_bytes=0)
    streams = [f"{number:032x}" for number in range(8)]
    for stream in streams * 2:
        with store.write_lock(stream):
            grow(store, stream=stream)
        assert len(store._files._held.files) <= 3
        assert len(store._locks) <= 3
    assert store.streams() == streams
    assert len(list((tmp_path / "streams").glob("*-wal"))) <= 3
    store.close()


def test_looking_at_an_unknown_stream_makes_no_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, ballast_bytes=0)
    everything(store)
    store.reset(STREAM)
    assert list((tmp_path / "streams").iterdir()) == []
    assert store._files._held.files == {}
    store.close()


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("error", "number", "becomes"),
    [
        (apsw.FullError(), 0, StorageFullError),
        (apsw.IOError(), errno.ENOSPC, StorageFullError),
        (apsw.IOError(), errno.EDQUOT, StorageFullError),
        (apsw.CantOpenError(), errno.EFBIG, StorageFullError),
        (apsw.IOError(), errno.EIO, StoreError),
        (apsw.CantOpenError(), errno.EACCES, StoreError),
        (apsw.BusyError(), errno.ENOSPC, StoreError),
        (apsw.LockedError(), 0, StoreError),
        (apsw.CorruptError(), 0, IntegrityError),
        (apsw.NotADBError(), 0, IntegrityError),
        (apsw.NoMemError(), 0, StoreError),
        (apsw.AuthError(), 0, StoreError),
    ],
)
def test_an_error_before_the_commit_means_that_nothing_was_written(
    error: apsw.Error, number: int, becomes: type[MunimentError]
) -> None:
    told = errors.told(error, number)
    assert type(told) is becomes
    assert told.outcome == "not_written"


@pytest.mark.parametrize(
    ("error", "becomes"),
    [
        (apsw.FullError(), StorageFullError),
        (apsw.BusyError(), StoreError),
        (apsw.IOError(), OutcomeUnknownError),
        (apsw.CorruptError(), OutcomeUnknownError),
        (apsw.NoMemError(), OutcomeUnknownError),
    ],
)
def test_an_error_of_the_commit_is_mostly_unknown(
    error: apsw.Error, becomes: type[MunimentError]
) -> None:
    assert type(errors.told_by_commit(error)) is becomes


def test_a_full_disk_is_told_and_the_store_goes_on_when_there_is_room(tmp_path: Path) -> None:
    full = SqliteStore(tmp_path, page_limit=60, ballast_bytes=0)
    grow(full, 30, parts=20)
    before = everything(full)
    with pytest.raises(StorageFullError) as told:
        grow(full, 600, parts=20)
    assert told.value.outcome == "not_written"
    assert everything(full) == before
    assert full.shred(STREAM, "a" * 32) > 0
    full.close()
    roomy = SqliteStore(tmp_path, ballast_bytes=0)
    head = roomy.head(STREAM)
    assert head is not None
    assert grow(roomy, 30, parts=20).seq == head.seq + 30
    assert roomy.check(STREAM) == ()
    roomy.close()


def test_a_log_without_room_at_the_commit_wrote_nothing(disk: FailingDisk, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, vfs=disk.name, ballast_bytes=0)
    head = grow(store, 2)
    before = everything(store)
    disk.on_write = fail_full
    with pytest.raises(StorageFullError):
        store.append(STREAM, batch(3, operation="key"), expect=head)
    disk.on_write = nothing
    assert everything(store) == before
    assert store.find(STREAM, "key") is None
    store.append(STREAM, batch(3, operation="key"), expect=head)
    store.close()


def test_where_no_room_can_be_made_a_log_is_not_opened_twice(
    disk: FailingDisk, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path, vfs=disk.name, ballast_bytes=0)
    grow(store, 2)
    store.close()
    store, opened = SqliteStore(tmp_path, vfs=disk.name, ballast_bytes=0), disk.opened
    disk.on_open = fail_full

    with pytest.raises(StorageFullError):
        store.head(STREAM)

    assert disk.opened == opened + 1
    disk.on_open = nothing
    assert store.head(STREAM) is not None
    store.close()


def test_after_a_failed_sync_the_outcome_is_unknown_and_a_lookup_decides(
    disk: FailingDisk, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path, vfs=disk.name, ballast_bytes=0)
    head = grow(store, 2)
    opened = disk.opened
    disk.on_sync = fail_sync
    with pytest.raises(OutcomeUnknownError) as told:
        store.append(STREAM, batch(3, operation="key"), expect=head)
    assert told.value.outcome == "unknown"
    assert disk.opened == opened
    # Nobody may look before what is there is safely there.
    with pytest.raises(StoreError):
        store.find(STREAM, "key")
    disk.on_sync = nothing
    found = store.find(STREAM, "key")
    assert disk.opened > opened, "a handle that failed is not used again"
    now = store.head(STREAM)
    assert now is not None
    assert (found, now.seq) in {(None, 2), (3, 3)}
    grow(store, 2)
    assert store.check(STREAM) == ()
    store.close()


def test_a_locked_file_is_told_as_a_store_that_may_work_later(
    store: SqliteStore, tmp_path: Path
) -> None:
    other = apsw.Connection(str(stream_file(tmp_path)))
    other.execute("BEGIN IMMEDIATE")
    with opened(store) as file:
        file.db.set_busy_timeout(1)
    with pytest.raises(StoreError) as told:
        grow(store)
    assert told.value.retryable
    assert told.value.outcome == "not_written"
    other.execute("ROLLBACK")
    grow(store)
    other.close()


def test_a_file_that_is_no_database_is_an_integrity_error(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, ballast_bytes=0)
    grow(store)
    store.close()
    stream_file(tmp_path).write_bytes(b"not a database " * 1000)
    torn = SqliteStore(tmp_path, ballast_bytes=0)
    for act in (torn.head, torn.checkpoint, lambda stream: list(torn.read(stream))):
        with pytest.raises(IntegrityError):
            act(STREAM)
    assert torn.check(STREAM) != ()
    grow(torn, stream=OTHER)
    assert torn.check(OTHER) == ()
    torn.close()


def test_a_torn_page_is_found_by_the_check(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, ballast_bytes=0)
    grow(store, 200, parts=3)
    store.close()
    data = bytearray(stream_file(tmp_path).read_bytes())
    torn_at = len(data) // 2 // 4096 * 4096
    data[torn_at : torn_at + 4096] = bytes(4096)
    stream_file(tmp_path).write_bytes(data)
    torn = SqliteStore(tmp_path, ballast_bytes=0)
    assert torn.check(STREAM) != ()
    torn.close()


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "file")


# ── What is gone is gone ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [60, 200, 600, 1500, 6000])
def test_no_byte_of_a_shredded_part_is_left_however_often_one_shreds(
    tmp_path: Path, size: int
) -> None:
    chance = Chance(size)
    store = SqliteStore(tmp_path, ballast_bytes=0)
    parts: dict[str, list[bytes]] = {}
    head = START
    for seq in range(1, 301):
        subject, data = f"{chance.below(8):032x}", chance.bytes(size)
        parts.setdefault(subject, []).append(data)
        sealed = (SealedPart(subject=subject, data=data),)
        one = Entry(seq=seq, hash=b"h%d" % seq, header=b"{}", parts=sealed)
        store.append(STREAM, Batch(entries=(one,)), expect=head)
        head = Head(seq=seq, hash=one.hash)
    for subject in sorted(parts)[:-1]:
        assert store.shred(STREAM, subject) == len(parts[subject])
        assert residue(tmp_path, *(data[:64] for data in parts[subject])) == []
    kept = sorted(parts)[-1]
    assert residue(tmp_path, parts[kept][0][:64]) != []
    assert store.check(STREAM) == ()
    store.close()


def test_no_byte_of_what_was_derived_is_left_after_a_reset(tmp_path: Path) -> None:
    chance = Chance(1)
    store = SqliteStore(tmp_path, ballast_bytes=0)
    gone: list[bytes] = []
    for number in range(30):
        gone += [chance.bytes((100, 900, 9000)[chance.below(3)]) for _ in range(2)]
        grow(store, 1, checkpoint=gone[-2])
        segment = Segment(kind="words", number=number, upto=number + 1, data=gone[-1])
        store.put_segment(STREAM, segment, replaces=(number - 2, number - 3))
    assert residue(tmp_path, gone[-1][:64]) != []
    store.reset(STREAM)
    assert residue(tmp_path, *(data[:64] for data in gone)) == []
    store.close()


# ── Ballast ─────────────────────────────────────────────────────────────────────────────────────


def test_the_ballast_holds_room_and_gives_it_back(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    ballast = tmp_path / "ballast"
    assert ballast.stat().st_size == 8 * 1024 * 1024
    assert ballast.stat().st_blocks * 512 >= 8 * 1024 * 1024
    assert store.release_ballast()
    assert not ballast.exists()
    assert not store.release_ballast()
    assert store.restore_ballast()
    assert store.restore_ballast()
    assert ballast.stat().st_size == 8 * 1024 * 1024
    store.close()


def test_a_disk_without_room_for_the_ballast_still_opens(tmp_path: Path) -> None:
    (tmp_path / "ballast.part").symlink_to("/dev/full")
    store = SqliteStore(tmp_path)
    assert not (tmp_path / "ballast").exists()
    grow(store)
    assert store.restore_ballast(), "now there is room"
    store.close()


@contextlib.contextmanager
def opened(store: SqliteStore) -> Iterator[StreamFile]:
    with store._files.use(STREAM) as file:
        assert file is not None
        yield file


def ask(store: SqliteStore, statement: str) -> None:
    with opened(store) as file:
        file.ask(statement)


def stream_file(folder: Path) -> Path:
    return folder / "streams" / f"{STREAM}.db"
