"""A memory where nothing can be written: it is read and proved as it lies, and stays as it is."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.model.errors import ReadOnlyError, StoreError

TOLD = "I moved to Lisbon in March"
Put = Callable[[Path], Path]


def filled(folder: Path) -> Path:
    with muniment.open(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember(TOLD)
        wish = ada.remember("Remember my favourite colour is cerulean")
        assert wish.question
        ada.confirm(wish.question.confirmation_id)
        ada.recall("Lisbon")
    return folder


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Put]:
    """Shows a folder where it can be read and not written; what is written behind it is seen."""
    place = tmp_path / "still"

    def put(folder: Path) -> Path:
        if os.geteuid() != 0:
            for each in (folder, folder / "streams", folder / "keys"):
                each.chmod(0o500)
            return folder
        place.mkdir()
        subprocess.run(["mount", "--bind", str(folder), str(place)], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", str(place)], check=True)
        return place

    yield put
    if place.exists():
        subprocess.run(["umount", "-l", str(place)], check=False)
    for each in tmp_path.rglob("*"):
        if each.is_dir():
            each.chmod(0o700)


def contents(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_everything_is_read_and_proved_and_nothing_is_changed(tmp_path: Path, still: Put) -> None:
    folder = filled(tmp_path / "memory")
    before = contents(folder)

    with muniment.open(still(folder)) as memory:
        ada = memory.agent("ada", user="tuff")
        assert ada.recall("Where do I live? Lisbon").hits[0].text == TOLD
        assert "Lisbon" in ada.context("Lisbon", budget=200).text
        assert [each.status for each in memory.council().requests()] == ["pending"]
        assert sum(proof.entries for proof in memory.prove()) > 0
        ada.flush()

    assert contents(folder) == before


def test_whoever_was_never_here_reads_nothing_and_is_not_made(tmp_path: Path, still: Put) -> None:
    with muniment.open(still(filled(tmp_path / "memory"))) as memory:
        assert not memory.agent("ada", user="nobody").recall("Lisbon").hits
        assert not memory.agent("eve", user="nobody").recall("Lisbon").hits


def test_every_write_is_refused_in_one_sentence(tmp_path: Path, still: Put) -> None:
    with muniment.open(still(filled(tmp_path / "memory"))) as memory:
        ada = memory.agent("ada", user="tuff")
        request = memory.council().requests()[0].request_id
        known = ada.recall("Lisbon").hits[0].id
        for write in (
            lambda: ada.remember("And back again in May"),
            lambda: memory.agent("eve", user="new").remember("Hello"),
            lambda: memory.council("grace").approve(request),
            lambda: memory.admin().read_payload("ada", known, reason="why"),
            memory.rebuild,
        ):
            with pytest.raises(ReadOnlyError) as told:
                write()
            assert told.value.envelope().error_code == "READ_ONLY"


def test_more_questions_than_receipts_can_wait_are_answered(tmp_path: Path, still: Put) -> None:
    with muniment.open(still(filled(tmp_path / "memory"))) as memory:
        ada = memory.agent("ada", user="tuff")
        for number in range(300):
            assert ada.recall(f"Lisbon {number}").hits


def test_what_somebody_writes_behind_it_is_seen(tmp_path: Path, still: Put) -> None:
    folder = filled(tmp_path / "memory")
    if os.geteuid() != 0:
        pytest.skip("the folder itself cannot be written here, so nobody writes behind it")
    with muniment.open(still(folder)) as reading:
        ada = reading.agent("ada", user="tuff")
        assert not [hit for hit in ada.recall("ferry").hits if "ferry" in hit.text]
        with muniment.open(folder) as writing:
            writing.agent("ada", user="tuff").remember("the ferry leaves at nine")
            assert ada.recall("ferry").hits[0].text == "the ferry leaves at nine"
        assert ada.recall("ferry").hits[0].text == "the ferry leaves at nine"
        assert reading.prove()


def test_a_log_that_was_not_closed_is_not_read_without_its_end(tmp_path: Path, still: Put) -> None:
    folder = filled(tmp_path / "memory")
    writing = muniment.open(folder)
    writing.agent("ada", user="tuff").remember("the ferry leaves at nine")
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*-shm"))  # as a kill leaves it
    writing.close()

    with muniment.open(still(copy)) as memory, pytest.raises(StoreError, match="not closed"):
        memory.agent("ada", user="tuff").recall("ferry")


def test_the_terminal_reads_backs_up_and_says_what_it_is(tmp_path: Path, still: Put) -> None:
    folder = still(filled(tmp_path / "memory"))
    shell = Shell("--store", str(folder), "--agent", "ada", "--user", "tuff")

    assert TOLD in shell("recall", "Lisbon").stdout
    assert "Proved" in shell("prove").stdout
    assert shell("log").exit_code == Exit.DONE
    assert shell("export", str(tmp_path / "out.jsonl")).exit_code == Exit.DONE
    assert shell("backup", str(tmp_path / "backup")).exit_code == Exit.DONE
    doctor = shell("doctor")
    assert doctor.exit_code == Exit.DONE, doctor.output
    assert "read-only" in doctor.stdout
    refused = shell("remember", "And back again in May")
    assert refused.exit_code == Exit.STORE
    assert "READ_ONLY" in refused.stderr
