"""A studio that people come to with API keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios

from muniment.adapters.gateway.api_keys import MemoryCredentials
from muniment.adapters.studio.page_context import Studio


@pytest.fixture
def known() -> MemoryCredentials:
    return MemoryCredentials()


@pytest.fixture
def keyed(tmp_path: Path, known: MemoryCredentials) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True, credentials=known)
    yield made
    made.close()
