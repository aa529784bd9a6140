"""Exported records: what a log still shows a reader, as its original events, in order.

What was forgotten, deleted or retired is left out with all that it said, and so is a sentence
that only asks to forget something. What other words took the
place of stays, with its end: reads of an earlier day show it.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine.decide.exchange.state_events import StateEvent
from muniment.engine.exchange import export_ends, export_state, export_wishes
from muniment.engine.exchange.export_ends import Ends
from muniment.engine.exchange.export_state import LivingState
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.projections import forgotten_events
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import document_rows, episodes, loop_events
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import (
    AnyEvent,
    EpisodesWritten,
    EpisodeWritten,
    FactSettled,
    ItemForgotten,
    PolicyAdopted,
    Received,
    Shredded,
)
from muniment.model.events.conversation import (
    ItemDeleted,
    ItemDenied,
    ItemsConflicted,
    ItemWritten,
    LedgerOpened,
    PhaseDropped,
)
from muniment.model.events.documents import DocumentPut
from muniment.model.events.learning import SummaryWorded
from muniment.model.events.loops import (
    EventObserved,
    LoopsDigested,
    LoopSummarised,
    Regraded,
    SkillExtracted,
)
from muniment.model.events.memos import MemoKept, MemosEvicted, MemosForgotten
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.carried_record import KIND_OF, NOT_CARRIED, PROFILE, CarriedRecord
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Meta, Source, Space, item_id
from muniment.model.scope import StreamKind

# Fields that name a record, the first that an event has.
NAMING: Final = (
    *(
        "confirmation_id",
        "episodic_id",
        "item_id",
        "memo_id",
        "goal_id",
        "key",
        "id",
        "skill_id",
        "loop_id",
    ),
    *("digest_id", "thread_id", "wm_id", "cwm_id", "consent_id", "hold_id"),
    *("request", "job_seed", "digest"),
)
Places = dict[int, tuple[Space, str]]  # by the number of a ledger: the space, and its owner


class ExportedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a log with where it stands there."""

    kind: str
    id: str
    text: str
    at: str  # when it was observed
    seq: int
    batch: int  # what shares this number was written in one step
    subject: str  # a reference: under whose key its words are sealed
    record: CarriedRecord
    job: int = 0  # in which it was written, where that job is carried


LoopRecord = EventObserved | LoopSummarised | Regraded | LoopsDigested | SkillExtracted


def forgotten_loops(writer: Writer) -> frozenset[str]:
    """The events of loops that somebody forgot, and the loops whose summaries told of them.

    So with those in which a person only asks to forget something.
    """
    shelves = writer.shelves()
    gone = forgotten_events.forgotten(shelves)
    lines = (shelves.get(loop_events.SHELF, each) for each in gone)
    told = (line.event for line in lines if line)
    loops = {each.loop_id for each in told if isinstance(each, EventObserved)}
    return gone | loops | export_wishes.in_loops(writer)


def records(
    writer: Writer,
    wanted: ExportSelection,
    subjects: frozenset[str],
    untold: frozenset[str] = frozenset(),
) -> Iterator[ExportedRecord]:
    """Everything of a log that is wanted and that a reader may see; of everybody without names.

    `untold` are the events and loops of other logs that are forgotten.
    """
    state = export_state.living(writer)
    reading = _Reading(wanted, export_ends.ends(writer), untold | forgotten_loops(writer), state)
    # Every record is screened under the policy in force; facts are settled before a council's.
    last = writer.stream.id.kind is StreamKind.COUNCIL
    if not subjects and not last:
        yield from reading.policy()
    yield from _in_order(writer, reading, subjects)
    if not subjects and last:
        yield from reading.policy()


def _in_order(
    writer: Writer, reading: "_Reading", subjects: frozenset[str]
) -> Iterator[ExportedRecord]:
    for line in writer.lines():
        if isinstance(line.event, Received):
            reading.at = line.event.at
        elif isinstance(line.event, Shredded) and line.header.type == "received":
            reading.at = str(line.event.public.get("at") or "")
        elif not subjects or {part.subject for part in line.header.parts} & subjects:
            yield from reading.of(line)


class _Reading:
    """One log being read from its beginning."""

    def __init__(
        self, wanted: ExportSelection, ends: Ends, untold: frozenset[str], state: LivingState
    ) -> None:
        self._state = state
        self._untold = untold
        self.at = ""
        self._wanted = wanted
        self._ends = ends
        self._places: Places = {}

    def of(self, line: Line) -> Iterator[ExportedRecord]:
        event = line.event
        if isinstance(event, LedgerOpened):
            self._places[event.ledger] = (event.space, event.owner)
        if not isinstance(event, Shredded):
            yield from self._told(line, event)

    def policy(self) -> Iterator[ExportedRecord]:
        """The policy in force, where somebody chose one."""
        self.at, line = "", self._state.policy
        if line is not None and isinstance(line.event, PolicyAdopted):
            yield from self._record(line, line.event, None, "")

    def _told(self, line: Line, event: AnyEvent) -> Iterator[ExportedRecord]:
        space, owner = self._place(event)
        shown = (
            export_state.shown(self._state, line, event)
            if isinstance(event, StateEvent)
            else self._shown(line, event, space, owner)
        )
        if shown is not None:
            yield from self._record(line, shown, space, owner)

    def _place(self, event: AnyEvent) -> tuple[Space | None, str]:
        """Whose space an event is of: most name its ledger, the end of a phase the space itself."""
        if isinstance(event, PhaseDropped):
            return event.space, event.owner
        return self._places.get(getattr(event, "ledger", 0), (None, ""))

    def _record(
        self, line: Line, shown: AnyEvent, space: Space | None, owner: str
    ) -> Iterator[ExportedRecord]:
        tag = str(type(shown).__struct_config__.tag)
        kind = PROFILE if _is_profile(shown) else KIND_OF[tag]
        at = self.at or line.header.ts
        named, text = _named(shown), _text(shown)
        if not self._wanted.holds(kind, at, space, owner):
            gap = self._gap(shown, kind, space, owner)
            if gap is None:
                return
            shown, tag, text = gap, "item_denied", ""
        yield ExportedRecord(
            kind=kind,
            id=named,
            text=text,
            at=at,
            seq=line.seq,
            batch=line.header.cause,
            subject=line.header.parts[0].subject if line.header.parts else "",
            record=CarriedRecord(event=tag, data=fields(shown), space=space, owner=owner),
            job=line.header.job if line.header.job in self._state.jobs else 0,
        )

    def _shown(
        self, line: Line, told: AnyEvent, space: Space | None, owner: str
    ) -> AnyEvent | None:
        """The event as a reader may see it: without what has ended for good."""
        gone = self._ends.gone
        gone |= export_wishes.named(told)
        event = self._without_undone(line, told)
        match event:
            case None:
                return None
            case ItemWritten(item=item) if space and item.id in gone:
                return _blank(event, space, owner)
            case ItemDenied() | ItemsConflicted(kind=Kind()) if space:
                return _blank(event, space, owner)
            case EpisodeWritten() | EpisodesWritten() | ItemReleased() | ItemForgotten():
                return self._episode(event)
            case FactSettled(key=key):
                return event if line.seq > self._ends.retired.get(key, 0) else None
            case DocumentPut():
                return event if line.seq in self._ends.versions[_document(event)] else None
            case (
                EventObserved() | LoopSummarised() | Regraded() | LoopsDigested() | SkillExtracted()
            ):
                return self._loop(line, event)
            case _:
                return _living(event, gone)

    def _without_undone(self, line: Line, event: AnyEvent) -> AnyEvent | None:
        """An end without those that live again: nothing of it is left where all of them do."""
        undone = self._ends.undone.get(line.seq, ())
        match event:
            case MemosForgotten(memo_ids=names):
                left = tuple(each for each in names if each not in undone)
                return msgspec.structs.replace(event, memo_ids=left) if left else None
            case ItemForgotten(item_id=name) | ItemDeleted(item_id=name) if name in undone:
                return None
            case _:
                return event

    def _loop(self, line: Line, event: LoopRecord) -> AnyEvent | None:
        """An event of a loop, or what was made from some; nothing that tells a forgotten one."""
        names: tuple[str, ...]
        match event:
            case EventObserved():
                names = (loop_events.event_id(line),)
                event = msgspec.structs.replace(event, id=names[0])
            case LoopSummarised(loop_id=name) | Regraded(source_id=name):
                names = (name,)
            case LoopsDigested(loop_ids=names) | SkillExtracted(evidence=names):
                pass
        return event if self._untold.isdisjoint(names) else None

    def _episode(
        self, event: EpisodeWritten | EpisodesWritten | ItemReleased | ItemForgotten
    ) -> AnyEvent | None:
        match event:
            case EpisodesWritten():
                return self._several(event)
            case ItemForgotten(item_id=name):
                return event if name in self._ends.corrected and not self._is_gone(name) else None
            case EpisodeWritten(episodic_id=name) | ItemReleased(item_id=name):
                return None if self._is_gone(name) else event

    def _several(self, written: EpisodesWritten) -> EpisodesWritten | None:
        """Sentences that were told together, without those that are gone: each field in step."""
        gone = [self._is_gone(each) for each in episodes.names(written)]
        if all(gone):
            return None
        left = {
            name: tuple(each for each, out in zip(told, gone, strict=True) if not out)
            for name in written.__struct_fields__
            if isinstance(told := getattr(written, name), tuple) and len(told) == len(gone)
        }
        return msgspec.structs.replace(written, **left)

    def _is_gone(self, name: str) -> bool:
        """Forgotten; what other words put right stays for as long as they do."""
        later = self._ends.corrected.get(name)
        return name in self._ends.gone and (later is None or self._is_gone(later))

    def _gap(
        self, event: AnyEvent, kind: str, space: Space | None, owner: str
    ) -> ItemDenied | None:
        """Of an item that is not wanted its number, where others of its kind are: ids count on."""
        if space is None or self._wanted.place is not None or self._wanted.kinds:
            return None
        return _blank(event, space, owner) if isinstance(event, ItemWritten) else None


def _document(put: DocumentPut) -> str:
    return document_rows.document_id(put.subject, put.namespace, put.key)


def _living(event: AnyEvent, gone: set[str]) -> AnyEvent | None:
    """What happened to memos, of those that are still somewhere; any other event as it is."""
    match event:
        case MemoKept(memo=memo):
            return None if memo.id in gone else _displacing(event, gone)
        case MemosEvicted(memo_ids=names) | MemosForgotten(memo_ids=names):
            left = tuple(each for each in names if each not in gone)
            return msgspec.structs.replace(event, memo_ids=left) if left else None
        case MemosCompacted(told_by=told_by, gone=names, sources=sources):
            if told_by in gone:
                return None
            return msgspec.structs.replace(
                event,
                gone=tuple(each for each in names if each not in gone),
                sources=tuple(each for each in sources if each not in gone),
            )
        case _:
            known = type(event).__struct_config__.tag in KIND_OF
            named = getattr(event, "memo_id", "")
            return event if known and named not in gone else None


def _displacing(kept: MemoKept, gone: set[str]) -> MemoKept:
    left = tuple(each for each in kept.displaced if each not in gone)
    before = "" if kept.supersedes in gone else kept.supersedes
    return msgspec.structs.replace(kept, displaced=left, supersedes=before)


def _blank(
    event: ItemWritten | ItemDenied | ItemsConflicted, space: Space, owner: str
) -> ItemDenied:
    """That an item had a number and a tick, and nothing of what it said."""
    assert event.kind is not None
    bare = MemoryItem(
        id=item_id(space, owner, event.kind, event.n),
        kind=event.kind,
        text="",
        source=Source.SYSTEM,
        created_at=event.created_at,
        importance=0,
        meta=Meta(space=space, owner=owner),
    )
    return ItemDenied(
        ledger=0,
        kind=event.kind,
        n=event.n,
        created_at=event.created_at,
        reason=NOT_CARRIED,
        item=bare,
    )


def fields(event: AnyEvent) -> dict[str, object]:
    """The fields of an event as JSON has them; what is a log's own is not among them."""
    told = canonical_json.release(msgspec.to_builtins(event))
    assert isinstance(told, dict)
    return {name: value for name, value in told.items() if name not in {"type", "ledger", "raw"}}


def _is_profile(event: AnyEvent) -> bool:
    return isinstance(event, ItemWritten) and event.kind is Kind.PROFILE


def _named(event: AnyEvent) -> str:
    """The id that a record is known by, where it has one."""
    match event:
        case ItemWritten(item=item) | ItemDenied(item=item):
            return item.id
        case MemoKept(memo=memo):
            return memo.id
        case DocumentPut(namespace=namespace, key=key):
            return "/".join((*namespace, key))
        case _:
            found = (getattr(event, each, "") for each in NAMING)
            return next((str(each) for each in found if each), "")


def _text(event: AnyEvent) -> str:
    """The words of a record, where it says any by itself."""
    match event:
        case ItemWritten(item=item):
            return item.told
        case MemoKept(memo=memo):
            return memo.text
        case EpisodesWritten(summaries=summaries):
            return "\n".join(summaries)
        case SummaryWorded(sentences=sentences):
            return "\n".join(each.text for each in sentences)
        case _:
            found = (getattr(event, each, "") for each in ("summary", "text", "description"))
            return next((each for each in found if isinstance(each, str) and each), "")
