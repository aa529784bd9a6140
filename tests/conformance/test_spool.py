"""The spool: a failure that was kept is there until the log has it, whatever the disk did.

Given failures on disk, when a line was torn, the disk takes half a line, or two processes come at
once, then no other failure is lost and none is called kept that is not.
"""

import resource
from pathlib import Path

import pytest
from tests.conformance.processes import Process

from muniment.adapters.storage.folder.failure_spool import FileSpool
from muniment.engine.streams.ports import Failure
from muniment.model.errors import StoreError

ADD_AND_REMOVE = """
import sys
from pathlib import Path
from muniment.adapters.storage.folder.failure_spool import FileSpool
from muniment.engine.streams.ports import Failure
folder, stream = sys.argv[1:]
spool = FileSpool(Path(folder) / "spool")
for number in range(60):
    passing = Failure(stream=stream, operation=str(number), code="MEMORY_WRITE_FAIL")
    spool.add(passing)
    if number % 2:
        spool.remove(passing)
print(len(spool.pending(stream)))
"""


def failure(number: int, stream: str = "ada") -> Failure:
    return Failure(stream=stream, operation=f"op:{number}", code="MEMORY_WRITE_FAIL")


def test_what_is_kept_after_a_torn_line_is_kept(tmp_path: Path) -> None:
    """The process died while it wrote the second; the next one has a third to keep."""
    path = tmp_path / "spool"
    for number in (1, 2):
        FileSpool(path).add(failure(number))
    path.write_bytes(path.read_bytes()[:-20])
    FileSpool(path).add(failure(3))
    assert FileSpool(path).pending("ada") == [failure(1), failure(3)]
    FileSpool(path).remove(failure(1))
    assert FileSpool(path).pending("ada") == [failure(3)]


def test_half_a_line_is_not_kept(tmp_path: Path) -> None:
    """A disk that fills up takes the beginning of a line and says how much that was."""
    path = tmp_path / "spool"
    FileSpool(path).add(failure(1))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 9, before[1]))
    try:
        with pytest.raises(StoreError):
            FileSpool(path).add(failure(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    FileSpool(path).add(failure(3))
    assert FileSpool(path).pending("ada") == [failure(1), failure(3)]


def test_processes_that_keep_and_remove_at_once_lose_nothing(tmp_path: Path) -> None:
    others = [Process(ADD_AND_REMOVE, tmp_path, stream) for stream in ("ada", "bob")]
    assert [other.end() for other in others] == ["30", "30"]
