"""A memory is copied to another store: the same bytes there, found equal, under the same keys."""

from pathlib import Path

import pytest
from tests.postgres import fresh_schema
from tests.terminal import Shell

import muniment
from muniment.adapters import copying
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.postgres.server import Server
from muniment.engine.memory import Memory
from muniment.model.errors import IntegrityError, KeystoreError


@pytest.fixture
def lived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two agents, a dream, a forgotten person; and a copy takes small steps."""
    monkeypatch.setattr(copying, "PIECE", 3)
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
    lived: str, postgres: Server, tmp_path: Path
) -> None:
    schema = fresh_schema()
    there = Settings(keys=str(tmp_path / "keys"), schema=schema)
    seen: list[tuple[str, int, int]] = []
    told = copying.copy_store(
        (lived, Settings()), (postgres.dsn, there), progress=lambda *at: seen.append(at)
    )
    with open_memory(lived, Settings()) as here, open_memory(postgres.dsn, there) as copied:
        assert logs(copied) == logs(here)
        assert [its.head for its in copied.prove()] == [its.head for its in told]
        texts = [
            each.agent("bob", user="tuff").context("what did bob say?", budget=200)
            for each in (here, copied)
        ]
        assert str(texts[0]) == str(texts[1])
    assert any(0 < done < of for _, done, of in seen)
    back = str(tmp_path / "back")
    again = copying.copy_store((postgres.dsn, there), (back, Settings()))
    assert [its.stream for its in again] == [its.stream for its in told]
    with open_memory(back, Settings()) as memory:
        assert memory.prove()


def test_an_interrupted_copy_goes_on_where_it_stopped(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "target")

    def stop(stream: str, done: int, of: int) -> None:
        if 0 < done < of:
            raise KeyboardInterrupt(stream)

    with pytest.raises(KeyboardInterrupt):
        copying.copy_store((lived, Settings()), (target, Settings()), progress=stop)
    begun: dict[str, int] = {}

    def note(stream: str, done: int, of: int) -> None:
        del of
        begun.setdefault(stream, done)

    copying.copy_store((lived, Settings()), (target, Settings()), progress=note)
    assert any(done for done in begun.values())
    with open_memory(lived, Settings()) as here, open_memory(target, Settings()) as there:
        assert logs(there) == logs(here)


def test_another_history_is_never_written_over(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "target")
    copying.copy_store((lived, Settings()), (target, Settings()))
    with open_memory(target, Settings()) as there:
        there.agent("bob", user="tuff").remember("said only there")
    with open_memory(lived, Settings()) as here:
        here.agent("bob", user="tuff").remember("said only here")
    with pytest.raises(IntegrityError, match="another history"):
        copying.copy_store((lived, Settings()), (target, Settings()))


def test_keys_of_another_memory_are_not_overwritten(lived: str, tmp_path: Path) -> None:
    target = str(tmp_path / "other")
    with muniment.open(target) as memory:
        memory.agent("ada").remember("somebody else's")
    with pytest.raises(KeystoreError):
        copying.copy_store((lived, Settings()), (target, Settings()))


def test_the_terminal_copies_a_store(lived: str, tmp_path: Path) -> None:
    there = str(tmp_path / "there")
    assert len(Shell("--store", lived).listed("streams", "copy-store", there)) >= 4
    assert Shell("--store", there).document("prove")["proved"] is True
