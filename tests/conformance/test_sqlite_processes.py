"""One folder, several processes: they queue, they never lose an entry, and a fork is no danger."""

from pathlib import Path

import pytest
from tests.conformance.processes import Process
from tests.conformance.streams import STREAM, grow

from muniment.adapters.storage.sqlite import SqliteStore

IMPORTS = """
import os, sys
from pathlib import Path
from tests.conformance.streams import START, STREAM, batch, grow
from muniment.adapters.storage.sqlite import SqliteStore
from muniment.model.errors import HeadMovedError
store = SqliteStore(Path(sys.argv[1]), ballast_bytes=0)
"""
QUEUE = (
    IMPORTS
    + """
sys.stdin.readline()
for _ in range(20):
    with store.write_lock(STREAM):
        grow(store, 2, subject=sys.argv[2] * 32)
"""
)
RACE = (
    IMPORTS
    + """
sys.stdin.readline()
try:
    store.append(STREAM, batch(1, subject=sys.argv[2] * 32), expect=START)
    print("done")
except HeadMovedError:
    print("moved")
"""
)
HOLD = (
    IMPORTS
    + """
with store.write_lock(STREAM):
    print("mine", flush=True)
    sys.stdin.readline()
"""
)
FORK = (
    IMPORTS
    + """
grow(store)
with store._files.use(STREAM) as file:
    parents = file.db
with store.write_lock(STREAM):
    child = os.fork()
    if not child:
        assert store.head(STREAM).seq == 1
        with store._files.use(STREAM) as file:
            assert file.db is not parents
        grow(store, subject="b" * 32)
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
grow(store)
with store.write_lock(STREAM):
    grow(store)
print(store.head(STREAM).seq, store.check(STREAM))
store.close()
"""
)


FEW_DESCRIPTORS = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
from tests.conformance.streams import grow
from muniment.adapters.storage.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]), ballast_bytes=0)
names = [f"{number:032x}" for number in range(1, 41)]
for name in names:
    with store.write_lock(name):
        grow(store, stream=name)
print(sum(store.head(name).seq for name in store.streams()))
"""


def test_a_process_that_may_open_few_files_reaches_every_log(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    assert Process(FEW_DESCRIPTORS, tmp_path).end() == "40"


def test_processes_in_turn_lose_nothing(tmp_path: Path) -> None:
    writers = [Process(QUEUE, tmp_path, name) for name in "1234"]
    for writer in writers:
        writer.tell("go")
    for writer in writers:
        writer.end()
    store = SqliteStore(tmp_path)
    entries = list(store.read(STREAM))
    assert [its.seq for its in entries] == list(range(1, 161))
    subjects = [part.subject[0] for its in entries for part in its.parts if part]
    assert {name: subjects.count(name) for name in "1234"} == dict.fromkeys("1234", 40)
    assert store.check(STREAM) == ()
    store.close()


def test_of_processes_that_begin_a_stream_at_once_one_wins(tmp_path: Path) -> None:
    writers = [Process(RACE, tmp_path, name) for name in "1234"]
    for writer in writers:
        writer.tell("go")
    assert sorted(writer.end() for writer in writers) == ["done", "moved", "moved", "moved"]
    store = SqliteStore(tmp_path)
    assert len(list(store.read(STREAM))) == 1
    store.close()


def test_the_turn_of_a_process_that_dies_is_over(tmp_path: Path) -> None:
    holder = Process(HOLD, tmp_path)
    assert holder.hear() == "mine"
    store = SqliteStore(tmp_path)
    grow(store)
    holder.kill()
    with store.write_lock(STREAM):
        grow(store)
    store.close()


def test_a_forked_child_has_a_connection_of_its_own(tmp_path: Path) -> None:
    assert Process(FORK, tmp_path).end() == "4 ()"
