"""File import: a whole file is looked through first, then its records and words are kept."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, Protocol

import msgspec

from muniment.adapters.exchange import exchange_file, formats, import_run, word_line
from muniment.adapters.exchange.foreign_record import (
    USER_MALFORMED,
    Found,
    Skipped,
    is_person,
)
from muniment.adapters.exchange.formats import OURS
from muniment.adapters.exchange.import_run import ImportReport, Shown
from muniment.adapters.exchange.source_files import BYTES_MAX, SourceFiles
from muniment.engine.api.agent import Agent
from muniment.engine.audit.stage_progress import Stages
from muniment.engine.exchange.exchange import NOT_ASKED_FOR
from muniment.engine.exchange.exchange_line import Carried, ExchangeLine
from muniment.model.errors import InputError

OF_AGENTS: Final = frozenset({"agent", "collection"})  # the logs that an agent has of its own


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for beside the file."""

    form: str = ""  # what it is; empty: what it looks like
    user: str = ""  # whose it becomes; empty: of those it names
    agent: str = ""  # whose memory takes it; empty: that of those it names
    origin: str = ""
    trust: str = ""  # the public key that must have signed it
    rules: bool = False
    unpacked_max: int = BYTES_MAX  # of an archive


class ImportSeat(Protocol):
    """Who imports, and what they may: words are remembered in turns, records are carried."""

    def expect(self, people: set[str], *, records: bool) -> None:
        """Refuse what this seat may not keep, before anything is kept; "" is nobody."""

    def said(self, found: Found) -> Found:
        """Words, as far as this seat may say whose they are."""

    def turn(self, user: str, work: Callable[[Agent], None]) -> None: ...

    def carry(
        self, lines: Iterable[ExchangeLine], *, source: str, rules: bool
    ) -> Iterator[Carried]: ...


def run(source: Path, asked: ImportOptions, seat: ImportSeat, progress: Stages) -> ImportReport:
    """Everything that a file, folder or archive holds, each thing once, however often it is run."""
    files = SourceFiles(source, unpacked_max=asked.unpacked_max)
    form = asked.form or formats.detect(files)
    if not form and source.is_file() and not source.stat().st_size:
        raise InputError(f"{source.name!r} is empty")
    if not form:
        raise InputError(f"{source.name!r} has no known format: {formats.NAMES_IT}")
    if form == OURS:
        report = _ours(source, asked, seat, progress)
    elif asked.trust:
        raise InputError(f"only exports of Muniment can be signed, not a file of {form}")
    else:
        report = _foreign(files, form, asked, seat, progress)
    report.format = form
    return report


def _foreign(
    files: SourceFiles, form: str, asked: ImportOptions, seat: ImportSeat, progress: Stages
) -> ImportReport:
    people, count = import_run.survey(_of_people(formats.read(files, form), asked.user))
    seat.expect({asked.user} if asked.user else people, records=False)
    _expect_one(people, asked.user)
    found = map(seat.said, _of_people(formats.read(files, form), asked.user))
    step = _counter(progress, of=count)
    return import_run.run(found, seat.turn, user=asked.user, origin=asked.origin, step=step)


def _of_people(found: Iterable[Found], user: str) -> Iterator[Found]:
    """What is of nobody who can have a memory is skipped, unless it becomes another's anyway."""
    for n, each in enumerate(found, start=1):
        named = isinstance(each, Skipped) or user or not each.user or is_person(each.user)
        yield each if named else Skipped(place=f"entry {n}", reason=USER_MALFORMED)


def _ours(source: Path, asked: ImportOptions, seat: ImportSeat, progress: Stages) -> ImportReport:
    """Records are carried as they are; a line with nothing but words is remembered."""
    manifest = exchange_file.checked(source, key=asked.trust)
    looked = _looked_at(_lines(source), rules=asked.rules)
    if looked.recorded:
        seat.expect(looked.recorded, records=True)
    if looked.people:
        seat.expect({asked.user} if asked.user else looked.people, records=False)
    _expect_one(looked.people | looked.recorded, asked.user)
    as_named = len(looked.agents) > 1  # of several each keeps its own; of one, whoever is asked
    whole = ImportReport()
    digest = manifest.sha256 if manifest else ""
    for carried, same in groupby(_lines(source), key=lambda line: isinstance(line, ExchangeLine)):
        step = _counter(progress, of=looked.lines, before=0 if carried else whole.lines)
        if carried:
            records = (each for each in same if isinstance(each, ExchangeLine))
            carrying = (_given(asked, each, as_named=as_named) for each in records)
            _count(seat.carry(carrying, source=digest, rules=asked.rules), whole, step)
        else:
            words = (found for each in same if not isinstance(each, ExchangeLine) for found in each)
            said = map(seat.said, words)
            whole.add(
                import_run.run(said, seat.turn, user=asked.user, origin=asked.origin, step=step)
            )
    return whole


def _counter(progress: Stages, *, of: int, before: int = 0) -> Shown:
    return lambda done: progress("", before + done, of)


def _count(answers: Iterator[Carried], report: ImportReport, step: Shown) -> None:
    for told in answers:
        place = f"{told.line.kind} {told.line.id}"
        if told.reason == NOT_ASKED_FOR:
            report.skip(place, told.reason)
            continue
        report.lines += 1
        if told.stored:
            report.keep(known=told.known, redacted=told.redacted)
        elif told.reason == "record_is_there":
            report.keep(known=True, redacted=False)
        else:
            report.refuse(place, told.reason)
        step(report.lines)


def _lines(source: Path) -> Iterator[ExchangeLine | list[Found]]:
    for number, told in exchange_file.lines(source):
        if "event" in told:
            yield exchange_file.record(number, told)
        elif told["kind"] == "episode":
            yield list(word_line.read(number, told))
        else:
            raise InputError(f"line {number}: a record of the kind {told['kind']!r} says its event")


class _LookedAt(msgspec.Struct):
    people: set[str]  # of words
    recorded: set[str]  # of records
    agents: set[str]
    lines: int = 0  # that will be imported


def _looked_at(lines: Iterator[ExchangeLine | list[Found]], *, rules: bool) -> _LookedAt:
    """Whom a file is about, and whose memory it is; every line is looked at before one is kept."""
    found = _LookedAt(set(), set(), set())
    for line in lines:
        if isinstance(line, ExchangeLine):
            found.recorded.add(line.user)
            found.agents |= {line.of} if line.log in OF_AGENTS else set()
            found.lines += rules or not line.is_rule
        else:
            told = [each for each in line if not isinstance(each, Skipped)]
            found.people |= {each.user for each in told}
            found.lines += len(told)
    return found


def _given(asked: ImportOptions, line: ExchangeLine, *, as_named: bool) -> ExchangeLine:
    """A record as it is to be carried: for the agent and the user that were asked for."""
    told = line.about(asked.user)
    own = asked.agent and line.log in OF_AGENTS and not as_named
    return msgspec.structs.replace(told, of=asked.agent) if own else told


def _expect_one(people: set[str], user: str) -> None:
    """What several people said is not made one person's by an option, or by the environment."""
    if user and len(people - {""}) > 1:
        told = f"the lines are about {len(people - {''})} users"
        raise InputError(f"{told}; without a user each record keeps its own")
