"""Import run: what a file holds is kept, each thing once, and everything that was not is told."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Final

import msgspec

from muniment.adapters.exchange.foreign_record import (
    Found,
    ImportedDocument,
    ImportedText,
    Skipped,
    reason_told,
)
from muniment.engine.api.agent import Agent
from muniment.engine.api.remember import Sentence
from muniment.model.errors import InputError, KeyReusedError, MunimentError
from muniment.model.struct_copy import copied

TOGETHER_MAX: Final = 64  # sentences of one append
PLACES_MAX: Final = 3  # that are named of each reason
REASONS_MAX: Final = 64  # that are counted apart: a file may name as many kinds as it likes
OTHER: Final = "other"

Turn = Callable[[str, Callable[[Agent], None]], None]  # work for a user, done by their agent
Shown = Callable[[int], None]


class ImportReport(msgspec.Struct, kw_only=True):
    """What became of everything that a file holds; reasons with how often, and the first places."""

    format: str = ""  # what the file was taken for
    lines: int = 0
    kept: int = 0
    known: int = 0  # of these, what was there already
    redacted: int = 0
    refused: dict[str, int] = msgspec.field(default_factory=dict)
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    places: dict[str, list[str]] = msgspec.field(default_factory=dict)

    def skip(self, place: str, reason: str) -> None:
        self.lines += 1
        self._count(self.skipped, place, reason_told(reason))

    def refuse(self, place: str, reason: str) -> None:
        self._count(self.refused, place, reason)

    def keep(self, *, known: bool, redacted: bool) -> None:
        self.kept += 1
        self.known += known
        self.redacted += redacted

    def add(self, other: "ImportReport") -> None:
        """And what became of another part of the same file."""
        self.lines += other.lines
        self.kept += other.kept
        self.known += other.known
        self.redacted += other.redacted
        for mine, its in ((self.refused, other.refused), (self.skipped, other.skipped)):
            for reason, count in its.items():
                mine[reason] = mine.get(reason, 0) + count
        for reason, named in other.places.items():
            self.places[reason] = [*self.places.get(reason, ()), *named][:PLACES_MAX]

    def _count(self, counts: dict[str, int], place: str, reason: str) -> None:
        if reason not in counts and len(counts) >= REASONS_MAX:
            reason = OTHER
        counts[reason] = counts.get(reason, 0) + 1
        named = self.places.setdefault(reason, [])
        if len(named) < PLACES_MAX:
            named.append(place)


def survey(found: Iterable[Found]) -> tuple[set[str], int]:
    """A first look before anything is kept: whom a file is about ("" is nobody), how many texts.

    What cannot be read at all ends here; a file in which nothing can be remembered, too.
    """
    people: set[str] = set()
    told = 0
    reasons: dict[str, int] = {}
    for each in found:
        if isinstance(each, Skipped):
            reason = reason_told(each.reason)
            reasons[reason] = reasons.get(reason, 0) + 1
        else:
            told += 1
            people.add(each.user)
    if not told:
        why = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        raise InputError(f"it contains nothing to remember{f': {why}' if why else ''}")
    return people, told


def run(found: Iterable[Found], turn: Turn, *, user: str, origin: str, step: Shown) -> ImportReport:
    """Keep everything, part by part; asked again, what is there already is not kept twice."""
    report = ImportReport()
    keep = {ImportedText: _texts, ImportedDocument: _documents}
    for (kind, whose), same in groupby(found, key=lambda each: _group(each, user)):
        if kind is Skipped:
            for each in same:
                assert isinstance(each, Skipped)
                report.skip(each.place, each.reason)
        else:
            for part in _parts(same):
                report.lines += len(part)
                turn(whose, partial(keep[kind], part=part, origin=origin, report=report))
                step(report.lines)
    return report


def _group(each: Found, user: str) -> tuple[type[Found], str]:
    return (Skipped, "") if isinstance(each, Skipped) else (type(each), user or each.user)


def _parts(found: Iterable[Found]) -> Iterator[list[Found]]:
    """So many as one append takes; a line that stands twice is another."""
    part: dict[str, Found] = {}
    for n, each in enumerate(found):
        key = each.key if isinstance(each, ImportedText) else str(n)
        if key in part or len(part) == TOGETHER_MAX:
            yield list(part.values())
            part = {}
        part[key] = each
    if part:
        yield list(part.values())


def _texts(agent: Agent, part: list[Found], origin: str, report: ImportReport) -> None:
    texts = [each for each in part if isinstance(each, ImportedText)]
    before = agent.seq
    told = agent.remember_each([_sentence(each, origin) for each in texts])
    for each, answer in zip(texts, told, strict=True):
        if isinstance(answer, InputError):
            report.refuse(each.text[:40], answer.code)
        elif isinstance(answer, KeyReusedError):  # the same thing, told of another day or talk
            report.keep(known=True, redacted=False)
        elif isinstance(answer, MunimentError):
            raise answer
        elif answer.stored:
            report.keep(known=answer.seq <= before, redacted=bool(answer.redacted))
        else:
            report.refuse(each.session or each.key, answer.reason)


def _sentence(each: ImportedText, origin: str) -> Sentence:
    return copied(
        Sentence,
        each,
        origin=origin or each.origin,
        tags=each.tags,
        metadata=each.metadata,
        expires=each.expires,
    )


def _documents(agent: Agent, part: list[Found], origin: str, report: ImportReport) -> None:
    del origin
    documents = agent.documents()
    for each in part:
        assert isinstance(each, ImportedDocument)
        place = "/".join((*each.namespace, each.name))
        try:
            there = documents.get(each.namespace, each.name)
            known = there is not None and there.value == each.value
            changed = None if known else documents.put(each.namespace, each.name, each.value)
        except MunimentError as error:
            report.refuse(place, getattr(error, "reason", "") or error.code)
        else:
            report.keep(known=known, redacted=bool(changed and changed.redacted))
