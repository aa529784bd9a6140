"""Keyrings: names to references, references to keys, and keys that are destroyed for good."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import apsw
import pytest
from tests.conformance.disks import residue
from tests.conformance.processes import Process
from tests.conformance.streams import run_all

from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.folder.shared_counter import Generation
from muniment.log.keyring import MemoryKeyring, SeededEntropy
from muniment.log.sealing import Keyring
from muniment.model.errors import KeystoreError, MunimentError

SEED = b"a seed for tests"
NAMES = ["acme/bob", "", "a\x00b", "Zoë", "x" * 500, "../bob"]


class KeyringContract:
    """What every keyring promises."""

    def make(self, folder: Path, seed: bytes = b"") -> Keyring:
        raise NotImplementedError

    @pytest.fixture
    def keyring(self, tmp_path: Path) -> Iterator[Keyring]:
        keyring = self.make(tmp_path)
        yield keyring
        if isinstance(keyring, FileKeystore):
            keyring.close()

    @pytest.mark.parametrize("name", NAMES)
    def test_a_name_has_one_reference_with_one_key(self, keyring: Keyring, name: str) -> None:
        ref = keyring.ref("subject", name)
        assert re.fullmatch("[0-9a-f]{32}", ref)
        assert keyring.ref("subject", name) == keyring.find("subject", name) == ref
        assert keyring.name(ref) == name
        key = keyring.key(ref)
        assert key is not None
        assert len(key) == 32
        assert keyring.key(ref) == key

    def test_names_and_kinds_are_kept_apart(self, keyring: Keyring) -> None:
        pairs = [("subject", "bob"), ("actor", "bob"), ("subject", "bo"), ("subjectb", "ob")]
        refs = [keyring.ref(kind, name) for kind, name in pairs]
        assert len(set(refs)) == len({keyring.key(ref) for ref in refs}) == len(pairs)

    def test_finding_makes_nothing(self, keyring: Keyring) -> None:
        assert keyring.find("subject", "bob") is None
        assert keyring.known("subject") == []
        assert keyring.key("0" * 32) is None
        assert keyring.name("0" * 32) is None

    def test_the_known_names_of_a_kind_are_listed_by_name(self, keyring: Keyring) -> None:
        refs = {name: keyring.ref("subject", name) for name in ("carol", "alice", "bob")}
        keyring.ref("stream", "alice")
        assert keyring.known("subject") == [(refs[name], name) for name in sorted(refs)]
        assert keyring.known("other") == []

    def test_a_keyring_that_was_closed_answers_whoever_asks_again(self, keyring: Keyring) -> None:
        ref = keyring.ref("subject", "bob")
        key = keyring.key(ref)
        keyring.close()
        keyring.close()
        assert (keyring.find("subject", "bob"), keyring.key(ref)) == (ref, key)
        assert keyring.ref("subject", "alice") != ref

    def test_a_destroyed_key_answers_none_for_ever(self, keyring: Keyring) -> None:
        ref, other = keyring.ref("subject", "bob"), keyring.ref("subject", "alice")
        kept = keyring.key(other)
        keyring.destroy(ref)
        keyring.destroy(ref)
        keyring.destroy("0" * 32)
        for _ in range(2):
            assert keyring.key(ref) is None
            assert keyring.name(ref) is None
            assert keyring.find("subject", "bob") is None
        assert keyring.known("subject") == [(other, "alice")]
        assert keyring.key(other) == kept

    def test_a_name_that_comes_back_is_someone_else(self, tmp_path: Path) -> None:
        for seed in (b"", SEED):
            keyring = self.make(tmp_path / seed.hex(), seed)
            seen = set()
            for _ in range(3):
                ref = keyring.ref("subject", "bob")
                seen.add((ref, keyring.key(ref)))
                keyring.destroy(ref)
                assert all(keyring.key(old) is None for old, _ in seen)
            assert len({ref for ref, _ in seen}) == len({key for _, key in seen}) == 3

    def test_one_seed_gives_the_same_refs_and_keys_in_any_order(self, tmp_path: Path) -> None:
        names = [("subject", "bob"), ("subject", "alice"), ("stream", "bob")]
        first = told(self.make(tmp_path / "first", SEED), names)
        second = told(self.make(tmp_path / "second", SEED), names[::-1])
        assert first == second == told(MemoryKeyring(seed=SEED), names)
        assert first != told(self.make(tmp_path / "third", b"other"), names)

    def test_without_a_seed_nothing_follows_from_a_name(self, tmp_path: Path) -> None:
        names = [("subject", "bob")]
        first = told(self.make(tmp_path / "first"), names)
        assert first != told(self.make(tmp_path / "second"), names)

    def test_threads_agree_on_a_reference(self, keyring: Keyring) -> None:
        seen: list[tuple[str, bytes | None]] = []

        def ask() -> None:
            for number in range(5):
                ref = keyring.ref("subject", f"{number}")
                seen.append((ref, keyring.key(ref)))

        run_all([ask] * 4)
        assert len(set(seen)) == len(keyring.known("subject")) == 5


class TestMemoryKeyring(KeyringContract):
    def make(self, folder: Path, seed: bytes = b"") -> Keyring:
        if seed:
            return MemoryKeyring(seed=seed)
        return MemoryKeyring(entropy=SeededEntropyWithoutNames(str(folder).encode()))


class TestFileKeystore(KeyringContract):
    def make(self, folder: Path, seed: bytes = b"") -> Keyring:
        return FileKeystore(folder, entropy=SeededEntropy(seed)) if seed else FileKeystore(folder)


class SeededEntropyWithoutNames:
    """Looks like chance, so that nothing is minted from names, and is the same every time."""

    def __init__(self, seed: bytes) -> None:
        self._draw = SeededEntropy(seed)

    def __call__(self, size: int) -> bytes:
        return self._draw(size)


def told(keyring: Keyring, names: list[tuple[str, str]]) -> dict[tuple[str, str], object]:
    refs = {its: keyring.ref(*its) for its in names}
    return {its: (ref, keyring.key(ref)) for its, ref in refs.items()}


# ── On disk ─────────────────────────────────────────────────────────────────────────────────────


def test_a_keystore_is_the_same_when_opened_again(tmp_path: Path) -> None:
    first = FileKeystore(tmp_path)
    bob, alice = first.ref("subject", "bob"), first.ref("subject", "alice")
    key = first.key(alice)
    first.destroy(bob)
    first.close()
    second = FileKeystore(tmp_path)
    assert second.key(alice) == key
    assert second.ref("subject", "alice") == alice
    assert second.key(bob) is None
    assert second.ref("subject", "bob") != bob
    second.close()


def test_without_the_master_key_the_files_say_nothing(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    refs = [keystore.ref("kind-in-clear", f"name-in-clear-{number}") for number in range(50)]
    secrets = [keystore.key(ref) or b"" for ref in refs]
    assert residue(tmp_path, b"kind-in-clear", b"name-in-clear", *secrets) == []
    keystore.close()
    assert residue(tmp_path, b"kind-in-clear", b"name-in-clear", *secrets) == []


def test_no_byte_of_a_destroyed_record_is_left_however_often_one_destroys(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    refs = [keystore.ref("subject", f"{number}" * (number % 9 + 1)) for number in range(150)]
    for ref in refs[::3] + refs[1::3]:
        record = wrapped(tmp_path, ref)
        assert residue(tmp_path, *record) == ["keystore.db"]
        keystore.destroy(ref)
        assert residue(tmp_path, *record) == []
    assert not list(tmp_path.rglob("*-journal"))
    assert all(keystore.key(ref) is not None for ref in refs[2::3])
    keystore.close()


def test_only_the_owner_can_read_the_keys(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    keystore.ref("subject", "bob")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {"keys": 0o700, "keystore.db": 0o600, "master.key": 0o600, "generation": 0o600}
    keystore.close()


def test_the_settings_are_those_of_a_keystore(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    names = ("journal_mode", "synchronous", "secure_delete")
    told = [keystore._file.ask(f"PRAGMA {name}")[0][0] for name in names]
    assert told == ["delete", 3, 1]
    keystore.close()


@pytest.mark.parametrize("statement", ["DELETE FROM key", "UPDATE key SET wrapped = x'00'"])
def test_a_key_is_only_emptied(tmp_path: Path, statement: str) -> None:
    keystore = FileKeystore(tmp_path)
    ref = keystore.ref("subject", "bob")
    with pytest.raises(KeystoreError):
        keystore._file.ask(statement)
    assert keystore.key(ref) is not None
    keystore.close()


@pytest.mark.parametrize("master", [None, b"", b"short", bytes(32), bytes(33)])
def test_a_master_key_that_does_not_fit_is_refused(tmp_path: Path, master: bytes | None) -> None:
    made(tmp_path)
    path = tmp_path / "keys" / "master.key"
    if master is None:
        path.unlink()
    else:
        path.write_bytes(master)
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path)
    assert (path.read_bytes() if path.exists() else None) == master


def test_a_keystore_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "keys" / "keystore.db").unlink()
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path)
    (tmp_path / "keys" / "master.key").unlink()
    (tmp_path / "streams").mkdir()
    (tmp_path / "streams" / f"{'a' * 32}.db").touch()
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path)
    assert not (tmp_path / "keys" / "keystore.db").exists()


def test_a_first_start_that_was_cut_short_is_finished_by_the_next(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "keystore.db").touch()
    (keys / "master.key").write_bytes(b"half")
    keystore = FileKeystore(tmp_path)
    assert keystore.key(keystore.ref("subject", "bob")) is not None
    assert len((keys / "master.key").read_bytes()) == 32
    keystore.close()


def test_a_torn_keystore_is_refused(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "keys" / "keystore.db").write_bytes(b"not a database " * 1000)
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path)


def test_a_changed_record_is_refused(tmp_path: Path) -> None:
    ref = made(tmp_path)
    held = apsw.Connection(str(tmp_path / "keys" / "keystore.db"))
    held.execute("DROP TRIGGER key_is_only_emptied")
    held.execute("UPDATE key SET wrapped = zeroblob(60)")
    held.close()
    keystore = FileKeystore(tmp_path)
    with pytest.raises(KeystoreError):
        keystore.key(ref)
    keystore.close()


def test_a_newer_keystore_is_refused(tmp_path: Path) -> None:
    made(tmp_path)
    held = apsw.Connection(str(tmp_path / "keys" / "keystore.db"))
    held.pragma("user_version", 99)
    held.close()
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path)


def test_the_numbers_that_processes_share_have_their_room_on_the_disk(tmp_path: Path) -> None:
    """To write into a hole when the disk has become full would kill the process, not fail."""
    Generation(tmp_path / "generation").close()
    assert (tmp_path / "generation").stat().st_blocks


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MunimentError):
        FileKeystore(tmp_path / "file")


# ── Several processes ───────────────────────────────────────────────────────────────────────────

MAKE = """
import sys
from pathlib import Path
from muniment.adapters.keys.keystore import FileKeystore
sys.stdin.readline()
keystore = FileKeystore(Path(sys.argv[1]))
refs = [keystore.ref("subject", str(number)) for number in range(10)]
print(*refs, *(keystore.key(ref).hex() for ref in refs))
"""
WATCH = """
import sys
from pathlib import Path
from muniment.adapters.keys.keystore import FileKeystore
keystore = FileKeystore(Path(sys.argv[1]))
for line in sys.stdin:
    key = keystore.key(line.strip())
    print(key.hex() if key else None, keystore.find("subject", "bob"), flush=True)
"""
FORK = """
import os, sys
from pathlib import Path
from muniment.adapters.keys.keystore import FileKeystore
keystore = FileKeystore(Path(sys.argv[1]))
bob = keystore.ref("subject", "bob")
parents = keystore._file._connection
child = os.fork()
if not child:
    keystore.destroy(bob)
    assert keystore._file._connection is not parents
    keystore.ref("subject", "alice")
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
assert keystore.key(bob) is None
assert keystore.find("subject", "alice")
"""


def test_processes_that_make_the_same_names_agree(tmp_path: Path) -> None:
    processes = [Process(MAKE, tmp_path) for _ in range(4)]
    for process in processes:
        process.tell("go")
    told = {process.end() for process in processes}
    assert len(told) == 1
    assert len(told.pop().split()) == 20


def test_a_key_destroyed_here_is_noticed_in_another_process(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    ref, other = keystore.ref("subject", "bob"), keystore.ref("subject", "alice")
    key, kept = keystore.key(ref), keystore.key(other)
    assert key is not None
    assert kept is not None
    watcher = Process(WATCH, tmp_path)
    assert watcher.ask(ref) == f"{key.hex()} {ref}"
    assert watcher.ask(other) == f"{kept.hex()} {ref}"
    keystore.destroy(ref)
    assert watcher.ask(ref) == "None None"
    assert watcher.ask(other) == f"{kept.hex()} None"
    again = keystore.ref("subject", "bob")
    assert watcher.ask(ref) == f"None {again}"
    watcher.end()
    keystore.close()


def test_a_destroyer_that_dies_in_the_middle_leaves_no_trusted_cache(tmp_path: Path) -> None:
    keystore = FileKeystore(tmp_path)
    ref = keystore.ref("subject", "bob")
    assert keystore.key(ref) is not None
    path = tmp_path / "keys" / "generation"
    first, *rest = path.read_bytes()
    path.write_bytes(bytes([first | 1, *rest]))
    assert keystore.key(ref) is not None, "asked again, of the file"
    # The row is emptied and nobody lived to say so.
    with keystore._file.writing():
        keystore._file.ask("UPDATE key SET token = NULL, kind = NULL, name = NULL, wrapped = NULL")
    assert keystore.key(ref) is None
    keystore.close()
    generation = Generation(path)
    assert not generation.now()[0] & 1, "the next one puts it right"
    generation.close()


def test_a_forked_child_has_a_connection_of_its_own(tmp_path: Path) -> None:
    assert Process(FORK, tmp_path).end() == ""


def made(folder: Path) -> str:
    keystore = FileKeystore(folder)
    ref = keystore.ref("subject", "bob")
    keystore.close()
    return ref


def wrapped(folder: Path, ref: str) -> tuple[bytes, bytes]:
    """The two sealed parts of a record, as they lie on the disk."""
    held = apsw.Connection(str(folder / "keys" / "keystore.db"))
    found = held.execute("SELECT name, wrapped FROM key WHERE ref = ?", (ref,)).fetchall()
    held.close()
    return cast("tuple[bytes, bytes]", found[0])
