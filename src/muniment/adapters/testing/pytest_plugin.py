"""Pytest plugin: the fixture `memory_kit`, and every `*.story.yaml` of a folder as tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.adapters.testing import stories
from muniment.adapters.testing.memory_kit import MemoryKit

SUFFIXES = (".story.yaml", ".story.yml", ".story.json")


@pytest.fixture
def memory_kit() -> Iterator[MemoryKit]:
    """An empty memory without a disk, the same on every run."""
    with MemoryKit() as kit:
        yield kit


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "StoryFile | None":
    if file_path.name.endswith(SUFFIXES):
        made: StoryFile = StoryFile.from_parent(parent, path=file_path)
        return made
    return None


class StoryFile(pytest.File):
    def collect(self) -> Iterator["StoryItem"]:
        for story in stories.read(self.path):
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
