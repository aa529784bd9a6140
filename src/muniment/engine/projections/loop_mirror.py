"""Loop mirror: compact entries derived from idetic events into the persona's collection.

The event is durable before anything here begins. A compactor or an embedder that fails, a store
that fails, a process that dies: the event stays, its mirror is owed, and a dream makes it good.
Outside opinions (vectors) are asked for here, become commands, and are never asked for again.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from muniment.engine.projections import forgotten_events
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.parts import Tools
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import loop_events, mirror
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand
from muniment.model.commands.loops import DeferMirror, EmbedEvent, MirrorEvent, SummariseLoop
from muniment.model.errors import MunimentError
from muniment.model.events import JobClosed
from muniment.model.events.loops import EventObserved, Mirrored
from muniment.model.kinds.loop import IdeticEvent, mirror_id
from muniment.model.scope import (
    Channel,
    Principal,
    Role,
    StreamId,
    StreamKind,
    collection_stream,
)
from muniment.rules import event_importance, loop_compaction

DERIVATION_FAILED: Final = "derivation_failed"
ERASED: Final = ""
COMMANDS_MAX: Final = 64  # in one durable append


class MirrorHost(Protocol):
    """What derivation needs of the stream hub."""

    tools: Tools

    def writer(self, stream_id: StreamId) -> Writer: ...
    def append(self, stream_id: StreamId, asks: list[Ask]) -> list[AppendResult]: ...
    def prepare(self, command: AnyCommand, principal: Principal, **extra: object) -> Ask: ...


class Derivation:
    def __init__(self, hub: MirrorHost) -> None:
        self._hub = hub

    def follow(self, source: StreamId, told: Iterable[AppendResult]) -> None:
        """After an append: mirror what was observed, summarise what was closed, fail silently."""
        if source.kind is not StreamKind.AGENT:
            return
        for line in (line for each in told for line in each.lines):
            match line.event:
                case EventObserved():
                    with suppress(MunimentError):
                        self.mirror(source, [line])
                case JobClosed(number=number):
                    with suppress(MunimentError):
                        self.summarise(source, self.loops_of(source, number))
                case _:
                    pass

    def mirror(self, source: StreamId, lines: Sequence[Line]) -> int:
        """Make the mirror entries of these events; returns how many are there now."""
        shelves = self._hub.writer(collection_stream(source)).shelves()
        owed = [
            line for line in lines if shelves.get(mirror.SHELF, loop_events.event_id(line)) is None
        ]
        commands = [self._mirror(source, line) for line in owed]
        known = {
            command.source_id
            for command in commands
            if isinstance(command, DeferMirror) and shelves.get(mirror.PENDING, command.source_id)
        }
        self.tell(source, [each for each in commands if each.source_id not in known])
        made = sum(isinstance(command, MirrorEvent) for command in commands)
        return len(lines) - len(owed) + made

    def embed(self, source: StreamId, lines: Sequence[Line]) -> int:
        """Ask for the vectors that these mirror entries still wait for; returns how many came."""
        writer = self._hub.writer(source)
        commands: list[AnyCommand] = []
        for line in lines:
            assert isinstance(line.event, Mirrored)
            model, vector = self._vector(line.event.summary)
            told = writer.shelves().get(loop_events.SHELF, line.event.source_id)
            if vector and told is not None:
                commands.append(
                    EmbedEvent(
                        source_id=line.event.source_id,
                        model=model,
                        vector=vector,
                        subject=_subject(told),
                    )
                )
        self.tell(source, commands)
        return len(commands)

    def summarise(self, source: StreamId, loops: Sequence[str]) -> int:
        """One summary for each loop; a loop that has one keeps it."""
        shelves = self._hub.writer(collection_stream(source)).shelves()
        owed = [loop_id for loop_id in loops if not shelves.get(mirror.SUMMARIES, loop_id)]
        commands = [
            self.summary(source, self.lines_of(source, loop_id), self.compacted) for loop_id in owed
        ]
        made = [each for each in commands if each is not None]
        self.tell(source, made)
        return len(made)

    def summary(
        self, source: StreamId, lines: Sequence[Line], compact: Callable[[IdeticEvent], str | None]
    ) -> SummariseLoop | None:
        """What a loop's summary says; none while one of its events cannot be compacted."""
        events = [loop_events.event(source, line) for line in lines]
        compacted = [compact(event) for event in events]
        if not events or None in compacted:
            return None
        return SummariseLoop(
            loop_id=events[0].loop_id,
            source_seq=lines[-1].seq,
            ts_start=events[0].ts,
            ts_end=events[-1].ts,
            summary=loop_compaction.summarise(events, [text or "" for text in compacted]),
            mirror_ids=tuple(mirror_id(event.id) for event in events),
            marks=loop_compaction.marks(events),
            complete=loop_compaction.is_complete(events),
            subject=_subject(lines[0]),
        )

    def compacted(self, event: IdeticEvent) -> str | None:
        try:
            return self._hub.tools.compactor(event)
        except Exception:  # whatever a compactor does wrong, the event is there
            return None

    def loops_of(self, source: StreamId, job: int) -> list[str]:
        """The loop of a job, if anything was observed in it."""
        rows = self._hub.writer(source).shelves().under(loop_events.LOOPS, str(job))
        return [line.event.loop_id for line in rows if isinstance(line.event, EventObserved)]

    def lines_of(self, source: StreamId, loop_id: str, at: int | None = None) -> list[Line]:
        """The events of a loop in their order, without those that somebody forgot."""
        shelves = self._hub.writer(source).shelves(at)
        rows = shelves.under(loop_events.SHELF, loop_id)
        heard = (line for line in rows if not forgotten_events.is_forgotten(shelves, line))
        return sorted(heard, key=lambda line: line.seq)

    def tell(self, source: StreamId, commands: Sequence[AnyCommand]) -> None:
        """Append to the collection. Each command speaks of its own entry, so they may share one."""
        for start in range(0, len(commands), COMMANDS_MAX):
            part = commands[start : start + COMMANDS_MAX]
            self._hub.append(collection_stream(source), [self._ask(source, each) for each in part])

    def subject(self, line: Line) -> str:
        """Whom an event is about; nobody, once it has been erased."""
        return _subject(line)

    def _mirror(self, source: StreamId, line: Line) -> MirrorEvent | DeferMirror:
        event = loop_events.event(source, line)
        summary = self.compacted(event)
        if summary is None:
            return DeferMirror(source_id=event.id, reason=DERIVATION_FAILED)
        model, vector = self._vector(summary)
        return MirrorEvent(
            source_id=event.id,
            source_seq=line.seq,
            loop_id=event.loop_id,
            kind=event.kind,
            visibility=event.visibility,
            ts=event.ts,
            summary=summary,
            importance=event_importance.initial(event.kind),
            model=model,
            vector=vector,
            subject=_subject(line),
        )

    def _vector(self, text: str) -> tuple[str, bytes]:
        embedder = self._hub.tools.embedder
        try:
            vector = embedder.embed(text)
        except Exception:  # whatever an embedder does wrong, the text is there
            return "", b""
        return (embedder.name, vector) if len(vector) == embedder.dims else ("", b"")

    def _ask(self, source: StreamId, command: AnyCommand) -> Ask:
        engine = Principal(
            name="engine", role=Role.ENGINE, tenant=source.tenant, channel=Channel.ENGINE
        )
        return self._hub.prepare(command, engine)


def _subject(line: Line) -> str:
    return line.event.subject if isinstance(line.event, EventObserved) else ERASED
