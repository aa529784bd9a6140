"""A backup is of one moment, of every tenant, and whole; what cannot be proved is not left there.

Given a memory in a folder, when it is copied or brought back while others write, while somebody
holds a lock, or from a copy that is not as it was, then there is a proved whole or nothing.
"""

import json
import resource
import shutil
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

import apsw
import pytest
from tests.terminal import Shell, wishing

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings
from muniment.adapters.operations import backup
from muniment.adapters.storage.folder import incomplete_marker
from muniment.engine.api.memory import Memory
from muniment.model.errors import IntegrityError


def learned(memory: Memory, user: str) -> None:
    """Somebody new says something that becomes a fact; an agent then answers from it."""
    ada = memory.agent("ada", user=user)
    told = ada.remember("Remember my favourite colour is cerulean")
    assert told.question
    request = ada.confirm(told.question.confirmation_id)
    memory.council().approve(request, reason="said so")
    ada.recall("Which colour?")
    ada.remember(f"I am {user} and moved to Lisbon in March")


def restored(source: Path, target: Path) -> Memory:
    backup.restore(source, target, Settings())
    return muniment.open(str(target))


def watching(step: backup.Progress, what: str) -> backup.ProgressWatch:
    """Takes each step of one of the works; the other ones go unnoticed."""
    return lambda work, *_: nullcontext(step if work == what else lambda _: None)


def test_a_backup_says_how_far_it_is_with_every_part_of_its_work(tmp_path: Path) -> None:
    told: list[tuple[str, str, int]] = []

    def watch(
        what: str, unit: str, total: Callable[[], int]
    ) -> AbstractContextManager[backup.Progress]:
        told.append((what, unit, total()))
        return nullcontext(lambda _: None)

    with muniment.open(str(tmp_path / "memory")) as memory:
        learned(memory, "tuff")
        entries = sum(proof.entries for proof in memory.prove())
        logs = len(memory.streams())
    backup.backup(tmp_path / "memory", tmp_path / "copy", Settings(), watch)
    made = backup.restore(tmp_path / "copy", tmp_path / "back", Settings(), watch)

    proving = ("Proving", "entries", entries)
    files = ("Restoring", "files", len(made.files))
    assert told == [("Copying", "logs", logs), proving, files, proving]


def test_a_backup_is_of_one_moment_whoever_writes_meanwhile(tmp_path: Path) -> None:
    """Logs read each other and keys open entries: none may be older in the copy than the rest."""
    with muniment.open(str(tmp_path / "memory")) as memory:
        learned(memory, "tuff")

        def step(number: int) -> None:
            learned(memory, f"guest{number}")

        told = backup.backup(
            tmp_path / "memory", tmp_path / "copy", Settings(), watching(step, "Copying")
        )
    with restored(tmp_path / "copy", tmp_path / "back") as back:
        assert {each.stream: each.head for each in back.prove()} == told.heads
        for guest in ("tuff", "guest1", "guest2"):
            assert back.agent("ada", user=guest).recall("Who moved to Lisbon?").hits


def test_a_backup_waits_for_whoever_makes_a_key(tmp_path: Path) -> None:
    shell = wishing(tmp_path / "memory")
    with closing(apsw.Connection(str(tmp_path / "memory" / "keys" / "keystore.db"))) as other:
        other.execute("BEGIN EXCLUSIVE")
        release = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
        release.start()
        assert shell("backup", str(tmp_path / "copy")).exit_code == Exit.DONE
        release.join()


def test_a_backup_proves_the_logs_of_every_tenant(tmp_path: Path) -> None:
    wishing(tmp_path / "memory")
    other = Shell("--store", str(tmp_path / "memory"), "--tenant", "other", "--user", "ann")
    other("remember", "I live in Porto")
    told = other.document("backup", str(tmp_path / "copy"))
    heads = told["heads"]
    assert isinstance(heads, dict)
    assert {stream.split("/")[0] for stream in heads} == {"main", "other"}
    for tenant in ("main", "other"):
        back = Shell("--store", str(tmp_path / tenant), "--tenant", tenant)
        assert back.document("restore", str(tmp_path / "copy"))["heads"] == heads


def test_a_backup_that_cannot_be_proved_leaves_nothing_behind(tmp_path: Path) -> None:
    """A log of another tenant that lost its last entry is no backup of anybody's."""
    wishing(tmp_path / "memory")
    before = set((tmp_path / "memory" / "streams").glob("*.db"))
    Shell("--store", str(tmp_path / "memory"), "--tenant", "other")("remember", "I live in Porto")
    (log,) = set((tmp_path / "memory" / "streams").glob("*.db")) - before
    with closing(apsw.Connection(str(log))) as file:
        file.execute("DROP TRIGGER entry_is_kept; DELETE FROM entry WHERE seq = 2")
    shell = Shell("--store", str(tmp_path / "memory"))
    assert shell("backup", str(tmp_path / "copy")).exit_code == Exit.INTEGRITY
    assert not list((tmp_path / "copy").glob("*"))


def test_what_is_restored_opens_for_nobody_until_it_is_whole(tmp_path: Path) -> None:
    """Keys come last: a restore that is cut off leaves nothing that looks like a memory."""
    wishing(tmp_path / "memory")("backup", str(tmp_path / "copy"))
    told = backup.read(tmp_path / "copy")
    before = [name for name in told.files if not name.startswith("keys/")]

    def step(number: int) -> None:
        assert (tmp_path / "back" / "keys").exists() == (number > len(before))

    watch = watching(step, "Restoring")
    backup.restore(tmp_path / "copy", tmp_path / "back", Settings(), watch)


def test_a_failed_restore_leaves_nothing_that_looks_like_a_memory(tmp_path: Path) -> None:
    wishing(tmp_path / "memory")("backup", str(tmp_path / "copy"))
    manifest = tmp_path / "copy" / "backup.json"
    good = manifest.read_bytes()
    told = json.loads(good)
    told["heads"] = dict.fromkeys(told["heads"], "00" * 32)
    manifest.write_text(json.dumps(told))
    back = Shell("--store", str(tmp_path / "back"))
    assert back("restore", str(tmp_path / "copy")).exit_code == Exit.INTEGRITY
    assert not list((tmp_path / "back").glob("*"))
    manifest.write_bytes(good)
    assert back("restore", str(tmp_path / "copy")).exit_code == Exit.DONE


def test_a_backup_puts_nothing_outside_of_the_store(tmp_path: Path) -> None:
    wishing(tmp_path / "memory")("backup", str(tmp_path / "copy"))
    manifest = tmp_path / "copy" / "backup.json"
    good = json.loads(manifest.read_bytes())
    for name in ("../mine", "keys/../../mine", "streams/..", "keys/", "/mine"):
        manifest.write_text(json.dumps(good | {"files": good["files"] | {name: "00"}}))
        with pytest.raises(IntegrityError, match="not a file of a store"):
            backup.restore(tmp_path / "copy", tmp_path / "back", Settings())
    assert not (tmp_path / "back").exists()


def test_a_backup_of_a_later_format_is_not_guessed_at(tmp_path: Path) -> None:
    wishing(tmp_path / "memory")("backup", str(tmp_path / "copy"))
    manifest = tmp_path / "copy" / "backup.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"format": 2}))
    back = Shell("--store", str(tmp_path / "back"))
    assert back("restore", str(tmp_path / "copy")).exit_code == Exit.INPUT


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_a_pulled_plug_left_halfway_is_no_memory_and_is_begun_anew(
    tmp_path: Path, command: str
) -> None:
    shell = wishing(tmp_path / "memory")
    shell("backup", str(tmp_path / "copy"))
    half = tmp_path / "half"
    shutil.copytree(tmp_path / "memory", half)
    incomplete_marker.lay(half, command)

    opened = Shell("--store", str(half))("recall", "colour")
    again = {
        "backup": lambda: shell("backup", str(half)),
        "restore": lambda: Shell("--store", str(half))("restore", str(tmp_path / "copy")),
    }[command]()

    assert (opened.exit_code, "UNFINISHED_COPY" in opened.output) == (Exit.STORE, True)
    assert again.exit_code == Exit.DONE
    with muniment.open(half) as memory:
        assert memory.prove()


def test_a_memory_whose_copying_was_cut_short_is_not_cleared_away(tmp_path: Path) -> None:
    """It may hold all but the newest entries: only what begins with nothing is begun anew."""
    shell = wishing(tmp_path / "memory")
    half = tmp_path / "half"
    shutil.copytree(tmp_path / "memory", half)
    incomplete_marker.lay(half, "copy-store")

    assert shell("backup", str(half)).exit_code == Exit.INPUT
    assert (half / "keys" / "master.key").exists()


@pytest.mark.parametrize("verb", ["backup", "copy-store"])
def test_a_copy_without_room_is_said_of_the_copy(tmp_path: Path, verb: str) -> None:
    """Somebody whose quota is used up where the copies lie; the memory itself has room."""
    store, copy = tmp_path / "memory", tmp_path / "copy"
    shell = Shell("--store", str(store))
    assert shell("remember", "I moved to Lisbon").exit_code == Exit.DONE
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
    try:
        told = shell(verb, str(copy))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert told.exit_code == Exit.STORE
    assert told.stderr == (
        "muniment: There is no room for the copy in copy; the memory is as it was. [STORAGE_FULL]\n"
    )
    assert shell(verb, str(copy)).exit_code == Exit.DONE  # once there is room
