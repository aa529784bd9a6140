"""A memory is copied to another store: the same bytes there, found equal, under the same keys."""

from pathlib import Path

import pytest
from tests.postgres import fresh_schema
from tests.terminal import Shell

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.operations import copy_store
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.engine.api.memory import Memory
from muniment.model.errors import (
    InputError,
    IntegrityError,
    KeystoreError,
    NotFoundError,
    UnfinishedError,
)


@pytest.fixture
def lived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two agents, a dream, a forgotten person; and a copy takes small steps."""
    monkeypatch.setattr(copy_store, "PIECE", 3)
    folder = tmp_path / "lived"
    with muniment.open(folder) as memory:
        for name in ("ada", "bob"):
            memory.agent(name, user="tuff").remember_many(
                [f"{name} said {n}" for n in range(30)], batch=10
            )
        memory.agent("ada", user="eve").remember("eve lives in a tower")
        memory.subconscious("ada").dream()
        request = memory.eraser("root").request("eve", reason="she asked")
        memory.council("bea").approve(request)
        memory.eraser("root").carry_out(request)
    return str(folder)


def logs(memory: Memory) -> dict[str, list[str]]:
    return {each.text: [line.hash.hex() for line in memory.log(each)] for each in memory.streams()}


def test_a_folder_is_copied_to_a_server_and_back(
    lived: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    schema = fresh_schema()
    there = Settings(keys=str(tmp_path / "keys"), schema=schema)
    seen: list[tuple[str, int, int]] = []
    told = copy_store.copy_store(
        (lived, Settings()), (postgres.dsn, there), progress=lambda *at: seen.append(at)
    )
    with open_memory(lived, Settings()) as here, open_memory(postgres.dsn, there) as copied:
        assert logs(copied) == logs(here)
        assert [its.head for its in copied.prove()] == [its.head for its in told.streams]
        texts = [
            each.agent("bob", user="tuff").context("what did bob say?", budget=200)
            for each in (here, copied)
        ]
        assert str(texts[0]) == str(texts[1])
    assert any(0 < done < of for _, done, of in seen)
    back = str(tmp_path / "back")
    again = copy_store.copy_store((postgres.dsn, there), (back, Settings()))
    assert [its.stream for its in again.streams] == [its.stream for its in told.streams]
    with open_memory(back, Settings()) as memory:
        assert memory.prove()


def test_an_interrupted_copy_goes_on_where_it_stopped(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "target")

    def stop(stream: str, done: int, of: int) -> None:
        if 0 < done < of:
            raise KeyboardInterrupt(stream)

    with pytest.raises(KeyboardInterrupt):
        copy_store.copy_store((lived, Settings()), (target, Settings()), progress=stop)
    with pytest.raises(UnfinishedError, match="copy-store was interrupted here"):
        open_memory(target, Settings())  # it would answer with the half that it holds
    begun: dict[str, int] = {}

    def note(stream: str, done: int, of: int) -> None:
        del of
        begun.setdefault(stream, done)

    copy_store.copy_store((lived, Settings()), (target, Settings()), progress=note)
    assert any(done for done in begun.values())
    with open_memory(lived, Settings()) as here, open_memory(target, Settings()) as there:
        assert logs(there) == logs(here)


def test_a_copy_that_the_log_has_outgrown_is_brought_up_to_date(lived: str, tmp_path: Path) -> None:
    """Given a copy, when somebody new speaks and it is copied again, then it knows them too."""
    target = str(tmp_path / "target")
    copy_store.copy_store((lived, Settings()), (target, Settings()))
    with muniment.open(lived) as memory:
        memory.agent("ada", user="zoe").remember("zoe plays chess")
        memory.agent("cleo", user="zoe").remember("zoe plays go")

    copy_store.copy_store((lived, Settings()), (target, Settings()))

    with muniment.open(lived) as here, muniment.open(target) as there:
        assert logs(there) == logs(here)
        assert [hit.text for hit in there.agent("ada", user="zoe").recall("chess").hits] == [
            "zoe plays chess"
        ]
        assert there.prove()


def test_who_was_erased_since_is_erased_in_the_copy(lived: str, tmp_path: Path) -> None:
    """Given a copy with open tables, when a person is erased, then a new copy holds no word."""
    target = tmp_path / "target"
    with muniment.open(lived, open_tables=True) as memory:
        memory.agent("ada", user="zoe").remember("zoe hid a ruby under the stairs")
    copy_store.copy_store((lived, Settings()), (str(target), Settings()))
    assert b"ruby" in everything(target)
    with muniment.open(lived) as memory:
        request = memory.eraser("root").request("zoe", reason="she asked")
        memory.council("bea").approve(request)
        memory.eraser("root").carry_out(request)
        memory.agent("ada", user="zoe").remember("zoe is back")

    copy_store.copy_store((lived, Settings()), (str(target), Settings()))

    assert b"ruby" not in everything(target)
    gone = FileKeystore(Path(lived)).destroyed()
    assert set(gone) <= set(FileKeystore(target).destroyed())
    with muniment.open(target) as there:
        told = [hit.text for hit in there.agent("ada", user="zoe").recall("ruby zoe").hits]
        assert told == ["zoe is back"]
        assert there.prove()


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_copy_that_was_cut_off_among_its_keys_is_asked_for_again(
    lived: str, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    FileKeystore(Path(lived)).twin(target).close()  # all that a first run may have got to

    copy_store.copy_store((lived, Settings()), (str(target), Settings()))

    with open_memory(lived, Settings()) as here, open_memory(str(target), Settings()) as there:
        assert logs(there) == logs(here)


@pytest.mark.parametrize("said", [True, False])
def test_the_wish_for_open_tables_goes_with_a_copy(
    lived: str, postgres: PostgresServer, tmp_path: Path, *, said: bool
) -> None:
    """Given a wish, when the memory goes to where the other is usual and back, then it holds."""
    muniment.open(lived, open_tables=said).close()
    server = (postgres.dsn, Settings(keys=str(tmp_path / "keys"), schema=fresh_schema()))
    back = (str(tmp_path / "back"), Settings())

    assert copy_store.copy_store((lived, Settings()), server).open_tables is said
    assert copy_store.copy_store(server, back).open_tables is said

    assert (b"bob said 7" in everything(tmp_path / "back")) is said


def test_where_nothing_was_said_a_copy_shows_nothing_to_sql(
    lived: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    server = (postgres.dsn, Settings(keys=str(tmp_path / "keys"), schema=fresh_schema()))
    assert copy_store.copy_store((lived, Settings()), server).open_tables is False
    assert copy_store.copy_store(server, (str(tmp_path / "back"), Settings())).open_tables is False


def test_what_has_no_place_is_not_copied_and_leaves_no_key_behind(
    lived: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    wrong = [(lived, ":memory:"), (":memory:", "there"), ("nowhere", "there")]

    for source, target in wrong:
        with pytest.raises(InputError if ":memory:" in (source, target) else NotFoundError):
            copy_store.copy_store((source, Settings()), (target, Settings()))

    assert sorted(tmp_path.rglob("*")) == before


def test_another_history_is_never_written_over(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "target")
    copy_store.copy_store((lived, Settings()), (target, Settings()))
    with open_memory(target, Settings()) as there:
        there.agent("bob", user="tuff").remember("said only there")
    with open_memory(lived, Settings()) as here:
        here.agent("bob", user="tuff").remember("said only here")
    with pytest.raises(IntegrityError, match="another history"):
        copy_store.copy_store((lived, Settings()), (target, Settings()))
    with open_memory(target, Settings()) as there:
        assert there.prove()  # nothing was begun there


def test_keys_of_another_memory_are_not_overwritten(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "other")
    with muniment.open(lived, open_tables=True), muniment.open(target) as memory:
        memory.agent("ada").remember("somebody else's")
    before = everything(tmp_path / "other" / "keys")
    with pytest.raises(KeystoreError):
        copy_store.copy_store((lived, Settings()), (target, Settings()))
    assert everything(tmp_path / "other" / "keys") == before
    assert not (tmp_path / "other" / "open_tables").exists()


def test_the_terminal_copies_a_store(lived: str, tmp_path: Path) -> None:
    there = str(tmp_path / "there")
    assert len(Shell("--store", lived).listed("streams", "copy-store", there)) >= 4
    assert Shell("--store", lived).document("copy-store", there)["open_tables"] is False
    assert Shell("--store", there).document("prove")["proved"] is True
