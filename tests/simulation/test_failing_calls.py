"""The n-th call of every kind fails with EIO or ENOSPC: what was answered stays.

Given each story that writes, when one call to the system fails, then whoever asked hears an error
of ours or the answer, and the next process finds all that was answered, once, believes nothing that
was half done, and goes on.
"""

import errno
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from tests.simulation.failing_calls import ERRORS, KINDS, WITHOUT_ROOM, Calls, failing
from tests.simulation.lives_cut_short import STORIES, Life, Step
from tests.simulation.test_power import keeps_its_word
from tests.soaking import times

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.storage.folder import plain_tables_setting
from muniment.adapters.storage.folder.webhook_file import FileWebhooks
from muniment.model.errors import MunimentError, StoreError

RUNS = times(12, soak=600)  # of each story


@pytest.fixture
def place() -> Iterator[Path]:
    memory = Path("/dev/shm")  # noqa: S108 - only what was asked for counts, not where it lies
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


def lived(root: Path, steps: list[Step], calls: Calls) -> list[object]:
    """What was answered until a step could not be done; whoever lived it is gone afterwards."""
    root.mkdir(parents=True, exist_ok=True)
    answers: list[object] = []
    life = Life(root)
    try:
        for step in steps:
            answer = step.act(life)
            assert not doubtful(calls), f"answered, and {doubtful(calls)} was not synced"
            answers.append(answer)
    except MunimentError:
        assert calls.failed, "an error, and nothing had failed"
    try:
        life.close()
        assert len(answers) < len(steps) or not doubtful(calls), "closed, and not synced"
    except MunimentError:
        assert calls.failed
    assert not [its for its in apsw.connections() if str(root) in its.filename], "left open"
    return answers


def doubtful(calls: Calls) -> list[str]:
    """A file whose log ahead of it was synced may follow later; ballast is only room, and so is
    its name in the folder of the memory.
    """
    later = (".db", "ballast.part", "/memory")
    return sorted(each for each in calls.in_doubt if not each.endswith(later))


def chosen(counted: Counter[str], runs: int) -> list[tuple[str, int, int]]:
    """Every kind in turn with every error that it may give, spread over all of its calls.

    A broken disk fails at the end of each part of them, a full one in its middle.
    """
    kinds = [
        (kind, error)
        for error in ERRORS
        for kind in KINDS
        if counted[kind] and (error == errno.EIO or kind in WITHOUT_ROOM)
    ]
    each = -(-runs // len(kinds))

    def ends(part: int, parts: int, calls: int, error: int) -> int:
        half = error == errno.ENOSPC
        return max(1, (2 * part - half) * calls // (2 * parts))

    spread = [
        (kind, ends(n + 1, each, counted[kind], error), error)
        for n in range(each)
        for kind, error in kinds
        if n < counted[kind]
    ]
    return spread[:runs]


@pytest.mark.parametrize("story", STORIES)
def test_a_call_that_fails_loses_nothing_that_was_answered(story: str, place: Path) -> None:
    steps = STORIES[story]
    with failing(place / "counted") as calls:
        lived(place / "counted", steps, calls)
    assert {"open", "write", "fsync", "directory sync"} <= {*calls.counted}, "nothing is watched"
    happened, runs = 0, chosen(calls.counted, RUNS)
    for number, (kind, nth, error) in enumerate(runs):
        root = place / str(number)
        with failing(root, kind, nth, error) as failed:
            answers = lived(root, steps, failed)
        happened += bool(failed.failed)
        keeps_its_word(root, steps, answers, f"{failed.failed or kind}, errno {error}")
        shutil.rmtree(root)
    assert happened > len(runs) * 3 // 4, f"only {happened} of {len(runs)} calls failed"


def test_what_cannot_be_unlinked_keeps_nobody_from_asking_to_be_erased(place: Path) -> None:
    """Room that is held back for a full disk is among it: who needs none goes on without."""
    steps = STORIES["erasing"]
    with failing(place / "counted") as calls:
        lived(place / "counted", steps, calls)
    for nth in range(1, calls.counted["unlink"] + 1):
        root = place / str(nth)
        with failing(root, "unlink", nth) as failed:
            answers = lived(root, steps, failed)
        keeps_its_word(root, steps, answers, failed.failed)
        shutil.rmtree(root)


WRITERS: dict[str, Callable[[Path], object]] = {
    "a key": lambda there: api_keys.issue(api_keys.FileCredentials(there), Grant()),
    "a webhook": lambda there: FileWebhooks(there).changing().__enter__(),
    "a setting": lambda there: plain_tables_setting.wanted(there, said=True),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_where_no_folder_can_be_made_the_error_says_so(kind: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(StoreError, match="file"):
        WRITERS[kind](tmp_path / "file" / "memory")


def test_only_what_was_touched_since_it_was_synced_is_in_doubt(place: Path) -> None:
    calls = Calls(place, "fsync", 2)
    for kind in ("open", "write", "fsync"):
        calls.call(kind, place / "log")
    with pytest.raises(OSError, match="Input/output error"):
        calls.call("fsync", place / "log")
    assert doubtful(calls) == []

    touched = Calls(place, "fsync", 2)
    for kind in ("write", "fsync", "write"):
        touched.call(kind, place / "log")
    with pytest.raises(OSError, match="Input/output error"):
        touched.call("fsync", place / "log")
    assert doubtful(touched) == [str(place.resolve() / "log")]
