"""Relation spans: from when until when each relation holds, folded from what texts tell of it.

A relation begins when it is told, or when its sentence says. It ends when a later text says so,
and one that somebody has one of at a time when another value is told. The fold reads statements by
the moments they tell of, so what is taken out of the log takes its end with it.

The word of a machine stands below that of a person: it ends nothing that a person told, and where
it tells another value of what somebody has one of, what a person told stays.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from muniment.model.languages.language_table import flat
from muniment.model.languages.relation_words import (
    DIED,
    GIVEN_AWAY,
    HOP_NOUNS,
    NO_PARTING,
    SEVERED,
    SOMEBODY,
)
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.entities.entity_names import EntityNames
from muniment.retrieval.entities.entity_relation import SINGLE, EntityRelation, ToldRelation
from muniment.retrieval.entities.relation_rules import (
    IS_OVER,
    LIVES_IN,
    NOW,
    PERSON,
    SPOUSE,
    USER,
    WORKS_AT,
    kin_words,
)
from muniment.retrieval.entities.told_endings import ToldEnding
from muniment.retrieval.text import tokenizer

PET: Final = "pet"
_SEVERED = lazy_pattern(SEVERED)
_DIED = lazy_pattern(DIED)
_GIVEN_AWAY = lazy_pattern(GIVEN_AWAY)
_NO_PARTING = lazy_pattern(NO_PARTING)
_SOMEBODY = lazy_pattern(SOMEBODY, re.IGNORECASE)
_OF_IT = ("'s", "\u2019s")  # "the dog's leash" is no dog


class DatedEnding(msgspec.Struct, frozen=True, kw_only=True):
    """An ending that a text tells, when, and where that is kept."""

    ending: ToldEnding
    moment: str
    until: str  # since when it is over: the day that its sentence names, or the moment
    evidence: str
    by_machine: bool = False


Statement = ToldRelation | DatedEnding


def ending_stems(said: EntityRelation) -> frozenset[str]:
    """What an ending of a relation may name: either of the two, or its word for kin."""
    return _stems(said.object) | _stems(said.subject.partition("/")[0]) - {USER} | _kin_stems(said)


def spans(told: Iterable[Statement], names: EntityNames) -> list[EntityRelation]:
    """Every relation with its beginning and its end, in the order they were first told."""
    fold = _Fold(names)
    for each in sorted(told, key=lambda each: each.moment):
        fold.take(each)
    return fold.whole()


class _Fold:
    def __init__(self, names: EntityNames) -> None:
        self.rows: list[EntityRelation] = []
        self._names = names
        self._of_machines: set[int] = set()  # rows that no person has told
        self._over: dict[int, str] = {}  # when the words of a relation were replaced
        self._last: dict[tuple[str, str, str], int] = {}
        self._slots: dict[tuple[str, str], list[int]] = {}
        self._by_stem: dict[str, list[int]] = {}
        self._stems: dict[str, frozenset[str]] = {}

    def take(self, told: Statement) -> None:
        if isinstance(told, DatedEnding):
            self._end_named(told)
        elif told.tense == NOW:
            self._begin(told)
        elif told.said.object:
            self._end_told(told)
        else:
            self._end_all(told)

    def whole(self) -> list[EntityRelation]:
        """All of them; what nothing else has ended is over when its words were replaced."""
        for number, over in self._over.items():
            row = self.rows[number]
            if over and not row.until:
                self.rows[number] = msgspec.structs.replace(row, until=max(row.since, over))
        return self.rows

    # ── What is so, was, or is over ─────────────────────────────────────────────────────────────

    def _begin(self, told: ToldRelation) -> None:
        said, number = told.said, self._holding(told.said, told.moment)
        if told.by_machine and self._is_settled(told, number):
            return
        if number is None:
            number = self._add(said, by_machine=told.by_machine)
        else:  # what is told again is told by the newest words
            row = self.rows[number]
            self.rows[number] = msgspec.structs.replace(
                said, since=min(row.since, said.since), until=row.until, began_by=row.began_by,
                ended_by=row.ended_by, ended_sentence=row.ended_sentence,
            )  # fmt: skip
        since, until = self.rows[number].since, self.rows[number].until
        if not told.by_machine:
            self._of_machines.discard(number)
        self._over[number] = told.over
        for other in self._slot(said):
            row = self.rows[other]
            is_later = bool(until) and row.since >= until  # a plan, which this leaves as it is
            if other == number or _are_of_one_pair(row, said):
                continue
            if not is_later and (not row.until or since < row.until):
                self._close(other, since, said)

    def _is_settled(self, told: ToldRelation, number: int | None) -> bool:
        """Whether a person has told what a machine says, or that it is otherwise then."""
        if number is not None and number not in self._of_machines:
            return True
        others = (n for n in self._slot(told.said) if n not in self._of_machines)
        return any(_is_open(self.rows[n], told.moment) for n in others)

    def _end_told(self, told: ToldRelation) -> None:
        number = self._holding(told.said, told.moment)
        if number is not None and not self._may_end(number, told):
            return
        if number is not None:
            self._close(number, told.until or told.moment, told.said)
        elif told.tense != IS_OVER:
            self._add_past(told)

    def _add_past(self, told: ToldRelation) -> None:
        """What was, and has not been told while it was so: as far as nothing else was then."""
        said, until = told.said, told.until or told.moment
        begun = [self.rows[n] for n in self._slot(said)]
        if any(each.since <= said.since and _is_open(each, said.since) for each in begun):
            until = said.since
        until = min([until, *(each.since for each in begun if each.since > said.since)])
        self._close(self._add(said, by_machine=told.by_machine), until, said)

    def _end_all(self, told: ToldRelation) -> None:
        """Of an employer or a partner that nobody names; another one that is named is meant."""
        open_rows = [n for n in self._slot(told.said) if _is_open(self.rows[n], told.moment)]
        open_rows = [n for n in open_rows if self._may_end(n, told)]
        named = _stems(told.said.sentence)
        meant = [n for n in open_rows if self._stems_of(self.rows[n].object) & named]
        known = self._others_named(told.said.sentence, told.said.subject)
        known -= self._kin_of(told.said.subject)
        for number in meant or ([] if known else open_rows):
            self._close(number, told.until or told.moment, told.said)

    # ── What verbs of ending are done with ──────────────────────────────────────────────────────

    def _end_named(self, told: DatedEnding) -> None:
        ending = told.ending
        open_rows = [n for n in self._named_by(ending) if _is_open(self.rows[n], told.moment)]
        open_rows = [n for n in open_rows if self._may_end(n, told)]
        meant = [n for n in open_rows if self._is_over(self.rows[n], ending)]
        for number in self._of_one_kin(meant, ending):
            row = self.rows[number]
            ended = msgspec.structs.replace(row, evidence=told.evidence, sentence=ending.sentence)
            self._close(number, told.until, ended)

    def _named_by(self, ending: ToldEnding) -> list[int]:
        if not ending.spaced:
            return [n for n in range(len(self.rows)) if self._is_in(self.rows[n], ending.clause)]
        found = {n for run in ending.runs for stem in run for n in self._by_stem.get(stem, ())}
        return sorted(found)

    def _is_in(self, row: EntityRelation, clause: str) -> bool:
        names = (row.object, *self._names.others(row.object), row.subject, *_kin_said(row))
        return any(flat(name) in clause for name in names if name != USER)

    def _is_over(self, row: EntityRelation, ending: ToldEnding) -> bool:
        if self._is_ended(row, ending):
            return True
        turned = msgspec.structs.replace(row, subject=row.object, object=row.subject)
        return row.relation == SPOUSE and row.subject != USER and self._is_ended(turned, ending)

    def _is_ended(self, row: EntityRelation, ending: ToldEnding) -> bool:
        verb = ending.verb
        if row.relation in {WORKS_AT, LIVES_IN}:
            if _DIED.search(verb):
                return self._is_at_edge(self._stems_of(row.subject), [row.subject], ending)
            return self._has_left(row, ending)
        if row.relation == PET:
            fits = bool(_DIED.search(verb) or _GIVEN_AWAY.search(verb))
        else:
            fits = bool(_DIED.search(verb) or (row.kind == PERSON and _SEVERED.search(verb)))
        stems = self._stems_of(row.object) | _kin_stems(row)
        names = [row.object, *self._names.others(row.object), *_kin_said(row)]
        if not fits or not self._is_at_edge(stems, names, ending):
            return False
        return bool(_DIED.search(verb)) or self._is_of(row, ending)

    def _has_left(self, row: EntityRelation, ending: ToldEnding) -> bool:
        stated = any(map(str.isdigit, ending.sentence)) and row.relation == LIVES_IN
        if _NO_PARTING.search(ending.verb) or stated:
            return False
        names = [row.object, *self._names.others(row.object)]
        if ending.spaced:
            runs = [run for run in ending.runs if not all(map(_is_job, run))]
            stems = self._stems_of(row.object)
            if not (runs and not stems.isdisjoint(runs[0])):
                return False
        elif not any(flat(name) in ending.clause for name in names):
            return False
        nobody = not self._others_named(ending.sentence, row.object)
        closed = not ending.behind and nobody and not _SOMEBODY.search(ending.sentence)
        return (closed and row.relation == WORKS_AT) or self._is_of(row, ending)

    def _is_at_edge(self, stems: frozenset[str], names: Sequence[str], ending: ToldEnding) -> bool:
        """Whether it is named directly beside the verb, and not only what is its own."""
        if any(f"{name}{own}" in ending.sentence for name in names for own in _OF_IT):
            return False
        if not ending.spaced:
            return any(flat(name) in ending.clause for name in names)
        return bool(ending.runs) and ending.runs[0][-1] in stems

    def _is_of(self, row: EntityRelation, ending: ToldEnding) -> bool:
        """Whether a sentence is about whoever a relation is of."""
        sentence = ending.sentence
        if row.subject == USER:
            if _SOMEBODY.search(sentence):
                return False
            return not (self._others_named(sentence, row.object) - _kin_stems(row))
        if self._stems_of(row.subject) & _stems(sentence):
            return True
        if self._kin_of(row.subject) & _stems(sentence):
            return True
        return bool(_SOMEBODY.search(sentence)) and self._is_only_one(row)

    def _kin_of(self, name: str) -> frozenset[str]:
        """The words for kin that somebody is called by whoever speaks."""
        rows = (self.rows[n] for stem in self._stems_of(name) for n in self._by_stem.get(stem, ()))
        theirs = (each for each in rows if (each.subject, each.object) == (USER, name))
        return frozenset(stem for each in theirs for stem in _kin_stems(each))

    def _is_only_one(self, row: EntityRelation) -> bool:
        alike = (each for each in self.rows if each.object == row.object and not each.until)
        return [each.subject for each in alike if each.subject != USER] == [row.subject]

    def _of_one_kin(self, meant: Sequence[int], ending: ToldEnding) -> Iterator[int]:
        """A dog without a name is the one dog: of two of them nobody knows which."""
        named = _stems(ending.sentence)
        by_name = [n for n in meant if self._stems_of(self.rows[n].object) & named]
        others = [n for n in meant if n not in by_name and not self._is_spaceless_name(n, ending)]
        yield from (n for n in meant if n not in others)
        if len(others) == 1 and not by_name:
            yield from others

    def _is_spaceless_name(self, number: int, ending: ToldEnding) -> bool:
        row = self.rows[number]
        return not ending.spaced and flat(row.object) in ending.clause

    def _others_named(self, sentence: str, but: str) -> frozenset[str]:
        """The stems of a sentence that mean somebody else."""
        said = _stems(sentence)
        named = {
            stem
            for row in (self.rows[n] for stem in said for n in self._by_stem.get(stem, ()))
            for name in (row.subject, row.object if row.kind == PERSON else "")
            if name not in {USER, but, ""}
            for stem in self._stems_of(name)
        }
        kin = {
            word
            for row in kin_words().values()
            for found in row.finditer(sentence)
            for word in _stems(found[0])
        }
        return frozenset(said & (named | kin)) - self._stems_of(but)

    # ── Rows ────────────────────────────────────────────────────────────────────────────────────

    def _add(self, said: EntityRelation, *, by_machine: bool) -> int:
        number = len(self.rows)
        self.rows.append(said)
        if by_machine:
            self._of_machines.add(number)
        self._last[_key(said)] = number
        for slot in _slots(said):
            self._slots.setdefault(slot, []).append(number)
        of_both = self._stems_of(said.subject) | self._stems_of(said.object) | _kin_stems(said)
        for stem in of_both:
            self._by_stem.setdefault(stem, []).append(number)
        return number

    def _may_end(self, number: int, told: Statement) -> bool:
        """What a person has told only a person ends."""
        return number in self._of_machines or not told.by_machine

    def _close(self, number: int, until: str, by: EntityRelation) -> None:
        row = self.rows[number]
        self.rows[number] = msgspec.structs.replace(
            row,
            until=max(row.since, until),
            ended_by=by.evidence,
            ended_sentence=by.sentence,
        )

    def _holding(self, said: EntityRelation, moment: str) -> int | None:
        number = self._last.get(_key(said))
        return number if number is not None and _is_open(self.rows[number], moment) else None

    def _slot(self, said: EntityRelation) -> list[int]:
        return sorted({n for slot in _slots(said) for n in self._slots.get(slot, ())})

    def _stems_of(self, name: str) -> frozenset[str]:
        if name not in self._stems:
            self._stems[name] = _stems_of(self._names, name)
        return self._stems[name]


def _key(said: EntityRelation) -> tuple[str, str, str]:
    return said.subject, said.relation, said.object


def _slots(said: EntityRelation) -> Iterator[tuple[str, str]]:
    """Of what somebody has one at a time; who is married to them has one too."""
    if said.relation in SINGLE:
        yield said.subject, SINGLE[said.relation]
    if said.relation == SPOUSE and said.object:
        yield said.object, SINGLE[SPOUSE]


def _are_of_one_pair(one: EntityRelation, other: EntityRelation) -> bool:
    """Whether "is married to" says of two what another word said of them."""
    same = {one.subject, one.object} == {other.subject, other.object}
    return same and SPOUSE in (one.relation, other.relation)


def _is_open(row: EntityRelation, moment: str) -> bool:
    return not row.until or moment < row.until


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(tokenizer.stem, tokenizer.spelled(text)))


def _stems_of(names: EntityNames, name: str) -> frozenset[str]:
    if name == USER:
        return frozenset()
    return frozenset().union(*map(_stems, (name, *names.others(name))))


def _kin_said(row: EntityRelation) -> list[str]:
    """The word for kin that a relation was told with."""
    words = kin_words().get(row.relation)
    found = words.search(row.sentence) if words else None
    return [found[0].casefold()] if found else []


def _kin_stems(row: EntityRelation) -> frozenset[str]:
    return frozenset().union(*map(_stems, _kin_said(row)))


def _is_job(stem: str) -> bool:
    return _JOB.fullmatch(stem) is not None


_JOB: Final = RowPattern(HOP_NOUNS[WORKS_AT])
