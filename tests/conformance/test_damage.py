"""Damage to any file of a memory is noticed, laid to the right cause, and mended where it can be.

The log is the truth: where it is damaged, nothing but a backup helps, and nobody is served what
does not verify. Everything else follows from it, and is made again.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import LiteralString

import apsw
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.sqlite import repair
from muniment.model.errors import IntegrityError, KeystoreError, MunimentError

SCARCE = 150  # enough sentences for a piece of an index
ONE_BY_ONE = 70  # said apart, each an append of its own: enough for a checkpoint
LIVED = "Ann bought bike number 7"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("lived") / "memory"
    with muniment.open(store) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many([f"Ann bought bike number {n}" for n in range(SCARCE)])
        for n in range(ONE_BY_ONE):
            ada.remember(f"Bob saw film number {n}")
        ada.recall("which bike")
        with ada.job("a step") as job:
            job.tick()  # an entry that is about nobody
        memory.agent("bob", user="tuff").remember("I moved to Porto")
    return store


@pytest.fixture
def store(lived: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(lived, tmp_path / "memory"))


def log_of(store: Path) -> Path:
    """The larger log is ada's."""
    return max((store / "streams").glob("*.db"), key=lambda path: path.stat().st_size)


def shell(store: Path) -> Shell:
    return Shell("--store", str(store), "--agent", "ada", "--user", "tuff")


def changed(path: Path, sql: str) -> None:
    """Somebody's hand, with every guard taken away and put back: only the rows are other ones."""
    with closing(apsw.Connection(str(path))) as hand:
        told = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        guards = hand.execute(told).fetchall()
        for name, _ in guards:
            hand.execute(f"DROP TRIGGER {name}")
        hand.execute(sql)
        for _, guard in guards:
            hand.execute(str(guard))


def page_lost(path: Path, tree: str) -> None:
    """A block of the disk that reads as zeros, at the root of a table or an index."""
    with closing(apsw.Connection(str(path))) as looking:
        size = int(str(looking.pragma("page_size")))
        root = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        page = int(str(looking.execute(root, (tree,)).get))
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x00" * size)


def findings(store: Path, *words: str) -> Iterator[dict[str, str]]:
    yield from json.loads(shell(store)("doctor", *words, "--json").stdout)["findings"]


def codes(store: Path, *words: str) -> set[str]:
    """What is worth a hand, by its stable code."""
    ours = ("bad", "warn")
    found = [each for each in findings(store, *words) if each["state"] in ours]
    assert all(each["code"] for each in found)
    return {each["code"] for each in found}


@pytest.mark.parametrize(
    "tree",
    [
        "row",
        "row_alive",
        "row_id",
        "row_key",
        "checkpoint",
        "segment",
        "episode",
        "entry_operation",
        "fragment_subject",
        "fragment_emptied",
        "partless",
    ],
)
def test_a_lost_page_of_what_is_derived_is_told_and_mended_by_a_rebuild(
    store: Path, tree: str
) -> None:
    page_lost(log_of(store), tree)

    assert "DERIVED_DAMAGE" in codes(store, "--deep")
    assert shell(store)("prove").exit_code == Exit.INTEGRITY
    assert shell(store)("rebuild").exit_code == Exit.DONE

    assert codes(store, "--deep") == set()
    assert shell(store)("remember", "Ann sold a bike").exit_code == Exit.DONE
    assert LIVED in shell(store)("recall", LIVED).stdout
    assert shell(store)("prove").exit_code == Exit.DONE
    assert list(store.rglob("*.mending*")) == []


@pytest.mark.parametrize("tree", ["entry", "fragment"])
def test_a_lost_page_of_a_log_is_for_a_backup_and_a_rebuild_changes_nothing(
    store: Path, tree: str
) -> None:
    page_lost(log_of(store), tree)
    before = log_of(store).read_bytes()

    (bad,) = (each for each in findings(store, "--deep") if each["state"] == "bad")
    again = shell(store)("rebuild")

    assert (bad["code"], again.exit_code) == ("INTEGRITY_FAIL", Exit.INTEGRITY)
    assert "muniment restore" in bad["do"]
    assert log_of(store).read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE fragment SET data = zeroblob(length(data))"
        " WHERE place = (SELECT place FROM fragment ORDER BY place LIMIT 1 OFFSET 60)",
        "UPDATE entry SET header = zeroblob(length(header)) WHERE seq = 60",
        "UPDATE entry SET hash = zeroblob(32) WHERE seq = 60",
        "DELETE FROM entry WHERE seq = 60",
    ],
)
def test_a_changed_entry_is_told_by_a_deep_look_and_never_served(store: Path, sql: str) -> None:
    changed(log_of(store), sql)
    assert codes(store, "--deep") == {"INTEGRITY_FAIL"}
    assert shell(store)("rebuild").exit_code == Exit.INTEGRITY
    with muniment.open(store) as memory:
        stream = next(each for each in memory.streams() if "ada" in each.text)
        with pytest.raises(IntegrityError):
            memory.log(stream)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM row WHERE born = 60",
        "UPDATE row SET died = 100 WHERE born = 60",
        "UPDATE row SET id_token = zeroblob(16) WHERE born = 60",
        "UPDATE row SET key_token = zeroblob(16) WHERE key_token IS NOT NULL",
        "INSERT INTO row (shelf, born, n) VALUES ('episodic', 60, 777)",
        "UPDATE checkpoint SET data = zeroblob(length(data))",
        "UPDATE checkpoint SET seq = seq - 10",
        "DELETE FROM partless WHERE seq = (SELECT max(seq) FROM partless)",
    ],
)
def test_a_changed_shelf_or_desk_is_told_and_mended_by_a_rebuild(store: Path, sql: str) -> None:
    changed(log_of(store), sql)
    assert codes(store, "--deep") == {"DERIVED_DAMAGE"}
    assert shell(store)("rebuild").exit_code == Exit.DONE
    assert codes(store, "--deep") == set()


def test_a_desk_that_does_not_open_is_folded_from_the_log(store: Path) -> None:
    changed(log_of(store), "UPDATE checkpoint SET data = zeroblob(length(data))")
    assert codes(store) == {"DERIVED_DAMAGE"}  # cheap enough for every look
    assert shell(store)("remember", "Ann sold a bike").exit_code == Exit.DONE
    assert shell(store)("prove").exit_code == Exit.DONE


def test_who_has_the_file_open_goes_on_with_the_mended_one(store: Path) -> None:
    with muniment.open(store) as beside:
        ada = beside.agent("ada", user="tuff")
        ada.remember("said before")
        page_lost(log_of(store), "row_key")
        assert shell(store)("rebuild").exit_code == Exit.DONE
        ada.remember("said after")
        told = [hit.text for hit in ada.recall("said before or after").hits]
    assert {"said before", "said after"} <= set(told)
    assert codes(store, "--deep") == set()


def test_a_mending_that_was_killed_leaves_nothing_that_lasts(store: Path) -> None:
    left = log_of(store).with_suffix(repair.BESIDE)
    left.write_bytes(b"half a file")
    assert shell(store)("rebuild").exit_code == Exit.DONE
    assert not left.exists()


def older_keys(store: Path, tmp_path: Path) -> None:
    """The keys as they were before another agent came."""
    older = tmp_path / "older"
    shutil.copytree(store / "keys", older)
    with muniment.open(store) as memory:
        memory.agent("carol").remember("I moved to Faro")
    shutil.rmtree(store / "keys")
    shutil.copytree(older, store / "keys")


def test_keys_that_are_older_than_the_memory_begin_no_second_history(
    store: Path, tmp_path: Path
) -> None:
    older_keys(store, tmp_path)

    (bad,) = (each for each in findings(store) if each["state"] == "bad")

    assert bad["code"] == "STRAY_LOG"
    with muniment.open(store) as memory, pytest.raises(KeystoreError, match="has no key here"):
        memory.agent("carol").remember("I moved to Faro")
    for words in (("prove",), ("backup", str(tmp_path / "copy"))):
        told = shell(store)(*words)
        assert (told.exit_code, "has no key here" in told.stderr) == (Exit.STORE, True)


def test_a_key_that_does_not_open_is_told_at_a_glance(store: Path) -> None:
    changed(
        store / "keys" / "keystore.db",
        "UPDATE key SET wrapped = zeroblob(length(wrapped)) WHERE number = 1",
    )
    assert "KEYSTORE_UNREADABLE" in codes(store)


@pytest.mark.parametrize("name", ["keys/keystore.db", "streams"])
def test_a_file_that_others_may_read_is_told(store: Path, name: str) -> None:
    path = log_of(store) if name == "streams" else store / name
    path.chmod(0o644)
    assert codes(store) == {"PERMISSIONS_OPEN"}


def cut(path: Path) -> None:
    os.truncate(path, 4096)


def overwritten(path: Path) -> None:
    path.write_bytes(b"a shopping list")


@pytest.mark.parametrize("harm", [cut, overwritten])
def test_a_torn_file_is_called_by_its_name(store: Path, harm: Callable[[Path], None]) -> None:
    harm(log_of(store))
    told = shell(store)("recall", "bike")
    assert told.exit_code == Exit.INTEGRITY
    assert log_of_words(store, told.stderr)
    harm(store / "keys" / "keystore.db")
    assert "keystore is damaged" in shell(store)("recall", "bike").stderr


def log_of_words(store: Path, said: str) -> bool:
    return any(path.stem[:8] in said for path in (store / "streams").glob("*.db"))


def test_no_damage_anywhere_makes_anybody_say_something_that_is_not_in_the_log(store: Path) -> None:
    """A byte changed here and there: an answer is the truth, or there is none."""
    size = log_of(store).stat().st_size
    for at in range(5_000, size, size // 12):
        path = Path(shutil.copytree(store, store.parent / f"at-{at}"))
        with log_of(path).open("r+b") as file:
            file.seek(at)
            old = file.read(64)
            file.seek(at)
            file.write(bytes(byte ^ 0x55 for byte in old))
        with suppress(MunimentError), muniment.open(path) as memory:
            hits = memory.agent("ada", user="tuff").recall("which bike did Ann buy").hits
            assert all(hit.text.startswith(("Ann bought", "Bob saw")) for hit in hits)


def changed_on_server(dsn: str, statement: LiteralString, stream: bytes) -> None:
    """The owner's hand, in one transaction: the guards hold for whoever forgets them."""
    with psycopg.connect(dsn) as hand:
        hand.execute("SET search_path TO muniment")
        guards = hand.execute(
            "SELECT tgrelid::regclass::text, tgname FROM pg_trigger JOIN pg_class c"
            " ON c.oid = tgrelid WHERE NOT tgisinternal AND tgenabled = 'A'"
            " AND c.relnamespace = 'muniment'::regnamespace"
        ).fetchall()
        for word in (SQL("DISABLE TRIGGER"), None, SQL("ENABLE ALWAYS TRIGGER")):
            for table, name in guards if word else ():
                named = (Identifier(table), word, Identifier(name))
                hand.execute(SQL("ALTER TABLE {} {} {}").format(*named))
            if word is None:
                assert hand.execute(statement, (stream,)).rowcount


@pytest.mark.parametrize(
    ("sql", "code", "mended"),
    [
        ("UPDATE shelf_row SET id_token = '\\x00' WHERE id_token IS NOT NULL", "DERIVED", True),
        ("DELETE FROM shelf_row WHERE true", "DERIVED", True),
        ("UPDATE checkpoint SET data = '\\x00' WHERE true", "DERIVED", True),
        ("UPDATE entry SET header = header || '\\x20' WHERE seq = 3", "INTEGRITY", False),
        ("DELETE FROM fragment WHERE seq = 3", "INTEGRITY", False),
    ],
)
def test_a_row_changed_by_hand_on_a_server_is_told_apart_in_the_same_way(
    postgres: PostgresServer, tmp_path: Path, sql: LiteralString, code: str, *, mended: bool
) -> None:
    there = Shell("--store", postgres.dsn, "--keys", str(tmp_path), "--agent", "ada")
    with muniment.open(postgres.dsn, keys=tmp_path) as memory:
        ada = memory.agent("ada")
        for n in range(ONE_BY_ONE):
            ada.remember(f"Ann bought bike number {n}")
    with closing(FileKeystore(tmp_path)) as keys:
        stream = bytes.fromhex(keys.ref("stream", "main/agent/ada/actor"))
    changed_on_server(postgres.dsn, sql + " AND stream = %s", stream)

    found = json.loads(there("doctor", "--deep", "--json").stdout)["findings"]

    assert any(each["code"].startswith(code) for each in found)
    assert (there("rebuild").exit_code == Exit.DONE) is mended
    assert (there("prove").exit_code == Exit.DONE) is mended
