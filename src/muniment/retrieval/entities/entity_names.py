"""Entity names: which names are one entity, as people said by hand and as first names tell."""

from collections.abc import Iterable, Mapping

import msgspec


class Joins(msgspec.Struct, frozen=True, kw_only=True):
    """What people said by hand: which names are one entity, and which are not."""

    merged: Mapping[str, str] = {}  # a name, and the one it stands for
    apart: frozenset[str] = frozenset()  # names that no rule merges


class EntityNames:
    """All names that one reader's texts have, and whom they mean."""

    def __init__(self, names: Iterable[str], joins: Joins) -> None:
        self.every = frozenset(names)
        self.joins = joins
        self._short = _first_names(self.every, joins)
        self._others: dict[str, list[str]] = {}
        for each in sorted(self.every):
            self._others.setdefault(self.canonical(each), []).append(each)

    def canonical(self, name: str) -> str:
        """The name of the entity that a name means."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            name = self.joins.merged.get(name, self._short.get(name, name))
        return name

    def others(self, name: str) -> tuple[str, ...]:
        """The other names of an entity."""
        return tuple(each for each in self._others.get(name, ()) if each != name)


def _first_names(names: Iterable[str], joins: Joins) -> dict[str, str]:
    """A first name stands for the one longer name that begins with it, unless two do."""
    longer: dict[str, list[str]] = {}
    for name in sorted(names):
        first, space, _ = name.partition(" ")
        if space:
            longer.setdefault(first, []).append(name)
    return {
        name: longer[name][0]
        for name in names
        if name not in joins.apart and len(longer.get(name, ())) == 1
    }
