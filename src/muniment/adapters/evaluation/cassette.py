"""Cassette: the answers of a model by what it was asked, kept in a file and replayed from it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there

AskModel = Callable[[str, str], str]  # of instructions and a text


class Cassette:
    """A model that is asked once for each question; with a whole cassette nobody is asked."""

    def __init__(self, ask: AskModel | None, path: Path | None) -> None:
        self._ask, self._path = ask, path
        self._kept: dict[str, str] = {}
        self.asked = 0  # of the model itself
        if path is not None and is_there(path):
            self._kept = msgspec.json.decode(path.read_bytes(), type=dict[str, str])

    @property
    def is_playable(self) -> bool:
        return self._ask is not None or bool(self._kept)

    def __call__(self, system: str, text: str) -> str:
        """The answer, as it was kept or as the model says it; nothing where neither knows."""
        key = hashlib.sha256(f"{system}\0{text}".encode()).hexdigest()
        if key not in self._kept:
            if self._ask is None:
                return ""
            self.asked += 1
            self._kept[key] = self._ask(system, text)
        return self._kept[key]

    def save(self) -> None:
        if self._path is not None:
            data = msgspec.json.format(msgspec.json.encode(dict(sorted(self._kept.items()))))
            durable_files.put_file(self._path, data, fresh=self._path.with_suffix(".fresh"))
