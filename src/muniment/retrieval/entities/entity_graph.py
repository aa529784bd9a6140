"""Entity graph: entities with their other names, relations with evidence, and paths between two."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model import ids
from muniment.retrieval.entities.entity_names import EntityNames, Joins, untitled
from muniment.retrieval.entities.entity_relation import (
    MEANT_BY,
    MUTUAL,
    EntityRelation,
    ToldRelation,
)
from muniment.retrieval.entities.relation_rules import IS_OVER, NOW, PERSON, USER
from muniment.retrieval.entities.relation_spans import DatedEnding, spans

HOPS_MAX: Final = 6


class NamedEntity(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody or something that texts name."""

    name: str
    kind: str
    other_names: tuple[str, ...] = ()
    relations: tuple[EntityRelation, ...] = ()  # newest first
    ended: tuple[EntityRelation, ...] = ()  # that held before, newest first


class EntityGraph:
    """All entities of one reader on one day, by name; made from what was told of them."""

    def __init__(
        self,
        told: Sequence[ToldRelation],
        joins: Joins,
        *,
        endings: Sequence[DatedEnding] = (),
        day: int | None = None,
    ) -> None:
        resolved = _resolved(told)
        said = [each.said for each in resolved if each.tense != IS_OVER]
        known = {name for each in said for name in (each.subject, each.object)}
        self._of = EntityNames(known, joins)
        found = spans([*map(self._canonical, resolved), *endings], self._of)[::-1]
        self.relations = tuple(each for each in found if _holds(each, day))
        self.ended = tuple(each for each in found if _has_ended(each, day))
        self._names = self._of.every
        self._of_machines = frozenset(each.said.evidence for each in told if each.by_machine)

    def _canonical(self, told: ToldRelation) -> ToldRelation:
        subject, name = map(self._of.canonical, (told.said.subject, told.said.object))
        said = msgspec.structs.replace(told.said, subject=subject, object=name)
        return msgspec.structs.replace(told, said=said)

    def canonical(self, name: str) -> str:
        """The name of the entity that a name means."""
        return self._of.canonical(name)

    def entities(self, kind: str = "") -> list[NamedEntity]:
        """Every entity, the one with most relations first; the user is not among them."""
        kinds: dict[str, str] = {}
        every = (*self.relations, *self.ended)
        for each in every:
            kinds.setdefault(each.subject, PERSON)
        for each in every:
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
        every = (*self.relations, *self.ended)
        kind = next((each.kind for each in every if each.object == name), PERSON)
        return self._entity(name, kind)

    def called(self, name: str) -> tuple[str, ...]:
        """All that texts may call an entity: also a person's first name, if nobody shares it."""
        found = self.about(name)
        if found is None:
            return (name,)
        first, space, _ = untitled(found.name).partition(" ")
        sharing = {n for n in self._names if untitled(n).startswith(f"{first} ")} - {
            each for each in self._names if self.canonical(each) == found.name
        }
        theirs = (
            found.kind == PERSON and space and not sharing and first not in self._of.joins.apart
        )
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

    def followed(
        self, start: str, relations: Iterable[str], *, of_then: bool = False
    ) -> list[EntityRelation]:
        """From an entity on by each of these relations, newest first; `of_then`: by ended ones.

        Where a person has told the next step, a machine's word leads to no other.
        """
        wanted = {meant for each in relations for meant in MEANT_BY.get(each, (each,))}
        walked = (*self.relations, *self.ended) if of_then else self.relations
        seen = (_seen_from(start, each) for each in walked if each.relation in wanted)
        found = [each for each in seen if each is not None]
        of_people = {each.relation for each in found if not self._is_of_machine(each)}
        return [e for e in found if e.relation not in of_people or not self._is_of_machine(e)]

    def _is_of_machine(self, relation: EntityRelation) -> bool:
        return relation.evidence in self._of_machines

    def _touching(self, name: str) -> list[EntityRelation]:
        return [each for each in self.relations if name in (each.subject, each.object)]

    def _entity(self, name: str, kind: str) -> NamedEntity:
        return NamedEntity(
            name=name,
            kind=kind,
            other_names=self._of.others(name),
            relations=tuple(self._touching(name)),
            ended=tuple(each for each in self.ended if name in (each.subject, each.object)),
        )


def _seen_from(start: str, relation: EntityRelation) -> EntityRelation | None:
    """A relation of somebody; who is married to them has them for a spouse too."""
    if relation.subject == start:
        return relation
    if relation.relation in MUTUAL and relation.object == start and relation.subject != USER:
        return msgspec.structs.replace(relation, subject=start, object=relation.subject)
    return None


def _resolved(told: Sequence[ToldRelation]) -> list[ToldRelation]:
    """Of "my wife works at Siemens" it is Marta who does, if my wife was Marta when it was told.

    Where nobody had said who that is, it is whoever was named first.
    """
    kin: dict[str, list[tuple[str, str]]] = {}
    for each in sorted(told, key=lambda each: each.moment):
        if "/" not in each.said.subject and each.said.object and each.tense == NOW:
            key = f"{each.said.subject}/{each.said.relation}"
            kin.setdefault(key, []).append((each.moment, each.said.object))
    return [_of_whom(each, kin.get(each.said.subject, ())) for each in told]


def _of_whom(told: ToldRelation, named: Sequence[tuple[str, str]]) -> ToldRelation:
    if not named:
        return told
    before = [name for moment, name in named if moment <= told.moment]
    subject = before[-1] if before else named[0][1]
    return msgspec.structs.replace(told, said=msgspec.structs.replace(told.said, subject=subject))


def _holds(relation: EntityRelation, day: int | None) -> bool:
    """Whether it is so at the end of a day; without one, at the end of all days."""
    if day is None:
        return not relation.until
    return _begun(relation, day) and not _has_ended(relation, day)


def _has_ended(relation: EntityRelation, day: int | None) -> bool:
    if not relation.until:
        return False
    return day is None or ids.day_number(relation.until) <= day


def _begun(relation: EntityRelation, day: int) -> bool:
    return not relation.since or ids.day_number(relation.since) <= day


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
