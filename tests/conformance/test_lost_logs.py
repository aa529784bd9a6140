"""A log that lost entries is known by the folder's list of heads, and is not gone on with."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.conformance.processes import Process
from tests.conformance.streams import OTHER, STREAM, batch, grow
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.adapters.storage.sqlite import head_list
from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.log.entry import Head
from muniment.model.errors import IntegrityError, StoreError

WRITER = """
import sys
from pathlib import Path
from tests.conformance.streams import grow
from muniment.adapters.storage.sqlite.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]), ballast_bytes=0)
grow(store, 2)
print(grow(store, 2).seq, flush=True)
sys.stdin.readline()
"""


def opened(folder: Path) -> SqliteStore:
    return SqliteStore(folder, ballast_bytes=0)


def files(folder: Path, stream: str = STREAM) -> list[Path]:
    return sorted((folder / "streams").glob(f"{stream}.db*"))


def emptied(folder: Path, stream: str = STREAM) -> None:
    for path in files(folder, stream):
        os.truncate(path, 0)


def replaced(folder: Path) -> None:
    """An older copy is put in its place, while somebody has it open."""
    other = folder / "other"
    with closing(opened(other)) as store:
        grow(store, 1)
    removed(folder)
    for path in files(other):
        path.rename(folder / "streams" / path.name)


def removed(folder: Path, stream: str = STREAM) -> None:
    for path in files(folder, stream):
        path.unlink()


def with_an_older_copy(folder: Path) -> None:
    """A log of five entries, of which a copy was made at three."""
    with closing(opened(folder)) as store:
        grow(store, 3)
    shutil.copy(folder / "streams" / f"{STREAM}.db", folder / "older")
    with closing(opened(folder)) as store:
        grow(store, 2)
        grow(store, 1, stream=OTHER)


def put_back_older(folder: Path) -> None:
    removed(folder)
    shutil.copy(folder / "older", folder / "streams" / f"{STREAM}.db")


@pytest.mark.parametrize("lose", [emptied, removed, put_back_older])
def test_a_log_that_lost_entries_is_refused_every_time_and_the_others_go_on(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    with_an_older_copy(tmp_path)
    lose(tmp_path)
    with closing(opened(tmp_path)) as store:
        calls: list[Callable[[], object]] = [
            lambda: store.head(STREAM),
            lambda: list(store.read(STREAM)),
            lambda: store.append(STREAM, batch(1), expect=Head(seq=0, hash=b"")),
        ]
        for call in calls * 2:
            with pytest.raises(IntegrityError, match="held 5"):
                call()
        assert store.streams() == sorted([STREAM, OTHER])
        assert grow(store, 1, stream=OTHER).seq == 2
    if lose is removed:
        assert not files(tmp_path), "nothing is made in the place of what is lost"


def test_who_is_killed_has_noted_that_a_log_began(tmp_path: Path) -> None:
    writer = Process(WRITER, tmp_path)
    assert writer.hear() == "4"
    writer.kill()
    emptied(tmp_path)
    with closing(opened(tmp_path)) as store, pytest.raises(IntegrityError, match="held 2"):
        store.head(STREAM)


def test_what_a_killed_process_did_not_note_is_noted_by_the_next_that_opens_the_log(
    tmp_path: Path,
) -> None:
    writer = Process(WRITER, tmp_path)
    assert writer.hear() == "4"
    writer.kill()
    with closing(opened(tmp_path)) as looking:
        assert looking.head(STREAM)
    emptied(tmp_path)
    with closing(opened(tmp_path)) as store, pytest.raises(IntegrityError, match="held 4"):
        store.head(STREAM)


def test_a_list_that_is_torn_late_or_gone_accuses_nobody(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as store:
        grow(store, 3)
    listed = tmp_path / head_list.HEADS
    for data in (listed.read_bytes()[:-9], b"\xff\x00 nothing\n\n7", b""):
        listed.write_bytes(data)
        with closing(opened(tmp_path)) as store:
            grow(store, 1)
    listed.unlink()
    with closing(opened(tmp_path)) as store:
        assert store.head(STREAM) is not None
        assert store.streams() == [STREAM]
    emptied(tmp_path)  # a log from before there was a list is on it once somebody has looked
    with closing(opened(tmp_path)) as store, pytest.raises(IntegrityError, match="held 6"):
        store.head(STREAM)


def test_the_list_is_as_short_as_its_logs_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_list, "SPARE_LINES_MAX", 4)
    beside = opened(tmp_path)
    for _ in range(12):
        with closing(opened(tmp_path)) as store:
            grow(store, 1)
            grow(store, 1, stream=OTHER)
    assert len((tmp_path / head_list.HEADS).read_bytes().split()) < 3 * 4 * 4
    with closing(beside):
        assert beside.streams() == sorted([STREAM, OTHER])
        emptied(tmp_path)
        with pytest.raises(IntegrityError, match="held 12"):
            beside.head(STREAM)


def test_the_terminal_says_which_log_is_lost(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    ada, bob = (Shell("--store", str(memory), "--agent", name) for name in ("ada", "bob"))
    assert ada("remember", "I moved to Lisbon").exit_code == Exit.DONE
    (ada_s,) = (path.stem for path in (memory / "streams").glob("*.db"))
    assert bob("remember", "I moved to Porto").exit_code == Exit.DONE
    emptied(memory, ada_s)
    doctor = bob("doctor", "--json")
    assert doctor.exit_code == Exit.REFUSED
    (bad,) = (each for each in json.loads(doctor.stdout)["findings"] if each["state"] == "bad")
    assert "main/agent/ada/actor" in bad["told"]
    for words in (("prove",), ("backup", str(tmp_path / "copy"))):
        assert bob(*words).exit_code == Exit.INTEGRITY
    assert ada("remember", "I moved to Faro").exit_code == Exit.INTEGRITY
    assert bob("recall", "Porto").exit_code == Exit.DONE


@pytest.mark.parametrize("hand", [removed, replaced])
def test_nothing_is_acknowledged_in_a_file_that_is_no_longer_there(
    tmp_path: Path, hand: Callable[[Path], None]
) -> None:
    """Whoever has a removed file open could write to it until the end, and all would be lost."""
    with closing(opened(tmp_path)) as store:
        head = grow(store, 3)
        hand(tmp_path)
        with pytest.raises(StoreError, match="removed or replaced while it was open"):
            store.append(STREAM, batch(4), expect=head)
        with pytest.raises(IntegrityError):
            grow(store, 1)
