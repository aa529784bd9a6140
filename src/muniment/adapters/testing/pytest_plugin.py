"""Pytest plugin: the fixture `memory_kit`, stories in YAML as tests, and the gate of a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.adapters.config import Settings, open_memory, read_policy
from muniment.adapters.testing import answer_gate, stories
from muniment.adapters.testing.memory_kit import MemoryKit
from muniment.model.errors import InputError, NotFoundError

SERVER = "://"
SUFFIXES = (".story.yaml", ".story.yml", ".story.json")


@pytest.fixture
def memory_kit() -> Iterator[MemoryKit]:
    """An empty memory without a disk, the same on every run."""
    with MemoryKit() as kit:
        yield kit


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("muniment")
    group.addoption("--memory-gate", default="", metavar="STORE", help="Ask its questions again.")
    group.addoption("--memory-gate-policy", default="", metavar="FILE", help="Under this policy.")


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    store = str(session.config.getoption("--memory-gate"))
    if store:
        policy = str(session.config.getoption("--memory-gate-policy"))
        made = AnswerGateItem.from_parent(session, name=f"memory gate: {store}")
        made.store, made.policy = store, policy
        items.append(made)


class AnswerGateItem(pytest.Item):
    """Every recorded question of a store, asked again: one case, which fails on what changed."""

    store = policy = ""

    def runtest(self) -> None:
        if SERVER not in self.store and not Path(self.store).is_dir():
            raise NotFoundError(f"there is no memory in {self.store}")
        policy = read_policy(Path(self.policy)) if self.policy else None
        with open_memory(self.store, Settings()) as memory:
            answer_gate.assert_same_answers(memory, policy=policy)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        del style
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return Path(self.store), None, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "StoryFile | None":
    if file_path.name.endswith(SUFFIXES):
        made: StoryFile = StoryFile.from_parent(parent, path=file_path)
        return made
    return None


class StoryFile(pytest.File):
    def collect(self) -> Iterator["StoryItem"]:
        try:
            found = stories.read(self.path)
        except InputError as error:  # its sentence says where: no reader needs our traceback
            raise self.CollectError(error.detail) from None
        for story in found:
            yield StoryItem.from_parent(self, name=story.story, story=story)


class StoryItem(pytest.Item):
    """One story; in a JUnit report it is one case, by its name."""

    def __init__(self, name: str, parent: pytest.Collector, *, story: stories.Story) -> None:
        super().__init__(name, parent)
        self._story = story

    def runtest(self) -> None:
        stories.play(self._story)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        del style
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
