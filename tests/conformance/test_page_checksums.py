"""Every page of every file of a memory carries a checksum, wherever the file came from."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.storage.sqlite import connection, page_checksums
from muniment.model.errors import IntegrityError

PAGE = 4096
SAID = "Ann bought a bike in Porto"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    with muniment.open(folder) as memory:
        memory.agent("ada", user="tuff").remember_many([f"{SAID}, number {n}" for n in range(60)])
    return folder


def shell(store: Path) -> Shell:
    return Shell("--store", str(store), "--agent", "ada", "--user", "tuff")


def unchecked_files(store: Path) -> list[str]:
    found = sorted(store.rglob("*.db"))
    assert len(found) > 1, "keys and at least one log"
    unchecked: list[str] = []
    for path in found:
        with closing(connection.opened(path)) as file:
            if not page_checksums.are_kept(file):
                unchecked.append(path.name)
    return unchecked


def backed_up(store: Path) -> Path:
    copy = store.parent / "copy"
    assert shell(store)("backup", str(copy)).exit_code == Exit.DONE
    back = store.parent / "back"
    restored = Shell("--store", str(back), "--agent", "ada", "--user", "tuff")
    assert restored("restore", str(copy)).exit_code == Exit.DONE
    return back


def rebuilt(store: Path) -> Path:
    assert shell(store)("rebuild").exit_code == Exit.DONE
    return store


def forgotten(store: Path) -> Path:
    with muniment.open(store) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.forget(ada.recall(SAID).hits[0].id)
    return store


@pytest.mark.parametrize("after", [Path, rebuilt, backed_up, forgotten])
def test_no_file_is_without_checksums(store: Path, after: Callable[[Path], Path]) -> None:
    assert unchecked_files(after(store)) == []


def test_a_changed_byte_that_leaves_the_shape_of_a_page_right_is_told_by_the_first_read(
    store: Path, tmp_path: Path
) -> None:
    # Given a byte in the middle of a page that is not what was written, in each page in its turn
    (log,) = (store / "streams").glob("*.db")
    whole = log.read_bytes()
    told = 0
    for place in range(PAGE + PAGE // 2, len(whole), PAGE):
        copy = Path(shutil.copytree(store, tmp_path / f"copy{place}"))
        changed = bytearray(whole)
        changed[place] ^= 0x10
        (copy / "streams" / log.name).write_bytes(changed)
        # When somebody asks, then it is answered as ever, or the damage is told
        try:
            with muniment.open(copy) as memory:
                assert SAID in memory.agent("ada", user="tuff").recall(SAID).hits[0].text
        except IntegrityError as error:
            assert "doctor --deep" in str(error)  # noqa: PT017 - both answers are right
            told += 1
    assert told
