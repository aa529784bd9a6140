"""Renamed ids: ids of one log mapped to those of another that was decided again.

Ids are counted along a log, so the same record has another one where something else came before it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

import msgspec

from muniment.model.commands import AnyCommand
from muniment.model.events import AnyEvent, Shredded
from muniment.model.lazy_pattern import lazy_pattern

Told = TypeVar("Told", bound=AnyCommand)
# Ids are counted or dated: one word that holds a digit. Other texts may differ in what they say.
NAME: Final = lazy_pattern(r"(?=\S*[0-9])\S{3,}", re.ASCII)


class RenamedIds:
    """By what a thing was called: what it is called now."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._known: set[str] = set()  # what was called something before: a name is given once

    def learn(self, old: AnyEvent | Shredded, new: AnyEvent | Shredded) -> None:
        """Two events that say the same of two logs: what is named there for the first time."""
        for before, after in _paired(msgspec.to_builtins(old), msgspec.to_builtins(new)):
            if before not in self._known:
                self.put(before, after)

    def put(self, old: str, new: str) -> None:
        self._known.add(old)
        if old != new:
            self._names[old] = new

    def of(self, name: str) -> str:
        return self._names.get(name, name)

    def command(self, command: Told) -> Told:
        """A command with the names that its things have now."""
        if not self._names:
            return command
        told = msgspec.to_builtins(command)
        renamed = _with_names(told, self._names)
        return command if renamed == told else msgspec.convert(renamed, type(command))


def _paired(old: object, new: object) -> Iterator[tuple[str, str]]:
    """The names that stand in the same place of two values."""
    if isinstance(old, str) and isinstance(new, str):
        if NAME.fullmatch(old) and NAME.fullmatch(new):
            yield old, new
    elif isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in new:
                yield from _paired(value, new[key])
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
        for one, other in zip(old, new, strict=False):
            yield from _paired(one, other)


def _with_names(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {key: _with_names(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_names(each, names) for each in value]
    return value
