"""A full disk is an answer, not a loss: nothing is dropped, and reading goes on."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests import world
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import StorageFullError, StoreError

PAGES = 120  # of 4 KiB: room for a few hundred sentences
SENTENCE = "a sentence that takes a little room on the disk, number {}"


def fill(ada: Agent) -> list[str]:
    """Remember until there is no room; returns the ids of what was acknowledged."""
    kept: list[str] = []
    try:
        while len(kept) < 100_000:
            kept += [ada.remember(SENTENCE.format(len(kept))).episodic_id]
    except StorageFullError:
        return kept
    pytest.fail("the disk never ran full")


def stuff(path: Path) -> None:
    """Take all the room there is."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass


def everything_is_there(memory: Memory, ada: Agent, kept: list[str]) -> None:
    assert kept
    assert [ada.episode(each).episodic_id for each in kept] == kept
    assert memory.prove()


@pytest.mark.covers("A-138")
def test_a_file_that_may_not_grow_answers_storage_full_and_loses_nothing(tmp_path: Path) -> None:
    keyring = world.CountedKeyring()
    small = SqliteStore(tmp_path, page_limit=PAGES)
    memory = world.memory(store=small, keyring=keyring)
    ada = memory.agent("ada", user="tuff")
    kept = fill(ada)
    seq = ada.seq

    with pytest.raises(StorageFullError) as full:
        ada.remember(SENTENCE.format("again"))
    assert full.value.envelope().error_code == "STORAGE_FULL"
    assert full.value.envelope().outcome == "not_written"
    assert ada.seq == seq
    everything_is_there(memory, ada, kept)
    small.close()

    roomy = world.memory(store=SqliteStore(tmp_path), keyring=keyring)
    again = roomy.agent("ada", user="tuff")
    kept.append(again.remember(SENTENCE.format("with room")).episodic_id)
    everything_is_there(roomy, again, kept)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Sixteen megabytes of memory as a disk of its own; only root may make one."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small RAM disk; the page limit shows the rest")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip(f"this machine mounts no RAM disk: {made.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=False)


@pytest.mark.covers("A-138", "A-139")
def test_a_really_full_disk_keeps_its_entries_and_tells_the_administrator(small_disk: Path) -> None:
    folder = small_disk / "memory"
    memory = open_memory(folder, Settings())
    ada = memory.agent("ada", user="tuff")
    kept = [ada.remember(SENTENCE.format("first")).episodic_id]
    stuffing = small_disk / "stuffing"
    stuff(stuffing)

    kept += fill(ada)

    everything_is_there(memory, ada, kept)
    queue = memory.admin().incidents(queue="admin")
    assert [incident.kind for incident in queue][:1] == ["STORAGE_FULL"]

    stuffing.unlink()
    kept.append(ada.remember(SENTENCE.format("with room")).episodic_id)
    everything_is_there(memory, ada, kept)
    memory.close()
    with muniment.open(folder) as reopened:
        everything_is_there(reopened, reopened.agent("ada", user="tuff"), kept)


@pytest.mark.covers("A-138")
def test_whoever_comes_to_a_full_disk_reads_and_proves_and_the_ballast_is_made_whole_again(
    small_disk: Path,
) -> None:
    folder, stuffing = small_disk / "memory", small_disk / "stuffing"
    with muniment.open(folder) as memory:
        kept = [memory.agent("ada", user="tuff").remember(SENTENCE.format("first")).episodic_id]
    ballast = (folder / "ballast").stat().st_size
    stuff(stuffing)

    with muniment.open(folder) as memory:
        everything_is_there(memory, memory.agent("ada", user="tuff"), kept)
    assert (folder / "ballast").stat().st_size > ballast // 2

    stuffing.unlink()
    with muniment.open(folder) as memory:
        everything_is_there(memory, memory.agent("ada", user="tuff"), kept)
    assert (folder / "ballast").stat().st_size == ballast


@pytest.mark.covers("A-138", "A-146")
def test_who_is_refused_uses_up_no_room_that_a_reading_or_an_erasure_needs(
    small_disk: Path,
) -> None:
    folder, stuffing = small_disk / "memory", small_disk / "stuffing"
    memory = muniment.open(folder)
    mia = memory.agent("ada", user="mia")
    memory.agent("ada", user="tuff").remember("I moved to Lisbon in March")
    kept = [mia.remember(SENTENCE.format("first")).episodic_id]
    request = memory.eraser().request("tuff", reason="asked")
    memory.council().approve(request)
    ballast = (folder / "ballast").stat().st_size
    stuff(stuffing)

    for number in range(32):
        with pytest.raises(StorageFullError):
            mia.remember(SENTENCE.format(number) * 300)
    assert (folder / "ballast").stat().st_size > ballast // 2

    with muniment.open(folder) as other:
        everything_is_there(other, other.agent("ada", user="mia"), kept)
        assert other.eraser().carry_out(request).fragments
    assert (folder / "ballast").stat().st_size > ballast // 2
    everything_is_there(memory, mia, kept)

    stuffing.unlink()
    kept.append(mia.remember(SENTENCE.format("with room")).episodic_id)
    assert (folder / "ballast").stat().st_size == ballast
    everything_is_there(memory, mia, kept)
    memory.close()


@pytest.mark.covers("A-138", "A-146")
def test_on_a_full_disk_an_erasure_is_asked_for_voted_and_carried_out(small_disk: Path) -> None:
    folder, stuffing = small_disk / "memory", small_disk / "stuffing"
    with muniment.open(folder) as memory:
        memory.agent("ada", user="tuff").remember("I moved to Lisbon in March")
        kept = [memory.agent("ada", user="mia").remember(SENTENCE.format("first")).episodic_id]
    stuff(stuffing)

    with muniment.open(folder) as memory:
        mia = memory.agent("ada", user="mia")
        kept += fill(mia)
        request = memory.eraser().request("tuff", reason="they asked")
        assert memory.council().approve(request) == "approved"
        assert memory.eraser().carry_out(request).fragments
        everything_is_there(memory, mia, kept)
        kept += fill(mia)  # it is as full as it was

    stuffing.unlink()
    with muniment.open(folder) as memory:
        assert "Lisbon" not in str(memory.agent("ada", user="tuff").recall("Lisbon").hits)
        everything_is_there(memory, memory.agent("ada", user="mia"), kept)


def test_a_memory_whose_last_receipts_find_no_room_says_so_and_is_closed(tmp_path: Path) -> None:
    memory = world.memory(store=SqliteStore(tmp_path, page_limit=PAGES))
    ada = memory.agent("ada", user="tuff")
    fill(ada)
    for _ in range(20):  # so many receipts that they do not fit into what is left of a page
        ada.recall("a sentence")

    with pytest.raises(StorageFullError):
        memory.close()

    with pytest.raises(StoreError, match="closed"):
        ada.remember(SENTENCE.format("again"))


def test_a_policy_is_written_whole_or_not_at_all(small_disk: Path) -> None:
    shell = Shell("--store", str(small_disk / "memory"))
    assert shell("remember", "I moved to Lisbon in March").exit_code == Exit.DONE
    stuff(small_disk / "stuffing")

    assert shell("init").exit_code == Exit.STORE
    assert not list((small_disk / "memory").glob("policy*"))
