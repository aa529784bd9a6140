"""A file whose tables, triggers or labels somebody changed is found by a proof, and mended."""

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.adapters.storage.sqlite import page_checksums
from muniment.model.errors import DerivedError, IntegrityError

SWALLOWS = "CREATE TRIGGER spy BEFORE INSERT ON row BEGIN SELECT RAISE(IGNORE); END"
CHANGES = {
    "spy was added": SWALLOWS,
    "notes was added": "CREATE TABLE notes (x)",
    "entry_stays is missing": "DROP TRIGGER entry_stays",
    "row_alive is missing": "DROP INDEX row_alive",
}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("lived") / "memory"
    with muniment.open(store) as memory:
        ada = memory.agent("ada", user="tuff")
        for n in range(8):
            ada.remember(f"Bob saw film number {n}")
    return store


def changed(store: Path, *statements: str) -> None:
    """Somebody's hand, that leaves no page with a wrong checksum behind."""
    page_checksums.vfs()
    path = max((store / "streams").glob("*.db"), key=lambda each: each.stat().st_size)
    with closing(apsw.Connection(str(path))) as hand:
        hand.create_scalar_function("shredding", lambda *_: 1)
        for statement in statements:
            hand.execute(statement)


@pytest.mark.parametrize("told", sorted(CHANGES))
def test_a_schema_that_is_not_ours_fails_the_proof_until_it_is_rebuilt(
    lived: Path, tmp_path: Path, told: str
) -> None:
    store = Path(shutil.copytree(lived, tmp_path / "memory"))
    changed(store, CHANGES[told])
    with muniment.open(store) as memory:
        with pytest.raises(DerivedError, match=told):
            memory.prove()
        memory.rebuild()
        assert all(memory.prove())
        assert memory.agent("ada", user="tuff").recall("film").hits


def test_a_part_that_is_stored_under_another_person_fails_the_proof(
    lived: Path, tmp_path: Path
) -> None:
    store = Path(shutil.copytree(lived, tmp_path / "memory"))
    guard = "CREATE TRIGGER fragment_is_only_emptied BEFORE UPDATE ON fragment BEGIN SELECT 1; END"
    changed(
        store,
        "DROP TRIGGER fragment_is_only_emptied",
        "UPDATE fragment SET subject = 1 WHERE place = (SELECT max(place) FROM fragment)",
        guard,
    )
    with (
        muniment.open(store) as memory,
        pytest.raises(IntegrityError, match="under another person"),
    ):
        memory.prove()
