"""Exchange: what a tenant's memory holds as records, and records of another memory carried in."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from muniment.engine.exchange import export_records
from muniment.engine.exchange.export_records import ExportedRecord
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.session.role_session import RoleSession
from muniment.engine.streams import admission, command_pipeline
from muniment.layers import loop_events
from muniment.log.entry import Line
from muniment.model import canonical_json, fact_keys
from muniment.model.commands.exchange import CarryRecords
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import PiiRedacted, WriteDenied
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

PERSON: Final = "user_"  # what the name of a person begins with, in a log
RECORDS_MAX: Final = 64  # of one command
BYTES_MAX: Final = 96 * 1024  # of one command: what was asked must fit into an entry
TOGETHER_MAX: Final = 64  # commands of one durable append


class ExchangeLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of an exchange file: a record, whose it is, and where and when it was written.

    `id` and `text` are for who reads the file; what is carried over stands in `data`.
    """

    kind: str
    event: str
    data: object
    id: str = ""
    text: str = ""
    at: str = ""
    user: str = ""  # whom it is about; nobody where this is empty
    log: str = "agent"  # agent, collection, council, user, project, system
    of: str = ""  # whose log it is: the name of an agent, a person or a project
    persona: Persona = Persona.ACTOR
    space: Space | None = None  # of what belongs to a conversation
    owner: str = ""
    seq: int = 0
    batch: int = 0

    def carried(self) -> CarriedRecord:
        return CarriedRecord(event=self.event, data=self.data, space=self.space, owner=self.owner)


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one line: carried over, perhaps redacted, or refused with its reason."""

    line: ExchangeLine
    stored: bool
    redacted: bool = False
    reason: str = ""


class Exchange(RoleSession):
    """An administrator's hands for what leaves a memory, and for what comes from another one."""

    def records(self, wanted: ExportSelection = ExportSelection()) -> Iterator[ExchangeLine]:  # noqa: B008
        """Everything that is wanted and not forgotten, log by log, each in its own order."""
        return (line for _, line in self.records_by_log(wanted))

    def records_by_log(self, wanted: ExportSelection) -> Iterator[tuple[StreamId, ExchangeLine]]:
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
        for stream in streams:
            place, writer = self._place(stream, people), self._hub.writer(stream)
            for told in export_records.records(writer, wanted, subjects, untold):
                yield stream, _line(told, place, people.get(told.subject, ""))

    def heads(self, wanted: ExportSelection = ExportSelection()) -> dict[str, int]:  # noqa: B008
        """Where each log stands that was read."""
        return {each.text: self._hub.writer(each).head.seq for each in self._streams(wanted)}

    def carry(self, lines: Iterable[ExchangeLine], *, source: str = "") -> Iterator[Carried]:
        """Carry records over, each once, however often it is asked; an answer for each line."""
        for together in _together(lines):
            yield from self._carry(together, source)

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

    def _carry(self, together: list[list[ExchangeLine]], source: str) -> Iterator[Carried]:
        """Commands for one log, in one append; each of its lines has its own answer."""
        stream = self._stream(together[0][0])
        asks = [self._ask(stream, lines, source) for lines in together]
        for lines, told in zip(together, self._hub.append(stream, asks), strict=True):
            yield from _answers(lines, told.lines)

    def _ask(
        self, stream: StreamId, lines: list[ExchangeLine], source: str
    ) -> command_pipeline.Ask:
        first = lines[0]
        command = CarryRecords(
            records=tuple(self._settled(stream, each) for each in lines),
            source=source,
            quorum=self._policy_of(self._council).governance.quorum,
            subject=fact_keys.user_entity(first.user) if first.user else "",
        )
        digest = canonical_json.digest(
            "muniment/v1/carried", canonical_json.encode([msgspec.to_builtins(x) for x in lines])
        )
        ask = self._hub.prepare(
            admission.admit(command), self._principal, operation=f"carry:{digest.hex()}"
        )
        at = admission.moment(first.at)
        return msgspec.structs.replace(ask, at=at) if at else ask

    def _settled(self, stream: StreamId, line: ExchangeLine) -> CarriedRecord:
        """A summary of a loop names the place of its last event, which is each log's own."""
        record = line.carried()
        if line.event != "stm_summarised" or not isinstance(record.data, dict):
            return record
        last = str((record.data.get("mirror_ids") or [""])[-1]).removeprefix(MIRROR_PREFIX)
        agent = agent_stream(stream.tenant, stream.owner, stream.persona)
        try:
            found = self._hub.shelves(agent).get(loop_events.SHELF, last)
        except NotFoundError:
            found = None
        data = {**record.data, "source_seq": found.seq if found else 0}
        return msgspec.structs.replace(record, data=data)


ORDER: Final = (
    StreamKind.AGENT,
    StreamKind.COLLECTION,
    StreamKind.SPACE,
    StreamKind.COUNCIL,
    StreamKind.OPS,
)


def _line(told: ExportedRecord, place: tuple[str, str, Persona], who: str) -> ExchangeLine:
    log, of, persona = place
    return ExchangeLine(
        kind=told.kind,
        event=told.record.event,
        data=told.record.data,
        id=told.id,
        text=told.text,
        at=told.at,
        user=who.removeprefix(PERSON),
        log=log,
        of=of,
        persona=persona,
        space=told.record.space,
        owner=told.record.owner,
        seq=told.seq,
        batch=told.batch,
    )


def _together(lines: Iterable[ExchangeLine]) -> Iterator[list[list[ExchangeLine]]]:
    """Neighbours of one log, step by step as they were written, so many as one append takes."""
    held: list[list[ExchangeLine]] = []
    for lines_of_step in _steps(lines):
        new = held and (_log(held[0][0]) != _log(lines_of_step[0]) or len(held) >= TOGETHER_MAX)
        if new:
            yield held
            held = []
        held.append(lines_of_step)
    if held:
        yield held


def _steps(lines: Iterable[ExchangeLine]) -> Iterator[list[ExchangeLine]]:
    for _, same in groupby(lines, key=_step):
        part: list[ExchangeLine] = []
        size = 0
        for line in same:
            length = len(canonical_json.encode(msgspec.to_builtins(line)))
            if part and (len(part) >= RECORDS_MAX or size + length > BYTES_MAX):
                yield part
                part, size = [], 0
            part.append(line)
            size += length
        if part:
            yield part


def _log(line: ExchangeLine) -> tuple[str, ...]:
    return (line.log, line.of, line.persona)


def _step(line: ExchangeLine) -> tuple[object, ...]:
    return (*_log(line), line.batch, line.at, line.user, line.space, line.owner)


def _answers(lines: list[ExchangeLine], told: tuple[Line, ...]) -> Iterator[Carried]:
    """Of each line in order: the event it became, or why it became none."""
    redacted = any(isinstance(each.event, PiiRedacted) for each in told)
    became = [
        each.event
        for each in told[1:]
        if isinstance(each.event, WriteDenied) or each.header.type in KIND_OF
    ]
    refused = became[0] if len(became) == 1 and len(lines) > 1 else None
    for n, line in enumerate(lines):
        event = refused or became[n]
        reason = event.reason if isinstance(event, WriteDenied) else ""
        yield Carried(line=line, stored=not reason, redacted=redacted and not reason, reason=reason)
