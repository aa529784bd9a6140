"""The keystore by hand: what is answered, made, taken, exchanged and refused, and why."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from muniment.adapters.keys import key_table, master_key
from muniment.adapters.keys import keystore as keystores
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.system import durable_files
from muniment.log.keyring import SeededEntropy
from muniment.log.signing import LASTING
from muniment.model.errors import KeystoreError, ReadOnlyError

REF = "a" * 32
OTHER_REF = "b" * 32


@pytest.fixture
def keystore(tmp_path: Path) -> Iterator[FileKeystore]:
    with closing(FileKeystore(tmp_path / "memory")) as keystore:
        yield keystore


def place_of(keystore: FileKeystore) -> Path:
    return keystore._keys.parent


def again(keystore: FileKeystore, *, still: bool = False) -> FileKeystore:
    """Another one over the same files, as another process has it."""
    return FileKeystore(place_of(keystore), still=still)


def asked(keystore: FileKeystore) -> list[str]:
    """The statements that the file is asked from here on."""
    noted: list[str] = []
    ask = keystore._file.ask

    def note(sql: str, *values: str | bytes | None) -> list[tuple[object, ...]]:
        noted.append(sql)
        return ask(sql, *values)

    keystore._file.ask = note  # type: ignore[method-assign]
    return noted


def plain(keystore: FileKeystore, *statements: str) -> None:
    """As another program would change the file."""
    with closing(apsw.Connection(str(place_of(keystore) / "keys" / "keystore.db"))) as held:
        for each in statements:
            held.execute(each)


def minting(*pairs: tuple[str, bytes]) -> Callable[[str, str], tuple[str, bytes]]:
    left = list(pairs)
    return lambda _kind, _name: left.pop(0)


# ── Names and keys ──────────────────────────────────────────────────────────────────────────────


def test_what_is_known_is_not_asked_for_again(keystore: FileKeystore) -> None:
    ref = keystore.ref("subject", "bob")
    fresh = again(keystore)
    noted = asked(fresh)

    answers = [(fresh.find("subject", "bob"), fresh.key(ref), fresh.name(ref)) for _ in range(3)]

    assert answers == [(ref, keystore.key(ref), "bob")] * 3
    assert noted.count(key_table.BY_TOKEN) == 1
    assert noted.count(key_table.BY_REF) == 0
    fresh.close()


def test_a_key_that_was_looked_up_tells_its_name_too(keystore: FileKeystore) -> None:
    ref = keystore.ref("subject", "bob")
    fresh = again(keystore)
    noted = asked(fresh)

    assert fresh.key(ref) == keystore.key(ref)
    assert (fresh.name(ref), fresh.find("subject", "bob")) == ("bob", ref)
    assert [each for each in noted if "key WHERE" in each] == [key_table.BY_REF]
    fresh.close()


def test_a_kind_that_was_listed_opens_nothing_again(keystore: FileKeystore) -> None:
    refs = {name: keystore.ref("subject", name) for name in ("bob", "ada")}
    keystore.ref("actor", "eve")
    fresh = again(keystore)

    listed = [fresh.known("subject")]
    opened = dict(fresh._cache.known)
    listed.append(fresh.known("subject"))
    noted = asked(fresh)

    assert listed == [[(refs["ada"], "ada"), (refs["bob"], "bob")]] * 2
    assert [fresh.key(ref) for ref in refs.values()] == [keystore.key(ref) for ref in refs.values()]
    assert noted == []
    assert all(fresh._cache.known[ref] is each for ref, each in opened.items())
    fresh.close()


def test_a_destroyed_key_leaves_the_list_and_every_cache(keystore: FileKeystore) -> None:
    bob, ada = keystore.ref("subject", "bob"), keystore.ref("subject", "ada")
    other = again(keystore)
    other.known("subject")
    before = keystore.generation()

    keystore.destroy(bob)

    for each in (keystore, other):
        assert each.known("subject") == [(ada, "ada")]
        assert (each.key(bob), each.name(bob), each.find("subject", "bob")) == (None, None, None)
        assert each.destroyed() == [bob]
        assert each.generation() != before
    other.close()


def test_what_is_known_after_a_destruction_is_not_asked_for_again(keystore: FileKeystore) -> None:
    bob, ada = keystore.ref("subject", "bob"), keystore.ref("subject", "ada")
    keystore.destroy(bob)
    noted = asked(keystore)

    assert len({keystore.key(ada) for _ in range(3)}) == 1
    assert noted == [key_table.BY_REF]


def test_who_is_slower_to_make_a_name_gets_the_key_of_who_was_faster(
    keystore: FileKeystore,
) -> None:
    with closing(again(keystore)) as other:
        bob = other.ref("subject", "bob")

        assert keystore._make("subject", "bob") == bob
        assert keystore._make("actor", "bob") != bob
        assert len(other._file.ask(key_table.EACH)) == 2


def test_nobody_makes_a_key_while_the_keystore_is_held(keystore: FileKeystore) -> None:
    with keystore.held(), pytest.raises(apsw.BusyError):
        plain(keystore, "BEGIN IMMEDIATE")

    plain(keystore, "BEGIN IMMEDIATE")


def test_a_name_of_somebody_else_is_answered_once_it_is_durable(
    keystore: FileKeystore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(again(keystore)) as other, closing(again(keystore, still=True)) as still:
        mine = keystore.ref("subject", "mine")
        theirs = [other.ref("subject", name) for name in ("bob", "ada")]
        synced: list[Path] = []
        sync = durable_files.sync_folder

        def note(folder: Path) -> None:
            synced.append(folder)
            sync(folder)

        monkeypatch.setattr(durable_files, "sync_folder", note)

        assert other.key(theirs[0])
        assert still.key(theirs[0])
        assert keystore.find("subject", "nobody") is None
        assert synced == [], "it made the newest name itself; it writes nothing; nothing was found"
        for ref in (mine, *theirs):
            assert keystore.key(ref)
        assert synced == [keystore._keys]
        other.ref("subject", "eve")
        assert [name for _, name in keystore.known("subject")] == ["ada", "bob", "eve", "mine"]
        assert synced == [keystore._keys] * 2


def test_keys_are_destroyed_in_the_order_in_which_they_were_given_out(
    keystore: FileKeystore,
) -> None:
    refs = [keystore.ref("subject", name) for name in ("zoe", "ann", "mia")]

    for ref in (refs[2], refs[0]):
        keystore.destroy(ref)

    assert keystore.destroyed() == [refs[0], refs[2]]


def test_a_reference_that_is_taken_is_not_given_out_again(tmp_path: Path) -> None:
    mint = minting((REF, b"1" * 32), (REF, b"2" * 32), (OTHER_REF, b"3" * 32))

    with closing(FileKeystore(tmp_path, mint=mint)) as keystore:
        assert (keystore.ref("subject", "bob"), keystore.ref("subject", "ada")) == (REF, OTHER_REF)
        assert (keystore.key(REF), keystore.key(OTHER_REF)) == (b"1" * 32, b"3" * 32)


def test_keys_are_drawn_from_the_entropy_that_was_given(tmp_path: Path) -> None:
    drawn: list[int] = []

    def entropy(size: int) -> bytes:
        drawn.append(size)
        return bytes([len(drawn)]) * size

    with closing(FileKeystore(tmp_path, entropy=entropy)) as keystore:
        ref = keystore.ref("subject", "bob")
        assert (keystore.key(ref), (tmp_path / "keys" / "master.key").read_bytes()) == (
            b"\x03" * 32,
            b"\x01" * 32,
        )
    assert drawn == [32, 16, 32]


def test_few_of_the_names_that_are_not_there_are_kept_in_mind(keystore: FileKeystore) -> None:
    cache = keystores._Cache(b"")
    made = keystore._generation.made()

    for number in range(keystores.LACKING_MAX + 1):
        cache.lack(("subject", str(number)), made)
        assert len(cache.lacking) <= keystores.LACKING_MAX

    assert cache.lacking == {("subject", str(keystores.LACKING_MAX)): made}


def test_a_cache_that_is_full_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keystores, "CACHED_MAX", 3)
    cache = keystores._Cache(b"")
    records = [
        keystores._OpenedKey(ref=f"{number}", kind="subject", name=f"n{number}", key=b"k")
        for number in range(4)
    ]

    for each in records:
        assert cache.put(each) is each

    assert cache.known == {"3": records[3]}
    assert cache.refs == {("subject", "n3"): "3"}


def test_a_folder_of_keys_is_made_private_also_where_it_was_not(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir(mode=0o755)

    FileKeystore(tmp_path).close()

    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


# ── Where nothing can be written ────────────────────────────────────────────────────────────────


def test_a_still_keystore_knows_what_is_there_and_gives_names_that_do_not_last(
    keystore: FileKeystore,
) -> None:
    bob = keystore.ref("subject", "bob")
    before = list(keystore._file.ask(key_table.ALL))
    with closing(again(keystore, still=True)) as still:
        ada = still.ref("subject", "ada")

        assert (still.ref("subject", "bob"), still.key(bob)) == (bob, keystore.key(bob))
        assert still.ref("subject", "ada") == still.find("subject", "ada") == ada
        assert still.find("actor", "ada") is None
        assert still.name(ada) == "ada"
        assert len(still.key(ada) or b"") == 32
        assert (still.key(OTHER_REF), still.name(OTHER_REF)) == (None, None)
        assert still.known("subject") == [(bob, "bob")]
        with still.held():
            assert still.damaged() == []
    assert list(keystore._file.ask(key_table.ALL)) == before
    assert keystore.find("subject", "ada") is None


def test_a_still_keystore_makes_no_file_and_takes_nothing(keystore: FileKeystore) -> None:
    keystore.ref("subject", "bob")
    folder = place_of(keystore)
    keystore.close()
    (folder / "keys" / "generation").unlink()

    with closing(FileKeystore(folder, still=True)) as still:
        with pytest.raises(ReadOnlyError):
            still.take(still)
        assert [name for _, name in still.known("subject")] == ["bob"]

    assert sorted(each.name for each in (folder / "keys").iterdir()) == [
        "keystore.db",
        "master.key",
    ]


@pytest.mark.parametrize("kind", sorted(LASTING))
def test_a_still_keystore_makes_no_key_that_is_worth_nothing_unless_it_lasts(
    keystore: FileKeystore, kind: str
) -> None:
    with closing(again(keystore, still=True)) as still:
        for each in (kind, f"{kind}/deep/er"):
            with pytest.raises(ReadOnlyError):
                still.ref(each, "x")
        assert still.find(kind, "x") is None


def test_a_still_keystore_with_a_seed_gives_the_keys_of_that_seed(keystore: FileKeystore) -> None:
    seeded = SeededEntropy(b"seed")

    with closing(FileKeystore(place_of(keystore), entropy=seeded, still=True)) as still:
        ref = still.ref("subject", "bob")
        assert (ref, still.key(ref)) == SeededEntropy(b"seed").mint("subject", "bob")


def test_a_still_place_without_keys_is_refused_and_nothing_is_made_there(tmp_path: Path) -> None:
    with pytest.raises(KeystoreError):
        FileKeystore(tmp_path, still=True)

    assert not (tmp_path / "keys").exists()


# ── Copies ──────────────────────────────────────────────────────────────────────────────────────


def test_a_twin_takes_every_record_and_what_was_destroyed_stays_so(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    bob, ada = keystore.ref("subject", "bob"), keystore.ref("subject", "ada")
    keystore.destroy(bob)

    with closing(keystore.twin(tmp_path / "twin")) as twin:
        made = twin._generation.made()
        twin.take(keystore)
        twin.take(keystore)

        assert twin.known("subject") == [(ada, "ada")]
        assert twin.key(ada) == keystore.key(ada)
        assert twin.destroyed() == [bob]
        assert twin.key(bob) is None
        assert twin._generation.made() != made, "who has just missed a name looks again"
        assert twin._master != keystore._master
        assert [ref for ref, *_ in twin._file.ask(key_table.EACH)] == [bob, ada]
    with closing(keystore.twin(tmp_path / "twin")) as twin:
        assert twin.key(ada) == keystore.key(ada)


def test_a_place_with_keys_of_another_memory_is_no_twin(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    keystore.ref("subject", "bob")
    with closing(FileKeystore(tmp_path / "other")) as other:
        other.ref("subject", "bob")

    with pytest.raises(KeystoreError, match=r"^that place already has other keys$"):
        keystore.twin(tmp_path / "other")


def test_two_keys_for_one_name_are_not_taken_together(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    keystore.ref("subject", "bob")
    with closing(FileKeystore(tmp_path / "other")) as other:
        mine = other.ref("subject", "bob")
        with pytest.raises(KeystoreError, match=r"^both places have a key for the same name$"):
            other.take(keystore)
        assert other.known("subject") == [(mine, "bob")]
        assert len(other._file.ask(key_table.EACH)) == 1


def reads(keystore: FileKeystore) -> bool:
    """Whether somebody else can read the file now."""
    try:
        plain(keystore, "SELECT * FROM key")
    except apsw.BusyError:
        return False
    return True


def test_nobody_reads_while_records_are_taken(keystore: FileKeystore, tmp_path: Path) -> None:
    keystore.ref("subject", "bob")
    with closing(FileKeystore(tmp_path / "twin")) as twin:
        seen: list[bool] = []
        ask = twin._file.ask

        def look(sql: str, *values: str | bytes | None) -> list[tuple[object, ...]]:
            if sql == key_table.ADD:
                seen.append(reads(twin))
            return ask(sql, *values)

        twin._file.ask = look  # type: ignore[method-assign]
        twin.take(keystore)
        assert (seen, reads(twin)) == ([False], True)


def test_nobody_reads_while_the_master_key_is_exchanged(keystore: FileKeystore) -> None:
    keystore.ref("subject", "bob")
    seen: list[bool] = []

    keystore.exchange(lambda *_: seen.append(reads(keystore)))

    assert (seen, reads(keystore)) == ([False, False], True)


def test_a_key_is_found_by_its_reference_under_the_master_key_of_now(
    keystore: FileKeystore,
) -> None:
    ref = keystore.ref("subject", "bob")
    with closing(again(keystore)) as other:
        keystore.exchange()
        assert (other.key(ref), other.name(ref)) == (keystore.key(ref), "bob")


def test_records_are_taken_under_the_master_key_of_now(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    ada = keystore.ref("subject", "ada")
    with closing(FileKeystore(tmp_path / "twin")) as twin:
        with closing(FileKeystore(tmp_path / "twin")) as other:
            other.exchange()
        twin.take(keystore)
        with closing(FileKeystore(tmp_path / "twin")) as later:
            assert later.key(ada) == keystore.key(ada)
            assert later.damaged() == []


# ── Another master key ──────────────────────────────────────────────────────────────────────────


def test_an_exchange_wraps_every_key_anew_and_says_how_far_it_is(keystore: FileKeystore) -> None:
    refs = [keystore.ref("subject", name) for name in ("ann", "bob", "zoe")]
    keystore.destroy(refs[1])
    other = again(keystore)
    master = keystore._keys / master_key.MASTER
    before, old = list(keystore._file.ask(key_table.ALL)), master.read_bytes()
    told: list[tuple[str, int, int]] = []

    count = keystore.exchange(lambda *its: told.append(its))

    after = list(keystore._file.ask(key_table.ALL))
    stages = [(stage, n, 3) for stage in ("reading", "wrapping") for n in (1, 2, 3)]
    assert count == 2
    assert told == stages
    assert master.read_bytes() != old
    assert sorted(each.name for each in keystore._keys.iterdir()) == [
        "generation",
        "keystore.db",
        "master.key",
    ]
    assert [each[0] for each in after] == refs
    for n in range(1, 5):
        assert not {each[n] for each in after} & {each[n] for each in before} - {None}
    assert after[1] == (refs[1], None, None, None, None)
    for each in (keystore, other, again(keystore)):
        assert each.known("subject") == [(refs[0], "ann"), (refs[2], "zoe")]
        assert each.damaged() == []
    with pytest.raises(KeystoreError):
        keystore._file.ask("DELETE FROM key")
    with pytest.raises(KeystoreError):
        keystore._file.ask("UPDATE key SET wrapped = x'00'")


def test_an_exchange_that_fails_changes_nothing(keystore: FileKeystore) -> None:
    ref = keystore.ref("subject", "bob")
    master, before = keystore._keys / master_key.MASTER, list(keystore._file.ask(key_table.ALL))
    old = master.read_bytes()

    def stop(stage: str, _done: int, _of: int) -> None:
        if stage == "wrapping":
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        keystore.exchange(stop)

    assert master.read_bytes() == old
    assert not (keystore._keys / master_key.NEXT).exists()
    assert list(keystore._file.ask(key_table.ALL)) == before
    assert keystore.key(ref) == again(keystore).key(ref)


def test_who_had_the_keystore_open_makes_names_under_the_new_master_key(
    keystore: FileKeystore,
) -> None:
    other = again(keystore)
    keystore.exchange()

    eve = other.ref("subject", "eve")

    assert again(keystore).find("subject", "eve") == keystore.find("subject", "eve") == eve
    assert again(keystore).damaged() == []
    other.close()


# ── Damage ──────────────────────────────────────────────────────────────────────────────────────


def test_damaged_records_are_named_and_the_others_are_not(keystore: FileKeystore) -> None:
    refs = [keystore.ref("subject", name) for name in ("ann", "bob", "eve", "zoe")]
    keystore.destroy(refs[3])
    other = again(keystore)
    plain(
        keystore,
        "DROP TRIGGER key_is_only_emptied",
        "UPDATE key SET wrapped = zeroblob(60) WHERE number = 1",
        "UPDATE key SET name = NULL WHERE number = 2",
    )
    fresh = again(keystore)

    assert fresh.damaged() == refs[:2]
    with pytest.raises(KeystoreError, match=r"^a record of the keystore cannot be decrypted$"):
        fresh.key(refs[0])
    with pytest.raises(KeystoreError, match=r"^a record of the keystore is damaged$"):
        fresh.key(refs[1])
    assert fresh.key(refs[2]) == other.key(refs[2])
    fresh.close()
    other.close()


def test_damage_is_looked_for_under_the_master_key_of_now(keystore: FileKeystore) -> None:
    keystore.ref("subject", "bob")
    other = again(keystore)
    keystore.exchange()

    assert other.damaged() == []
    other.close()


@pytest.mark.parametrize("half", ["UPDATE key SET name = NULL", "UPDATE key SET wrapped = NULL"])
def test_half_a_record_is_damage_and_not_a_destroyed_key(keystore: FileKeystore, half: str) -> None:
    ref = keystore.ref("subject", "bob")
    plain(keystore, "DROP TRIGGER key_is_only_emptied", half)

    with closing(again(keystore)) as fresh:
        with pytest.raises(KeystoreError, match=r"^a record of the keystore is damaged$"):
            fresh.key(ref)
        assert fresh.damaged() == [ref]


@pytest.mark.parametrize(
    "swapped",
    [
        "UPDATE key SET wrapped = (SELECT wrapped FROM key WHERE number = 2) WHERE number = 1",
        "UPDATE key SET name = (SELECT name FROM key WHERE number = 2) WHERE number = 1",
    ],
)
def test_parts_of_two_records_do_not_make_one(keystore: FileKeystore, swapped: str) -> None:
    bob, ada = keystore.ref("subject", "bob"), keystore.ref("subject", "ada")
    plain(keystore, "DROP TRIGGER key_is_only_emptied", swapped)

    with closing(again(keystore)) as fresh:
        with pytest.raises(KeystoreError, match="cannot be decrypted"):
            fresh.key(bob)
        assert fresh.key(ada) == keystore.key(ada)


def test_a_keystore_that_lies_alone_is_refused_by_what_is_missing(keystore: FileKeystore) -> None:
    folder = place_of(keystore)
    keystore.close()
    (folder / "keys" / "keystore.db").unlink()

    with pytest.raises(
        KeystoreError, match=r"^the master key exists, but its keystore is missing$"
    ):
        FileKeystore(folder)


@pytest.mark.parametrize("is_begun", [False, True])
def test_logs_without_any_keys_are_refused_and_say_what_helps(
    tmp_path: Path, *, is_begun: bool
) -> None:
    (tmp_path / "streams").mkdir()
    (tmp_path / "streams" / f"{REF}.db").touch()
    if is_begun:
        (tmp_path / "keys").mkdir()
        (tmp_path / "keys" / "keystore.db").touch()

    with pytest.raises(
        KeystoreError, match="there are logs here, but their keys are missing: put the folder"
    ):
        FileKeystore(tmp_path)


def test_logs_whose_keys_are_missing_are_strays_and_no_new_log_is_begun_beside_them(
    keystore: FileKeystore,
) -> None:
    mine = keystore.ref("stream", "mine")
    streams = place_of(keystore) / "streams"
    streams.mkdir()
    for name in (mine, OTHER_REF, REF, "no-reference"):
        (streams / f"{name}.db").touch()
    (streams / f"{'c' * 32}.other").touch()
    fresh = again(keystore)

    assert fresh.strays() == [REF, OTHER_REF]
    assert fresh.find("stream", "mine") == mine
    assert fresh.ref("subject", "bob"), "a person's key is no log's"
    with pytest.raises(
        KeystoreError,
        match=r"^the log aaaaaaaa has no key here: the keys are older than the log,"
        r" or the file belongs to another memory$",
    ):
        fresh.ref("stream", "other")
    assert keystore.find("stream", "other") is None
    fresh.close()


def test_that_no_log_is_a_stray_is_looked_at_once(keystore: FileKeystore) -> None:
    noted = asked(keystore)
    streams = place_of(keystore) / "streams"
    streams.mkdir()
    keystore.insist_on_whole()
    (streams / f"{REF}.db").touch()

    keystore.ref("stream", "one")
    keystore.ref("stream", "two")

    assert keystore.strays() == [REF]
    assert noted.count(key_table.BY_REF) == 3, "two new references, and the stray"


def test_a_seed_gives_the_keys_of_that_seed(tmp_path: Path) -> None:
    seeded = SeededEntropy(b"seed")

    with closing(FileKeystore(tmp_path, entropy=seeded)) as keystore:
        ref = keystore.ref("subject", "bob")
        assert (ref, keystore.key(ref)) == SeededEntropy(b"seed").mint("subject", "bob")


def test_the_keys_of_the_system_are_drawn_by_the_system(keystore: FileKeystore) -> None:
    assert keystore._entropy is os.urandom
