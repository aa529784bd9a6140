"""CrewAI's own tests of its memory, with our storage in the place of theirs."""

from pathlib import Path
from typing import Any

from crewai.memory.storage import lancedb_storage

import muniment
from muniment.adapters.frameworks.crewai import MunimentStorage
from muniment.engine.api.memory import Memory

OPEN: dict[str, Memory] = {}


class Plugged(MunimentStorage):
    """Opened by a path, as theirs; the same path is the same memory."""

    def __init__(self, path: "str | Path" = "", **_: Any) -> None:  # noqa: ANN401 - dimensions, compaction
        place = str(path)
        memory = OPEN[place] = OPEN.get(place) or muniment.open(":memory:")
        super().__init__(memory.agent("crew", user="tuff"))


lancedb_storage.LanceDBStorage = Plugged
