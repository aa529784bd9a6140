"""Names that are not in a keystore: remembered as missing, and only until somebody makes one."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.conformance.processes import Process

from muniment.adapters.keys import key_table
from muniment.adapters.keys.keystore import FileKeystore
from muniment.log.keyring import SeededEntropy

SEED = b"a seed for tests"
MAKE_ONE_BY_ONE = """
import sys
from pathlib import Path
from muniment.adapters.keys.keystore import FileKeystore
keystore = FileKeystore(Path(sys.argv[1]))
for line in sys.stdin:
    print(keystore.ref("subject", line.strip()), flush=True)
"""


@pytest.fixture
def keystore(tmp_path: Path) -> Iterator[FileKeystore]:
    keystore = FileKeystore(tmp_path)
    yield keystore
    keystore.close()


def test_a_name_that_is_not_there_is_looked_for_once_until_one_is_made(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    other = FileKeystore(tmp_path)
    asked = counted(keystore)
    assert [keystore.find("subject", "bob") for _ in range(3)] == [None] * 3
    assert len(asked) == 1
    other.ref("subject", "alice")
    assert [keystore.find("subject", "bob") for _ in range(3)] == [None] * 3
    assert len(asked) == 2
    assert other.ref("subject", "bob") == keystore.find("subject", "bob")
    other.close()


def test_a_name_made_in_another_process_is_found_by_who_has_just_missed_it(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    maker = Process(MAKE_ONE_BY_ONE, tmp_path)
    names, over = [str(number) for number in range(20)], Event()

    def look_all_the_time() -> None:
        while not over.is_set():
            for name in names:
                keystore.find("subject", name)

    looking = Thread(target=look_all_the_time)
    looking.start()
    try:
        for name in names:
            assert keystore.find("subject", name) is None
            assert maker.ask(name) == keystore.find("subject", name)
    finally:
        over.set()
        looking.join()
    maker.end()


def test_who_looks_for_a_name_while_it_is_made_waits_for_it(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    found: list[str | None] = []
    looking = Thread(target=lambda: found.append(keystore.find("subject", "bob")))

    def mint(kind: str, name: str) -> tuple[str, bytes]:
        looking.start()
        looking.join(0.2)
        assert not found, "it would remember from now on that there is no such name"
        return SeededEntropy(SEED).mint(kind, name)

    maker = FileKeystore(tmp_path, mint=mint)
    ref = maker.ref("subject", "bob")
    looking.join()
    assert found == [ref]
    assert keystore.find("subject", "bob") == ref
    maker.close()


def test_a_maker_that_fails_in_the_middle_has_made_nothing(
    keystore: FileKeystore, tmp_path: Path
) -> None:
    maker = FileKeystore(tmp_path, mint=broken)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            maker.ref("subject", "bob")
        assert keystore.find("subject", "bob") is None
    assert keystore.ref("subject", "bob") == maker.find("subject", "bob")
    maker.close()


def broken(kind: str, name: str) -> tuple[str, bytes]:
    raise ZeroDivisionError(kind, name)


def counted(keystore: FileKeystore) -> list[str]:
    """The names that are looked for in the file from here on."""
    asked: list[str] = []
    ask = keystore._file.ask

    def noted(sql: str, *values: str | bytes | None) -> list[tuple[object, ...]]:
        if sql == key_table.BY_TOKEN:  # a miss is followed by a look at the master key
            asked.append(sql)
        return ask(sql, *values)

    keystore._file.ask = noted  # type: ignore[method-assign]
    return asked
