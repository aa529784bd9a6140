"""Anthropic's memory tool tests, with our tools in the place of those on a file system."""

from pathlib import Path

import anthropic.lib.tools._beta_builtin_memory_tool as tools
import pytest

import muniment
from muniment.adapters.frameworks.anthropic import AsyncMunimentMemoryTool, MunimentMemoryTool
from muniment.engine.api.agent import Agent

OPEN: dict[str, Agent] = {}  # one agent for each folder a test names


def _agent(base_path: str) -> Agent:
    if base_path not in OPEN:
        OPEN[base_path] = muniment.open(":memory:").agent("claude", user="tuff")
    return OPEN[base_path]


class Shown:
    """A path of theirs, over our namespaces: what a test writes and reads beside the tool."""

    def __init__(self, base_path: str, name: str = "") -> None:
        self._base_path = base_path
        self._name = name

    def __truediv__(self, name: str) -> "Shown":
        return Shown(self._base_path, name)

    def __str__(self) -> str:
        return str(Path(self._base_path) / "memories" / self._name)

    def mkdir(self, **_: object) -> None:
        """There is no folder to make."""

    def is_dir(self) -> bool:
        return not self._name

    def write_bytes(self, data: bytes) -> None:
        _agent(self._base_path).documents().put(("memories",), self._name, data.decode())

    def read_bytes(self) -> bytes:
        document = _agent(self._base_path).documents().get(("memories",), self._name)
        assert document is not None
        return str(document.value).encode()


class SyncTool(MunimentMemoryTool):
    def __init__(self, base_path: str = "./memory") -> None:
        super().__init__(_agent(base_path))
        self.base_path = Path(base_path)
        self.memory_root = Shown(base_path)


class AsyncShown(Shown):
    async def is_dir(self) -> bool:  # type: ignore[override]
        return super().is_dir()


class AsyncTool(AsyncMunimentMemoryTool):
    def __init__(self, base_path: str = "./memory") -> None:
        super().__init__(_agent(base_path))
        self.base_path = Path(base_path)
        self.memory_root = AsyncShown(base_path)


tools.BetaLocalFilesystemMemoryTool = SyncTool  # type: ignore[assignment, misc]
tools.BetaAsyncLocalFilesystemMemoryTool = AsyncTool  # type: ignore[assignment, misc]


def snapshot(base_path: str) -> dict[str, str]:
    """What lies in the namespaces, as their helper reads a folder."""
    found = OPEN[base_path].documents().within()
    return {"/".join((*each.namespace, each.key)): str(each.value) for each in found}


def path(text: str) -> object:
    """A path as their tests name it: ours where it leads to a tool of ours."""
    base_path = str(text).removesuffix("/memories/").removesuffix("/memories")
    return Shown(base_path) if base_path != str(text) and base_path in OPEN else Path(text)


@pytest.hookimpl
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for module in {getattr(item, "module", None) for item in items}:
        if module is not None and hasattr(module, "get_directory_snapshot"):
            module.get_directory_snapshot = snapshot
            module.Path = path
