"""What was signed is known wherever a memory is kept, and outlives a log that is put back."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.notarial import CONTRADICTS, PARTLY, VALID, erased, outsider
from tests.postgres import NewStore
from tests.terminal import Shell
from tests.world import CountedKeyring, memory, stream

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.storage.memory_store import InMemoryStore
from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.engine.api.memory import Memory
from muniment.log.entry import Entry
from muniment.log.signing import LASTING
from muniment.log.store import Store
from muniment.model.errors import IntegrityError, ReadOnlyError
from muniment.model.policy import preset
from muniment.model.scope import agent_stream

AGENT = agent_stream("main", "ada")
KINDS = ["memory", "sqlite", "postgres"]


@pytest.fixture
def new_store(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], Store]:
    def new(kind: str) -> Store:
        if kind == "postgres":
            fresh: NewStore = request.getfixturevalue("new_postgres_store")
            return fresh()
        return SqliteStore(tmp_path / "store") if kind == "sqlite" else InMemoryStore()

    return new


def lived(store: Store) -> Memory:
    world = memory(preset("team"), store=store, keyring=CountedKeyring(b"the same everywhere"))
    world.agent("ada", user="tuff").remember("I moved to Lisbon in March")
    world.agent("ada", user="bob").remember("I like tea in the morning")
    return world


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_is_signed_proved_and_checked_in_every_store(
    kind: str, new_store: Callable[[str], Store], tmp_path: Path
) -> None:
    world = lived(new_store(kind))
    notary = world.notary()
    kept = notary.sign(AGENT)
    world.agent("ada", user="tuff").remember("I sold the piano")
    erased(world, "tuff")

    head = notary.sign(AGENT)

    bundle = outsider(tmp_path, notary.bundle(AGENT, reason="an audit"), head, known=[kept.note])
    assert bundle.code == PARTLY
    assert bundle.entries("opened")
    assert bundle.entries("erased")
    assert outsider(tmp_path, notary.link(AGENT, kept.note), head).code == VALID
    assert outsider(tmp_path, notary.certify(stream(world, "council"), 3), head).code != VALID


def test_every_store_gives_the_same_bytes(new_store: Callable[[str], Store]) -> None:
    told = [b"".join(lived(new_store(kind)).notary().bundle(AGENT)) for kind in KINDS]

    assert told[0] == told[1] == told[2]


def test_a_folder_knows_its_keys_and_heads_when_it_is_opened_again(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as first:
        first.agent("ada", user="tuff").remember("I moved to Lisbon in March")
        signed = first.notary().sign(AGENT)
        first.notary().renew_key()

    with muniment.open(tmp_path / "memory") as again:
        assert [each.note for each in again.notary().signed(AGENT)] == [signed.note]
        assert again.notary().key != signed.key


def test_a_log_that_is_put_back_while_its_keys_are_not_is_not_signed(tmp_path: Path) -> None:
    """As a server's database that was restored to an earlier moment."""
    place, copy = tmp_path / "memory", tmp_path / "copy"
    with muniment.open(place) as world:
        world.agent("ada", user="tuff").remember("I moved to Lisbon in March")
    shutil.copytree(place, copy)
    with muniment.open(place) as world:
        world.agent("ada", user="tuff").remember("I sold the piano")
        kept = world.notary().sign(AGENT)
    for part in ("streams", "heads"):
        shutil.rmtree(place / part, ignore_errors=True)
        (place / part).unlink(missing_ok=True)
    shutil.copytree(copy / "streams", place / "streams")

    shell = Shell("--store", str(place), "--agent", "ada")
    told = shell("prove")
    assert told.exit_code == Exit.INTEGRITY
    assert "ends before entry" in told.stderr
    assert shell("sign").exit_code == Exit.INTEGRITY
    assert shell("sign", "--stream", "agent", "--anew").exit_code == Exit.DONE
    assert shell("prove").exit_code == Exit.DONE, "somebody has said that it is so on purpose"
    with muniment.open(place) as world:
        head = world.notary().sign(AGENT)
        bundle = b"".join(world.notary().bundle(AGENT))
    assert outsider(tmp_path, bundle, head).code == PARTLY
    assert outsider(tmp_path, bundle, head, known=[kept.note]).code == CONTRADICTS


def test_a_backup_carries_what_was_signed_and_goes_on_from_it(tmp_path: Path) -> None:
    place, copy, other = (tmp_path / name for name in ("memory", "copy", "other"))
    shell = Shell("--store", str(place), "--agent", "ada")
    shell("remember", "I moved to Lisbon in March")
    signed = shell.document("sign")
    assert shell("backup", str(copy)).exit_code == Exit.DONE
    assert Shell("--store", str(other))("restore", str(copy)).exit_code == Exit.DONE

    assert Shell("--store", str(other)).document("sign") == signed


def test_where_nothing_can_be_kept_nothing_is_signed_that_was_not_before(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as world:
        world.agent("ada", user="tuff").remember("I moved to Lisbon in March")
        signed = world.notary().sign(AGENT)
        world.agent("ada", user="tuff").remember("I sold the piano")
    keyring = FileKeystore(tmp_path / "memory", still=True)
    still = memory(store=SqliteStore(tmp_path / "memory"), keyring=keyring)

    assert [each.note for each in still.notary().signed(AGENT)] == [signed.note]
    with pytest.raises(ReadOnlyError):
        still.notary().sign(AGENT)
    with pytest.raises(ReadOnlyError):
        still.notary().renew_key()
    for kind in LASTING:
        with pytest.raises(ReadOnlyError):
            keyring.ref(f"{kind}/x", "y")
    assert keyring.ref("subject", "somebody"), "a name need not last"


def test_two_who_sign_at_once_keep_one_note(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as one, muniment.open(tmp_path / "memory") as two:
        one.agent("ada", user="tuff").remember("I moved to Lisbon in March")

        assert one.notary().sign(AGENT) == two.notary().sign(AGENT)
        assert len(one.notary().signed(AGENT)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_an_entry_that_was_changed_in_the_store_is_never_signed(
    kind: str, new_store: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = lived(new_store(kind))
    store = world._hub.parts.store
    read = store.read

    def damaged(*given: Any, **more: Any) -> Iterator[Entry]:  # noqa: ANN401
        for entry in read(*given, **more):
            changed = msgspec.structs.replace(entry, header=entry.header + b" ")
            yield changed if entry.seq == 3 else entry

    monkeypatch.setattr(store, "read", damaged)

    with pytest.raises(IntegrityError, match="entry 3 was changed"):
        world.notary().sign(AGENT)
