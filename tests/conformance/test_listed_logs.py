"""What a keystore lists is compared with the logs that are there: none is left out of a proof.

A list that is too short looks like a memory that holds little. Who is told so believes an erasure
or a proof that has seen none of it.
"""

import json
import os
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.conformance.test_damage import changed
from tests.terminal import Shell
from tests.world import CountedKeyring

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.log.keyring import MemoryKeyring
from muniment.log.sealing import Keyring
from muniment.model.errors import KeystoreError

CUTS = (1, 76, 1_000, 4_000, 4_095)  # bytes of the last page, which is that of an index
LISTING = "UPDATE key SET kind = NULL"  # whoever asks for a kind is not told of these

ANOTHER_INDEX = """
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = 'CREATE INDEX key_kind ON key (token)' WHERE name = 'key_kind';
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    with muniment.open(folder) as memory:
        memory.agent("ada", user="tuff").remember("I live in Odense")
    return folder


def shell(store: Path | str, *more: str) -> Shell:
    return Shell("--store", str(store), "--agent", "ada", "--user", "tuff", *more)


def bad(there: Shell) -> list[str]:
    found = json.loads(there("doctor", "--json").stdout)["findings"]
    return [each["code"] for each in found if each["state"] == "bad"]


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("deep", [(), ("--deep",)])
def test_a_keystore_whose_last_page_is_cut_is_never_taken_for_an_empty_memory(
    store: Path, cut: int, deep: tuple[str, ...]
) -> None:
    path = store / "keys" / "keystore.db"
    os.truncate(path, path.stat().st_size - cut)

    with pytest.raises(KeystoreError, match="ends before its last page"):
        muniment.open(store)
    for words in (("prove",), ("about", "tuff"), ("recall", "where do I live"), ("erase", "tuff")):
        told = shell(store)(*words)
        assert (told.exit_code, "KEYSTORE_UNREADABLE" in told.stderr) == (Exit.STORE, True)
    told = shell(store)("doctor", *deep)
    assert (told.exit_code, "KEYSTORE_UNREADABLE" in told.stdout) == (1, True)


@pytest.mark.parametrize("left", [0, 1, 2, 511])
def test_a_keystore_of_less_than_a_page_is_not_begun_anew(store: Path, left: int) -> None:
    path = store / "keys" / "keystore.db"
    os.truncate(path, left)

    with pytest.raises(KeystoreError, match=r"their keys are missing|is damaged"):
        muniment.open(store)

    assert path.stat().st_size == left


def test_a_keystore_that_grows_beside_its_readers_is_not_taken_for_a_cut_one(store: Path) -> None:
    with closing(FileKeystore(store)) as writer:
        for number in range(200):
            writer.ref("subject", f"a person with a long name, number {number}")
            if number % 20 == 0:
                with closing(FileKeystore(store)) as reader:
                    reader.check()


def test_a_log_that_is_named_and_not_listed_is_told_instead_of_left_out(store: Path) -> None:
    changed(store / "keys" / "keystore.db", LISTING)

    with muniment.open(store) as memory:
        with pytest.raises(KeystoreError, match="does not list the log"):
            memory.streams()
        with pytest.raises(KeystoreError, match="does not list the log"):
            memory.prove()
    assert shell(store)("prove").exit_code == Exit.STORE
    assert "KEYSTORE_UNREADABLE" in bad(shell(store))


def test_an_index_that_differs_from_its_table_is_told_by_doctor_and_proof(store: Path) -> None:
    path = store / "keys" / "keystore.db"
    with closing(apsw.Connection(str(path))) as hand:
        hand.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        hand.execute(ANOTHER_INDEX)
    with closing(FileKeystore(store)) as keys, pytest.raises(KeystoreError, match="damaged"):
        keys.check()
    assert shell(store)("prove").exit_code == Exit.STORE
    assert "KEYSTORE_UNREADABLE" in bad(shell(store))


def test_a_proof_from_python_leaves_no_log_out_either(store: Path, tmp_path: Path) -> None:
    older = shutil.copytree(store / "keys", tmp_path / "older")
    with muniment.open(store) as memory:
        memory.agent("carol").remember("I moved to Faro")
    shutil.rmtree(store / "keys")
    shutil.copytree(older, store / "keys")

    with muniment.open(store) as memory, pytest.raises(KeystoreError, match="has no key here"):
        memory.prove()


def test_logs_on_a_server_are_compared_with_the_names_in_the_same_way(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    keys, older = tmp_path / "keys", tmp_path / "older"
    there = shell(postgres.dsn, "--keys", str(keys))
    with muniment.open(postgres.dsn, keys=keys) as memory:
        memory.agent("ada", user="tuff").remember("I live in Odense")
    shutil.copytree(keys, older)
    with muniment.open(postgres.dsn, keys=keys) as memory:
        memory.agent("carol").remember("I moved to Faro")
    assert there("prove").exit_code == Exit.DONE
    newer = shutil.move(keys, tmp_path / "newer")

    # When the keys are older than the logs
    shutil.copytree(older, keys)
    older_memory = muniment.open(postgres.dsn, keys=keys)
    with older_memory as memory, pytest.raises(KeystoreError, match="has no key here"):
        memory.prove()
    assert there("prove").exit_code == Exit.STORE
    assert "STRAY_LOG" in bad(there)

    # When they list nothing any more
    shutil.rmtree(keys)
    shutil.copytree(newer, keys)
    changed(keys / "keys" / "keystore.db", LISTING)
    assert there("prove").exit_code == Exit.STORE
    assert "KEYSTORE_UNREADABLE" in bad(there)


def given(keyring: Keyring, names: Iterable[str]) -> list[str]:
    return [keyring.ref("stream", name) for name in names]


@pytest.mark.parametrize("make", [lambda: MemoryKeyring(seed=b"seed"), CountedKeyring])
def test_a_log_is_a_stray_where_its_reference_was_never_given_out(make: type[Keyring]) -> None:
    keyring = make()
    kept, gone = given(keyring, ("kept", "gone"))
    keyring.destroy(gone)
    assert keyring.strays([kept, gone, "0" * 32]) == ["0" * 32]


def test_nobody_is_erased_while_a_log_lies_there_that_nobody_can_open(
    store: Path, tmp_path: Path
) -> None:
    with muniment.open(store) as memory:  # whatever an erasure needs begins before the copy
        ask = memory.eraser().request("tuff", reason="a letter")
    older = shutil.copytree(store / "keys", tmp_path / "older")
    with muniment.open(store) as memory:
        memory.agent("carol", user="tuff").remember("I moved to Faro")
    shutil.rmtree(store / "keys")
    shutil.copytree(older, store / "keys")

    with muniment.open(store) as memory:
        memory.council().approve(ask)
        with pytest.raises(KeystoreError, match="has no key here"):
            memory.eraser().carry_out(ask)
        assert memory.agent("ada", user="tuff").recall("where do I live").hits
