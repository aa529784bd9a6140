"""Acknowledged means durable: the power is cut at every step of everything that writes."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.conformance.disks import Chance
from tests.simulation.lives_cut_short import STORIES, Life, Step, sentences
from tests.simulation.power import Disk, Recorder, Sync, SyncFolder, recorded
from tests.soaking import times

from muniment.model.errors import ErasureUnfinishedError

KINDS = 4  # what was synced, everything, and some of it in sectors of 4,096 and of 512 bytes
IMAGES = times(504, soak=5_000) // len(STORIES)  # of each story, half of them after a kill


class Recording:
    """A story that was lived once: what it did to the disk, and how far it was at each step."""

    def __init__(self, root: Path, steps: list[Step], disk: Disk | None = None) -> None:
        self.ends: list[int] = []
        self.answers: list[object] = []
        self.begin = disk.copy() if disk else Disk()
        root.mkdir(parents=True, exist_ok=True)
        with recorded(root, disk) as seen:
            self._live(Life(root), steps, seen)
            self.changes = list(seen.changes)

    def _live(self, life: Life, steps: list[Step], seen: Recorder) -> None:
        for step in steps:
            self.answers.append(step.act(life))
            seen.look()
            self.ends.append(len(seen.changes))
        life.close()

    def at(self, moment: int) -> Disk:
        disk = self.begin.copy()
        for change in self.changes[:moment]:
            disk.apply(change)
        return disk

    def answered(self, moment: int) -> int:
        """How many steps had answered by then."""
        return sum(end <= moment for end in self.ends)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in memory where there is one: these disks are made up, and need no real one."""
    memory = Path("/dev/shm")  # noqa: S108
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


@pytest.fixture(params=STORIES)
def steps(request: pytest.FixtureRequest) -> list[Step]:
    return STORIES[request.param]


def test_what_was_answered_survives_a_power_cut_at_every_step(
    steps: list[Step], place: Path
) -> None:
    lived = Recording(place / "lived", steps)
    for number in range(IMAGES // 2):
        moment = number * len(lived.changes) // (IMAGES // 2)
        image = place / "image"
        lived.at(moment).after_power_cut(image, kind=number % KINDS, chance=Chance(number))
        answers = lived.answers[: lived.answered(moment)]
        keeps_its_word(image, steps, answers, f"cut {moment} of {len(lived.changes)}, {number}")
        shutil.rmtree(image)


def test_what_was_answered_after_a_kill_survives_a_power_cut(
    steps: list[Step], place: Path
) -> None:
    """Killed before a sync, when most is at stake; the next one answers, then the power goes."""
    lived = Recording(place / "lived", steps)
    syncs = [at for at, each in enumerate(lived.changes) if isinstance(each, Sync | SyncFolder)]
    assert len(syncs) > len(steps), "nothing was synced: nothing is tested"
    for number in range(IMAGES // 2):
        moment = syncs[number * len(syncs) // (IMAGES // 2)]
        left, done = lived.at(moment), lived.answered(moment)
        second, image = place / "second", place / "image"
        left.put(second)
        again = Recording(second, steps[done : done + 1], left)
        cut = again.ends[-1] if again.ends else 0
        again.at(cut).after_power_cut(image, kind=(number % 2) * 2, chance=Chance(number))
        answers = lived.answers[:done] + again.answers
        keeps_its_word(image, steps, answers, f"killed at {moment}, {number}")
        shutil.rmtree(image)
        shutil.rmtree(second)


def keeps_its_word(root: Path, steps: list[Step], answers: list[object], where: str) -> None:
    """All that was answered is there, once; nothing that was erased is; and it goes on."""
    done = len(answers)
    answered = steps[:done]
    for step in answered:
        if step.erased:
            assert erased_everywhere(root, step.erased), f"{where}: an erased sentence is back"
    gone = {step.erased for step in steps[: done + 1]}  # the one under way may have got so far
    with Life(root) as life:
        if done or (root / "memory").is_dir():
            told = sentences(life.memory)
            for text in {text for step in answered for text in step.said} - gone:
                assert told[text] == 1, f"{where}: {text!r} is there {told[text]} times"
            proves(life, steps[done : done + 1], where)
        for step in answered[-1:]:
            step.holds(life, answers[-1])
        for step in steps[done:]:
            step.act(life)
        told = sentences(life.memory)
        for text in {text for step in steps for text in step.said}:
            wanted = 0 if text in {step.erased for step in steps} else 1
            assert told[text] == wanted, f"{where}: {text!r} is there {told[text]} times at the end"
        assert life.memory.prove()


def proves(life: Life, under_way: list[Step], where: str) -> None:
    try:
        life.memory.prove()
    except ErasureUnfinishedError:
        assert any(step.erased for step in under_way), where


def erased_everywhere(root: Path, text: str) -> bool:
    return not any(text.encode() in path.read_bytes() for path in root.rglob("*") if path.is_file())
