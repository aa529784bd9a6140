"""Exchange: a tenant's memory exported as records, and records of another one imported."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.decide.exchange.carried_state import UNKNOWN
from muniment.engine.exchange import export_records
from muniment.engine.exchange.carried_places import CarriedPlaces
from muniment.engine.exchange.exchange_line import (
    OPENS_A_JOB,
    Carried,
    ExchangeLine,
    log_of,
    together,
)
from muniment.engine.exchange.export_records import ExportedRecord
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.session.role_session import RoleSession
from muniment.engine.streams import admission, command_pipeline
from muniment.layers import loop_events
from muniment.log.entry import Line
from muniment.model import canonical_json, fact_keys
from muniment.model.commands.exchange import CarryRecords
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import JobOpened, Shredded, WriteDenied
from muniment.model.kinds.carried_record import KIND_OF, CarriedRecord
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.loop import MIRROR_PREFIX
from muniment.model.scope import (
    Persona,
    StreamId,
    StreamKind,
    agent_stream,
    collection_stream,
    council_stream,
    name,
    person_owner,
    person_space,
    space_stream,
)
from muniment.model.struct_copy import copied

PERSON: Final = "user_"  # what the name of a person begins with, in a log
NOT_ASKED_FOR: Final = "rules_not_asked_for"
ERASED: Final = "record_erased"
WORKING: Final = "working"
LEARNED: Final = frozenset({"facts_extracted", "summary_worded"})


class Exchange(RoleSession):
    """An administrator's hands for what leaves a memory, and for what comes from another one."""

    def records(
        self,
        wanted: ExportSelection = ExportSelection(),  # noqa: B008
        *,
        reason: str = "",
        progress: Stages = unwatched,
    ) -> Iterator[ExchangeLine]:
        """Everything that is wanted and not forgotten, log by log, each in its own order.

        A reason that is given is written down first.
        """
        if reason:
            self._note_access("export", reason)
        return (line for _, line in self.records_by_log(wanted, progress=progress))

    def records_by_log(
        self, wanted: ExportSelection, *, progress: Stages = unwatched
    ) -> Iterator[tuple[StreamId, ExchangeLine]]:
        """The same, each with the log it stands in."""
        wanted.checked()
        people = self._people()
        subjects = frozenset(ref for ref, who in people.items() if who == wanted.subject)
        if wanted.user and not subjects:
            return
        streams = self._streams(wanted)
        agents = [each for each in streams if each.kind is StreamKind.AGENT]
        forgotten = (export_records.forgotten_loops(self._hub.writer(each)) for each in agents)
        untold: frozenset[str] = frozenset().union(*forgotten)
        passed, of = 0, sum(self._hub.writer(each).head.seq for each in streams)
        for stream in streams:
            place, writer = self._place(stream, people), self._hub.writer(stream)
            for told in export_records.records(writer, wanted, subjects, untold):
                progress("", passed + told.seq, of)
                yield stream, _named(_line(told, place, people.get(told.subject, "")), people)
            passed += writer.head.seq

    def heads(self, wanted: ExportSelection = ExportSelection()) -> dict[str, int]:  # noqa: B008
        """Where each log stands that was read."""
        return {each.text: self._hub.writer(each).head.seq for each in self._streams(wanted)}

    def carry(
        self, lines: Iterable[ExchangeLine], *, source: str = "", rules: bool = False
    ) -> Iterator[Carried]:
        """Carry records over, each once, however often it is asked; an answer for each line.

        Consents, holds and policies say what a memory may do: they come along with `rules`.
        """
        places = CarriedPlaces()
        for steps in together(lines):
            yield from self._carry(steps, source, places, rules=rules)

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _streams(self, wanted: ExportSelection) -> list[StreamId]:
        mine = [
            each
            for each in self._hub.known_streams()
            if each.tenant == self._principal.tenant and wanted.reads(each)
        ]
        return sorted(mine, key=lambda each: (ORDER.index(each.kind), each.text))

    def _people(self) -> dict[str, str]:
        """By reference, whom the logs of this tenant are about."""
        prefix = f"{self._principal.tenant}/"
        known = self._hub.parts.world.keyring.known("subject")
        return {ref: who.removeprefix(prefix) for ref, who in known if who.startswith(prefix)}

    def _place(self, stream: StreamId, people: dict[str, str]) -> tuple[str, str, Persona]:
        """How a file names a log: a person's space by the person, not by their reference."""
        if stream.kind is not StreamKind.SPACE:
            return str(stream.kind), stream.owner, stream.persona
        space, _, owner = stream.owner.partition(":")
        if space == Space.USER:
            named = (who for ref, who in people.items() if person_owner(ref) == owner)
            owner = next(named, owner).removeprefix(PERSON)
        return space, owner, stream.persona

    def _stream(self, line: ExchangeLine) -> StreamId:
        tenant = self._principal.tenant
        match line.log:
            case "agent":
                return agent_stream(tenant, name(line.of, "agent"), line.persona)
            case "collection":
                return collection_stream(agent_stream(tenant, name(line.of, "agent"), line.persona))
            case "council":
                return council_stream(tenant, line.persona)
            case "user":
                keyring = self._hub.parts.world.keyring
                who = fact_keys.user_entity(line.of)
                return person_space(tenant, keyring.ref("subject", f"{tenant}/{who}"), line.persona)
            case "project" | "system":
                return space_stream(
                    tenant, line.log, canonical_json.admit_text(line.of), line.persona
                )
            case _:
                raise InputError(f"there is no log {line.log!r}")

    def _carry(
        self, steps: list[list[ExchangeLine]], source: str, places: CarriedPlaces, *, rules: bool
    ) -> Iterator[Carried]:
        """Commands for one log, in one append; each of its lines has its own answer."""
        stream = self._stream(steps[0][0])
        asks = [self._ask(stream, lines, source, places) for lines in steps]
        known = [self._told_before(stream, each) for each in asks]
        new = [
            not told and self._may_ask(stream, ask, lines[0], rules=rules)
            for told, ask, lines in zip(known, asks, steps, strict=True)
        ]
        wanted = [ask for ask, is_new in zip(asks, new, strict=True) if is_new]
        appended = iter(self._hub.append(stream, wanted)[-len(wanted) :] if wanted else ())
        for lines, before, is_new in zip(steps, known, new, strict=True):
            told = next(appended).lines if is_new else tuple(before)
            if told:
                yield from _answers(lines, told, places, known=not is_new)
            else:
                reason = NOT_ASKED_FOR if lines[0].is_rule else UNKNOWN
                yield from (Carried(line=each, stored=False, reason=reason) for each in lines)

    def _told_before(self, stream: StreamId, ask: command_pipeline.Ask) -> list[Line]:
        """What the same lines became when they were carried, in whatever file they stood."""
        if not self._hub.exists(stream):
            return []
        writer = self._hub.writer(stream)
        seq = self._hub.parts.store.find(writer.stream.ref, ask.operation)
        return [] if seq is None else writer.batch(seq)

    def _may_ask(
        self, stream: StreamId, ask: command_pipeline.Ask, line: ExchangeLine, *, rules: bool
    ) -> bool:
        if line.is_rule and not rules:
            return False
        return bool(ask.job) or line.kind != WORKING or line.event == OPENS_A_JOB

    def _ask(
        self, stream: StreamId, lines: list[ExchangeLine], source: str, places: CarriedPlaces
    ) -> command_pipeline.Ask:
        first = lines[0]
        command = CarryRecords(
            records=tuple(self._settled(stream, each, places) for each in lines),
            source=source,
            quorum=self._policy_of(self._council).governance.quorum,
            subject=fact_keys.user_entity(first.user) if first.user else "",
        )
        digest = canonical_json.digest(
            "muniment/v1/carried", canonical_json.encode([msgspec.to_builtins(x) for x in lines])
        )
        ask = self._hub.prepare(
            admission.admit(command),
            self._principal,
            operation=f"carry:{digest.hex()}",
            job=self._open_job(stream, places.job(log_of(first), first.job)),
        )
        at = admission.moment(first.at)
        return msgspec.structs.replace(ask, at=at) if at else ask

    def _open_job(self, stream: StreamId, number: int) -> int:
        """The job here, as long as it is open: what was written in it is carried in any case."""
        is_open = number and number in self._hub.writer(stream).desk.jobs.open
        return number if is_open else 0

    def _settled(
        self, stream: StreamId, line: ExchangeLine, places: CarriedPlaces
    ) -> CarriedRecord:
        """A record with the places and references that are each memory's own."""
        record = line.carried()
        if not isinstance(record.data, dict):
            return record
        if line.event in LEARNED:
            return msgspec.structs.replace(record, data=places.settled(log_of(line), record.data))
        if line.event == "hold_placed":
            return msgspec.structs.replace(record, data=self._hold(record.data))
        if line.event != "stm_summarised":
            return record
        last = str((record.data.get("mirror_ids") or [""])[-1]).removeprefix(MIRROR_PREFIX)
        agent = agent_stream(stream.tenant, stream.owner, stream.persona)
        try:
            found = self._hub.shelves(agent).get(loop_events.SHELF, last)
        except NotFoundError:
            found = None
        data = {**record.data, "source_seq": found.seq if found else 0}
        return msgspec.structs.replace(record, data=data)

    def _hold(self, data: dict[str, object]) -> dict[str, object]:
        """A hold names a person by a reference, and a file by their name."""
        hold = data.get("hold")
        if not isinstance(hold, dict) or not hold.get("person"):
            return data
        who = f"{self._principal.tenant}/{fact_keys.user_entity(str(hold['person']))}"
        ref = self._hub.parts.world.keyring.ref("subject", who)
        return {**data, "hold": {**hold, "person": ref}}


ORDER: Final = (
    StreamKind.AGENT,
    StreamKind.COLLECTION,
    StreamKind.SPACE,
    StreamKind.COUNCIL,
    StreamKind.OPS,
)


def _line(told: ExportedRecord, place: tuple[str, str, Persona], who: str) -> ExchangeLine:
    log, of, persona = place
    return copied(
        ExchangeLine,
        told,
        event=told.record.event,
        data=told.record.data,
        user=who.removeprefix(PERSON),
        log=log,
        of=of,
        persona=persona,
        space=told.record.space,
        owner=told.record.owner,
    )


def _named(line: ExchangeLine, people: dict[str, str]) -> ExchangeLine:
    """A hold by the name of whom it covers: a reference is each memory's own."""
    hold = line.data.get("hold") if isinstance(line.data, dict) else None
    if line.event != "hold_placed" or not isinstance(hold, dict) or not hold.get("person"):
        return line
    person = people.get(str(hold["person"]), "").removeprefix(PERSON)
    assert isinstance(line.data, dict)
    return msgspec.structs.replace(line, data={**line.data, "hold": {**hold, "person": person}})


def _answers(
    lines: list[ExchangeLine], told: tuple[Line, ...], places: CarriedPlaces, *, known: bool
) -> Iterator[Carried]:
    """Of each line in order: the event it became, or why it became none."""
    redacted = any(each.header.type == "PII_REDACTED" for each in told)
    became = [
        each
        for each in told[1:]
        if isinstance(each.event, WriteDenied) or each.header.type in KIND_OF
    ]
    refused = became[0] if len(became) == 1 and len(lines) > 1 else None
    for n, line in enumerate(lines):
        found = refused or became[n]
        reason = _reason(found)
        if not reason:
            places.note(log_of(line), line.seq, found)
        if isinstance(found.event, JobOpened):
            places.note_job(log_of(line), line.job, found.event)
        changed = redacted and not reason
        stored = not reason
        yield Carried(line=line, stored=stored, known=known, redacted=changed, reason=reason)


def _reason(line: Line) -> str:
    match line.event:
        case WriteDenied(reason=reason):
            return reason
        case Shredded():
            return ERASED
        case _:
            return ""
