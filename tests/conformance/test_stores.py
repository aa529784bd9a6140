"""Every store keeps the same promises."""

from pathlib import Path

from tests.conformance.store_contract import SharedStoreContract, StoreContract
from tests.conformance.streams import OTHER, STREAM, everything, grow

from muniment.adapters.storage.memory_store import InMemoryStore
from muniment.adapters.storage.sqlite import SqliteStore
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Store


class TestScratchStore(StoreContract):
    def make(self, folder: Path) -> Store:
        return ScratchStore()


class TestInMemoryStore(SharedStoreContract):
    def make(self, folder: Path) -> Store:
        return InMemoryStore()


class TestSqliteStore(SharedStoreContract):
    def make(self, folder: Path) -> Store:
        return SqliteStore(folder, ballast_bytes=0)


class TestSqliteStoreWithOneOpenFile(SharedStoreContract):
    """Files come and go all the time, and nobody notices."""

    def make(self, folder: Path) -> Store:
        return SqliteStore(folder, open_files_max=1, ballast_bytes=0)


def test_what_one_sqlite_store_wrote_another_reads(tmp_path: Path) -> None:
    first, second = SqliteStore(tmp_path), SqliteStore(tmp_path)
    grow(first, 3, checkpoint=b"desk")
    assert everything(second) == everything(first)
    grow(second, 2, stream=OTHER)
    first.close()
    second.close()
    third = SqliteStore(tmp_path)
    assert third.streams() == sorted([STREAM, OTHER])
    head = third.head(STREAM)
    assert head is not None
    assert head.seq == 3
    third.close()
