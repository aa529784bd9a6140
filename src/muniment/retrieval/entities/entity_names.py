"""Entity names: which names are one entity, as people said by hand and as first names tell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from muniment.model.languages.relation_words import TITLES
from muniment.model.lazy_pattern import lazy_pattern

_TITLED = lazy_pattern(rf"\A(?:(?:{TITLES})\.?\s+)+(?=\S)")


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


def untitled(name: str) -> str:
    """A name without "Dr." or "Mrs" before it."""
    return _TITLED.sub("", name)


def _first_names(names: Iterable[str], joins: Joins) -> dict[str, str]:
    """A shorter name stands for the one longer name that it is a part of, unless two have it."""
    longer: dict[str, list[str]] = {}
    for name in sorted(names):
        for short in sorted({*_shorter(name)} - {name}):
            longer.setdefault(short, []).append(name)
    meant = {name: _longest(each, longer) for name, each in longer.items()}
    return {
        name: meant[name][0]
        for name in names
        if name not in joins.apart and len(meant.get(name, ())) == 1
    }


def _shorter(name: str) -> Iterator[str]:
    """The first name; of whoever has a title also the family name, and each without the title."""
    plain = untitled(name)
    first, space, _ = plain.partition(" ")
    if space:
        yield first
    if plain != name:
        title, family = name[: -len(plain)], plain.rpartition(" ")[2]
        yield from (plain, family, f"{title}{family}")


def _longest(names: Sequence[str], longer: Mapping[str, Sequence[str]]) -> list[str]:
    """Without those that are themselves short for another of these."""
    return [each for each in names if not {*longer.get(each, ())} & {*names}]
