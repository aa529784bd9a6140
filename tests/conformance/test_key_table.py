"""The file of wrapped keys and the master key, by hand: what opens, what is refused, and why."""

import os
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from muniment.adapters.keys import key_table, master_key
from muniment.adapters.keys.key_table import KeyFile
from muniment.adapters.system import durable_files
from muniment.model.errors import KeystoreError, MunimentError, ReadOnlyError, StorageFullError

RECORD = ("ref", b"token", b"kind", b"name", b"wrapped")
OTHER = ("other", b"token 2", b"kind", b"name 2", b"wrapped 2")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A finished file with one record."""
    found = tmp_path / "keystore.db"
    with closing(KeyFile(found)) as file, file.writing():
        file.ask(key_table.ADD, *RECORD)
    return found


def plain(path: Path, sql: str) -> None:
    """As another program would write it: its pages have no checksums."""
    place = apsw.Connection(str(path), vfs="unix")
    with closing(place):
        place.execute(sql).fetchall()


# ── The file ────────────────────────────────────────────────────────────────────────────────────


def test_many_records_are_added_in_one_transaction(path: Path) -> None:
    with closing(KeyFile(path)) as file:
        with file.writing():
            file.add([OTHER])
        assert file.ask(key_table.ALL) == [RECORD, OTHER]


def test_a_file_is_to_be_written_unless_it_is_said_to_be_still(path: Path) -> None:
    with closing(KeyFile(path, still=True)) as still:
        with pytest.raises(ReadOnlyError), still.writing():
            pass
        assert still.ask(key_table.ALL) == [RECORD]
        with pytest.raises(KeystoreError, match="readonly"):
            still.ask(key_table.ADD, *OTHER)


def test_a_still_file_leaves_nothing_beside_it_and_makes_none(path: Path, tmp_path: Path) -> None:
    with closing(KeyFile(path, still=True)) as still:
        still.ask(key_table.ALL)
    with closing(KeyFile(tmp_path / "absent.db", still=True)) as file, pytest.raises(KeystoreError):
        file.ask(key_table.ALL)

    assert [each.name for each in tmp_path.iterdir()] == ["keystore.db"]


def test_a_still_file_that_was_not_finished_is_refused(tmp_path: Path) -> None:
    plain(tmp_path / "half.db", "CREATE TABLE key (ref TEXT)")

    half = KeyFile(tmp_path / "half.db", still=True)
    with closing(half) as file, pytest.raises(KeystoreError) as refused:
        file.ask(key_table.ALL)

    wanted = "the keystore was written by another program, or is incomplete"
    assert refused.value.detail == wanted


def test_a_file_of_a_newer_program_is_refused(path: Path) -> None:
    with closing(KeyFile(path)) as file:
        file.ask("PRAGMA user_version = 2")

    with closing(KeyFile(path)) as file, pytest.raises(KeystoreError) as refused:
        file.ask(key_table.ALL)

    assert refused.value.detail == "the keystore was written by a newer program"


@pytest.mark.parametrize("still", [False, True])
def test_a_file_without_checksums_is_checked_when_it_is_opened(
    tmp_path: Path, *, still: bool
) -> None:
    path = tmp_path / "older.db"
    plain(path, key_table.TABLES)
    with closing(KeyFile(path, still=still)) as file:
        assert file.ask(key_table.ALL) == []
    # A record that an index does not know: it was told for a while that it need not know any.
    index = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = {} WHERE name = 'key_kind'"
    plain(path, index.format("sql || ' WHERE 0'"))
    plain(path, "INSERT INTO key (ref, token, kind) VALUES ('ref', x'01', x'02')")
    plain(path, index.format("replace(sql, ' WHERE 0', '')"))

    with closing(KeyFile(path, still=still)) as file, pytest.raises(KeystoreError) as refused:
        file.ask(key_table.ALL)

    found = "wrong # of entries in index key_kind"
    assert refused.value.detail == f"the keystore is damaged ({found}): put it back from a backup"


def test_a_file_that_was_closed_is_opened_again_and_may_be_closed_twice(path: Path) -> None:
    file = KeyFile(path)
    file.ask(key_table.ALL)
    file.close()
    file.close()

    assert file.ask(key_table.ALL) == [RECORD]
    file.close()


def test_a_file_that_is_closed_is_no_longer_held(path: Path) -> None:
    with closing(KeyFile(path)) as file:
        file.ask(key_table.ALL)
        opened = file._connection
    assert opened is not None

    with pytest.raises(apsw.ConnectionClosedError):
        opened.execute("SELECT 1")


def test_a_forked_process_opens_the_file_anew_and_leaves_the_parents_alone(path: Path) -> None:
    with closing(KeyFile(path)) as file:
        file.ask(key_table.ALL)
        opened = file._connection
        child = os.fork()
        if not child:
            ended = 1
            try:  # nothing of the test may go on in the child
                found = file.ask(key_table.ALL) == [RECORD]
                anew = file._connection
                file.ask(key_table.ALL)
                ended = 0 if found and anew is not opened and file._connection is anew else 1
            finally:
                os._exit(ended)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert file._connection is opened
        assert file.ask(key_table.ALL) == [RECORD]


# ── What errors mean ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("error", "kind", "detail"),
    [
        (apsw.FullError("no room"), StorageFullError, "FullError: no room"),
        (apsw.BusyError("later"), MunimentError, "BusyError: later"),
        (
            apsw.CorruptError("a page"),
            KeystoreError,
            "the keystore is damaged (CorruptError: a page)",
        ),
        (apsw.SQLError("a word"), KeystoreError, "SQLError: a word"),
    ],
)
def test_no_error_of_the_file_leaves_the_keystore_as_it_is(
    error: apsw.Error, kind: type[MunimentError], detail: str
) -> None:
    with pytest.raises(kind) as told, key_table.border():
        raise error

    assert told.value.detail == detail
    assert isinstance(told.value, KeystoreError) is (kind is KeystoreError)


# ── The master key ──────────────────────────────────────────────────────────────────────────────


def counted(size: int) -> bytes:
    return b"k" * size


def test_a_first_master_key_that_was_left_by_a_killed_process_is_made_durable_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / master_key.MASTER).write_bytes(b"l" * 32)
    synced: list[object] = []
    with closing(KeyFile(tmp_path / "keystore.db")) as file:
        assert file.ask(master_key.EXPECTED) == []
        monkeypatch.setattr(durable_files, "sync_file", synced.append)
        monkeypatch.setattr(durable_files, "sync_folder", synced.append)

        assert master_key.settled(file, tmp_path, counted) == b"l" * 32

    assert synced == [tmp_path / master_key.MASTER, tmp_path]


def test_a_torn_first_master_key_is_made_anew_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / master_key.MASTER).write_bytes(b"torn")
    with closing(KeyFile(tmp_path / "keystore.db")) as file:
        assert master_key.settled(file, tmp_path, counted) == b"k" * 32
        assert master_key.found(file, tmp_path) == b"k" * 32

    assert (tmp_path / master_key.MASTER).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("left", "detail"),
    [
        (None, "the master key is missing"),
        (b"short", "the master key is missing"),
        (b"x" * 32, "the master key does not belong to this keystore"),
    ],
)
def test_a_master_key_that_is_missing_or_another_is_refused(
    tmp_path: Path, left: bytes | None, detail: str
) -> None:
    with closing(KeyFile(tmp_path / "keystore.db")) as file:
        master_key.settled(file, tmp_path, counted)
        (tmp_path / master_key.MASTER).unlink()
        if left is not None:
            (tmp_path / master_key.MASTER).write_bytes(left)

        with pytest.raises(KeystoreError) as refused:
            master_key.found(file, tmp_path)

    assert refused.value.detail == f"{detail}: put the folder `keys` back from a backup"


def test_a_master_key_that_is_put_in_its_place_between_two_looks_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and keystore cannot be read at one moment: that none fits is believed on a repeat."""
    with closing(KeyFile(tmp_path / "keystore.db")) as file:
        key = master_key.settled(file, tmp_path, counted)
        looks = iter([b"o" * 32, b"", key, b""])
        monkeypatch.setattr(master_key, "_held", lambda _: next(looks))

        assert master_key.found(file, tmp_path) == key


@pytest.mark.parametrize("counts", ["kept", "next"])
def test_of_two_master_keys_the_one_that_counts_ends_in_its_place_and_alone(
    tmp_path: Path, counts: str
) -> None:
    kept, spare = tmp_path / master_key.MASTER, tmp_path / master_key.NEXT
    with closing(KeyFile(tmp_path / "keystore.db")) as file:
        key = master_key.settled(file, tmp_path, counted)
        if counts == "kept":
            spare.write_bytes(b"o" * 32)
        else:
            kept.rename(spare)
            kept.write_bytes(b"o" * 32)

        assert master_key.settled(file, tmp_path, counted) == key

    assert kept.read_bytes() == key
    assert not spare.exists()


def test_the_next_master_key_is_put_down_beside_the_one_that_counts(tmp_path: Path) -> None:
    (tmp_path / master_key.MASTER).write_bytes(b"o" * 32)
    (tmp_path / master_key.NEXT).write_bytes(b"of a killed exchange, and longer than a key")

    assert master_key.put_next(tmp_path, counted) == b"k" * 32

    assert (tmp_path / master_key.NEXT).read_bytes() == b"k" * 32
    assert (tmp_path / master_key.MASTER).read_bytes() == b"o" * 32
