"""Entity graph: entities with their other names, relations with evidence, and paths between two."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.retrieval.entities.relation_rules import PERSON, USER, Relation

HOPS_MAX: Final = 6


class EntityRelation(msgspec.Struct, frozen=True, kw_only=True):
    """How one entity is related to another, and the words of which entry say so."""

    subject: str
    relation: str
    object: str
    evidence: str  # the id of what was kept
    sentence: str
    since: str = ""  # when it was told
    kind: str = PERSON  # of the object
    origin: str = ""  # on whose word

    @classmethod
    def told(
        cls, found: Relation, *, evidence: str, since: str = "", origin: str = ""
    ) -> "EntityRelation":
        """A relation that rules found in a text, with where and when that was told."""
        return cls(
            subject=found.subject,
            relation=found.relation,
            object=found.object,
            evidence=evidence,
            sentence=found.sentence,
            since=since,
            kind=found.kind,
            origin=origin,
        )


class NamedEntity(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody or something that texts name."""

    name: str
    kind: str
    other_names: tuple[str, ...] = ()
    relations: tuple[EntityRelation, ...] = ()  # newest first


class Joins(msgspec.Struct, frozen=True, kw_only=True):
    """What people said by hand: which names are one entity, and which are not."""

    merged: Mapping[str, str] = {}  # a name, and the one it stands for
    apart: frozenset[str] = frozenset()  # names that no rule merges


class EntityGraph:
    """All entities of one reader, by name; made from relations in the order they were told."""

    def __init__(self, told: Sequence[EntityRelation], joins: Joins) -> None:
        self._joins = joins
        named = _resolved(told)
        names = {each.subject for each in named} | {each.object for each in named}
        self._short = _first_names(names, joins)
        joined: dict[tuple[str, str, str], EntityRelation] = {}
        for each in named:  # what is told again is told by the newest words
            row = msgspec.structs.replace(
                each, subject=self.canonical(each.subject), object=self.canonical(each.object)
            )
            joined[row.subject, row.relation, row.object] = row
        self.relations = tuple(joined.values())[::-1]
        self._names = names

    def canonical(self, name: str) -> str:
        """The name of the entity that a name means."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            name = self._joins.merged.get(name, self._short.get(name, name))
        return name

    def entities(self, kind: str = "") -> list[NamedEntity]:
        """Every entity, the one with most relations first; the user is not among them."""
        kinds: dict[str, str] = {}
        for each in self.relations:
            kinds.setdefault(each.subject, PERSON)
        for each in self.relations:
            kinds[each.object] = each.kind
        found = [self._entity(name, its) for name, its in kinds.items() if name != USER]
        wanted = [each for each in found if kind in ("", each.kind)]
        return sorted(wanted, key=lambda each: (-len(each.relations), each.name))

    def about(self, name: str) -> NamedEntity | None:
        """One entity by any of its names, whatever the case."""
        wanted = name.casefold().strip()
        known = {each.casefold(): each for each in sorted(self._names)}
        found = known.get(wanted)
        if found is None:
            return None
        name = self.canonical(found)
        kind = next((each.kind for each in self.relations if each.object == name), PERSON)
        return self._entity(name, kind)

    def called(self, name: str) -> tuple[str, ...]:
        """All that texts may call an entity: also a person's first name, if nobody shares it."""
        found = self.about(name)
        if found is None:
            return (name,)
        first, space, _ = found.name.partition(" ")
        sharing = {each for each in self._names if each.startswith(f"{first} ")} - {found.name}
        theirs = found.kind == PERSON and space and not sharing and first not in self._joins.apart
        return (found.name, *found.other_names, *([first] if theirs else []))

    def path(self, start: str, end: str) -> list[EntityRelation]:
        """The shortest way between two entities, each step with the sentence behind it."""
        ends = [self.about(name) for name in (start, end)]
        if None in ends or any(each is None for each in ends):
            return []
        first, last = (each.name for each in ends if each is not None)
        came: dict[str, tuple[str, EntityRelation]] = {}
        waiting = deque([(first, 0)])
        while waiting:
            name, hops = waiting.popleft()
            if name == last or hops >= HOPS_MAX:
                break
            for each in self._touching(name):
                other = each.object if each.subject == name else each.subject
                if other not in came and other != first:
                    came[other] = (name, each)
                    waiting.append((other, hops + 1))
        return _walked(came, first, last)

    def followed(self, start: str, relations: Iterable[str]) -> list[EntityRelation]:
        """From an entity on by each of these relations, newest first."""
        wanted = set(relations)
        found = (each for each in self.relations if each.subject == start)
        return [each for each in found if each.relation in wanted]

    def _touching(self, name: str) -> list[EntityRelation]:
        return [each for each in self.relations if name in (each.subject, each.object)]

    def _entity(self, name: str, kind: str) -> NamedEntity:
        others = (each for each in self._names if each != name and self.canonical(each) == name)
        return NamedEntity(
            name=name,
            kind=kind,
            other_names=tuple(sorted(others)),
            relations=tuple(self._touching(name)),
        )


def _resolved(told: Sequence[EntityRelation]) -> list[EntityRelation]:
    """Of "my wife works at Siemens" it is Marta who does, once it is said who my wife is."""
    kin = {
        f"{each.subject}/{each.relation}": each.object for each in told if "/" not in each.subject
    }
    return [
        msgspec.structs.replace(each, subject=kin.get(each.subject, each.subject)) for each in told
    ]


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


def _walked(
    came: Mapping[str, tuple[str, EntityRelation]], first: str, last: str
) -> list[EntityRelation]:
    steps: list[EntityRelation] = []
    name = last
    while name != first:
        if name not in came:
            return []
        name, step = came[name]
        steps.append(step)
    return steps[::-1]
