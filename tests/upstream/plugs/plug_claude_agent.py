"""The session store tests of the Claude Agent SDK, with our store in the place of theirs."""

import sys

sys.path.insert(0, "src")  # the archive that these tests came with

import claude_agent_sdk  # type: ignore[import-not-found]
import pytest

import muniment
from muniment.adapters.frameworks.claude_agent import Entry, MunimentSessionStore, SessionKey


class InMemorySessionStore(MunimentSessionStore):
    """With the three things that only their tests ask for."""

    def __init__(self) -> None:
        super().__init__(muniment.open(":memory:").agent("ada", user="tuff"))

    def get_entries(self, key: SessionKey) -> list[Entry]:
        return self._load(key)

    @property
    def size(self) -> int:
        return len(
            {each.namespace for each in self._documents.within() if len(each.namespace) == 3}
        )

    def clear(self) -> None:
        found = self._documents.within()
        self._documents.put_all({(each.namespace, each.key): None for each in found})


claude_agent_sdk.InMemorySessionStore = InMemorySessionStore


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"  # theirs runs each test under trio as well, which is not installed here
