"""The master key is exchanged at once or not at all, under whoever has the memory open."""

import multiprocessing
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.conformance.disks import residue
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.keys import master_key
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.model.errors import KeystoreError

NAMES = [f"subject-{n}" for n in range(40)]
# What an exchange does to the world, one after the other; a process is killed before each of them.
STEPS = ("put_next", "CLEAR", "GUARDS", "EXCHANGE", "committed", "wiped", "replaced")
KILLED = """
import os, signal, sys
from pathlib import Path
from muniment.adapters.keys import key_table as keyfile, master_key as masters
from muniment.adapters.keys.keystore import FileKeystore

step = sys.argv[2]

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

keystore = FileKeystore(Path(sys.argv[1]))
ask = keystore._file.ask
if step in ("CLEAR", "GUARDS"):
    wanted = getattr(keyfile, step)
    keystore._file.ask = lambda sql, *v: die() if sql == wanted else ask(sql, *v)
elif step == "EXCHANGE":
    keystore._file.ask = lambda sql, *v: die() if sql == masters.EXCHANGE else ask(sql, *v)
elif step == "put_next":
    masters.put_next = die
elif step == "committed":
    keystore.held = die
elif step == "wiped":
    masters._wipe = die
elif step == "replaced":
    Path.replace = die
keystore.exchange()
"""


def made(folder: Path) -> dict[str, tuple[str, bytes | None]]:
    with closing(FileKeystore(folder)) as keystore:
        refs = {name: keystore.ref("subject", name) for name in NAMES}
        keystore.destroy(refs[NAMES[3]])
        return {name: (ref, keystore.key(ref)) for name, ref in refs.items()}


def told(folder: Path) -> dict[str, tuple[str, bytes | None]]:
    with closing(FileKeystore(folder)) as keystore:
        found = {name: keystore.find("subject", name) for name in NAMES}
        assert found.pop(NAMES[3]) is None
        assert len(keystore.known("subject")) == len(NAMES) - 1
        assert len(keystore.destroyed()) == 1
        return {name: (str(ref), keystore.key(str(ref))) for name, ref in found.items()}


def sealed(folder: Path) -> list[bytes]:
    with closing(apsw.Connection(str(folder / "keys" / "keystore.db"))) as looking:
        rows = looking.execute("SELECT name, wrapped FROM key WHERE wrapped IS NOT NULL")
        return [value for row in rows.fetchall() for value in row if isinstance(value, bytes)]


def without_the_destroyed(
    kept: dict[str, tuple[str, bytes | None]],
) -> dict[str, tuple[str, bytes | None]]:
    return {name: its for name, its in kept.items() if name != NAMES[3]}


def test_every_key_is_the_same_and_nothing_of_the_old_wrapping_is_left(tmp_path: Path) -> None:
    kept = made(tmp_path)
    master, old = (tmp_path / "keys" / master_key.MASTER).read_bytes(), sealed(tmp_path)

    with closing(FileKeystore(tmp_path)) as keystore:
        assert keystore.exchange() == len(NAMES) - 1

    assert told(tmp_path) == without_the_destroyed(kept)
    assert residue(tmp_path, master, *old) == []
    assert not (tmp_path / "keys" / master_key.NEXT).exists()


def test_the_old_master_key_opens_nothing_any_more(tmp_path: Path) -> None:
    made(tmp_path)
    path = tmp_path / "keys" / master_key.MASTER
    master = path.read_bytes()
    with closing(FileKeystore(tmp_path)) as keystore:
        keystore.exchange()
    path.write_bytes(master)
    with pytest.raises(KeystoreError, match="does not belong"):
        FileKeystore(tmp_path)


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_leaves_a_keystore_that_opens_and_one_master_key(
    tmp_path: Path, step: str
) -> None:
    kept = made(tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), step], capture_output=True, check=False
    )
    assert run.returncode == -signal.SIGKILL, run.stderr

    assert told(tmp_path) == without_the_destroyed(kept)
    assert not (tmp_path / "keys" / master_key.NEXT).exists()
    with closing(FileKeystore(tmp_path)) as keystore:  # and it can be done again
        keystore.exchange()
    assert told(tmp_path) == without_the_destroyed(kept)


def test_whoever_has_it_open_goes_on_and_gives_no_name_twice(tmp_path: Path) -> None:
    kept = made(tmp_path)
    with closing(FileKeystore(tmp_path)) as one, closing(FileKeystore(tmp_path)) as beside:
        assert beside.find("subject", NAMES[0]) == kept[NAMES[0]][0]
        one.exchange()
        assert {beside.ref("subject", each) for each in NAMES[:3]} == {
            kept[each][0] for each in NAMES[:3]
        }
        assert beside.key(kept[NAMES[5]][0]) == kept[NAMES[5]][1]
        fresh = beside.ref("subject", "somebody new")
        assert one.find("subject", "somebody new") == fresh
        assert one.known("subject") == beside.known("subject")


def exchange(folder: Path, times: int = 10) -> None:
    with closing(FileKeystore(folder)) as keystore:
        for _ in range(times):
            keystore.exchange()


def ask(folder: Path, number: int) -> None:
    with closing(FileKeystore(folder)) as keystore:
        for n in range(60):
            keystore.ref("subject", f"made-{n}")
            keystore.ref("subject", f"made-{number}-{n}")


def test_whoever_reads_while_it_is_exchanged_finds_the_key_that_fits(tmp_path: Path) -> None:
    made(tmp_path)
    with closing(FileKeystore(tmp_path)) as reader:
        ask = reader._file.ask
        exchanges = iter([1, 1, 1])  # one lies between the files and the keystore, three times over

        def asked_late(sql: str, *values: str | bytes | None) -> list[tuple[Any, ...]]:
            exchange(tmp_path, next(exchanges, 0))
            return ask(sql, *values)

        reader._file.ask = asked_late  # type: ignore[method-assign]
        found = master_key.found(reader._file, tmp_path / "keys")
        assert next(exchanges, None) is None
        assert found == (tmp_path / "keys" / master_key.MASTER).read_bytes()


def test_many_processes_agree_while_it_is_exchanged_again_and_again(tmp_path: Path) -> None:
    kept = made(tmp_path)
    spawn = multiprocessing.get_context("spawn")
    crowd = [spawn.Process(target=exchange, args=(tmp_path,)) for _ in range(2)]
    crowd += [spawn.Process(target=ask, args=(tmp_path, n)) for n in range(2)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert [each.exitcode for each in crowd] == [0] * 4
    with closing(FileKeystore(tmp_path)) as keystore:
        names = [name for _, name in keystore.known("subject")]
        assert keystore.damaged() == []
        assert keystore.ref("subject", NAMES[0]) == kept[NAMES[0]][0]
    assert len(names) == len(set(names)) == len(NAMES) - 1 + 60 + 2 * 60


def test_a_memory_goes_on_under_another_master_key(tmp_path: Path) -> None:
    store, copy = tmp_path / "memory", tmp_path / "copy"
    shell = Shell("--store", str(store), "--user", "tuff")
    assert shell("remember", "I moved to Lisbon").exit_code == Exit.DONE
    assert shell("backup", str(copy)).exit_code == Exit.DONE
    with muniment.open(store) as beside:
        assert shell("rekey", "--yes").exit_code == Exit.DONE
        beside.agent("default", user="tuff").remember("I moved to Porto")
    assert "Porto" in shell("recall", "Porto").stdout
    assert shell("prove").exit_code == Exit.DONE
    # A backup of then is opened by the master key of then, which it holds itself.
    assert shell("prove", str(copy)).exit_code == Exit.DONE


def test_a_copy_follows_a_memory_whose_master_key_was_exchanged(tmp_path: Path) -> None:
    store, copy = tmp_path / "memory", tmp_path / "copy"
    shell = Shell("--store", str(store), "--user", "tuff")
    assert shell("remember", "I moved to Lisbon").exit_code == Exit.DONE
    assert shell("copy-store", str(copy)).exit_code == Exit.DONE
    assert shell("rekey", "--yes").exit_code == Exit.DONE
    assert shell("remember", "I moved to Porto").exit_code == Exit.DONE
    assert shell("copy-store", str(copy)).exit_code == Exit.DONE
    assert "Porto" in Shell("--store", str(copy), "--user", "tuff")("recall", "Porto").stdout
    masterly = {(folder / "keys" / master_key.MASTER).read_bytes() for folder in (store, copy)}
    assert len(masterly) == 2  # each place has its own


def test_a_memory_on_a_server_has_its_keys_exchanged_where_they_lie(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    keys = tmp_path / "keys-of-it"
    shell = Shell("--store", postgres.dsn, "--keys", str(keys), "--user", "tuff")
    assert shell("remember", "I moved to Lisbon").exit_code == Exit.DONE
    assert shell("rekey", "--yes").exit_code == Exit.DONE
    assert "Lisbon" in shell("recall", "Lisbon").stdout
    assert shell("prove").exit_code == Exit.DONE


def test_where_there_are_no_keys_none_are_made(tmp_path: Path) -> None:
    told = Shell("--store", str(tmp_path / "nowhere"))("rekey", "--yes")
    assert told.exit_code == Exit.NOT_FOUND
    assert not (tmp_path / "nowhere").exists()


def test_a_look_from_where_nothing_can_be_written_finds_the_key_that_fits(tmp_path: Path) -> None:
    kept = made(tmp_path)
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), "committed"], check=False)
    assert run.returncode == -signal.SIGKILL
    with closing(FileKeystore(tmp_path, still=True)) as looking:
        assert looking.find("subject", NAMES[0]) == kept[NAMES[0]][0]
    assert (tmp_path / "keys" / master_key.NEXT).exists()  # nothing was touched
