"""Import: records of another memory are appended as the events they were there."""

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.engine.decide import records as record_names
from muniment.engine.decide.conversation import space_writer
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.exchange import carried_state
from muniment.engine.decide.exchange.carried_state import MALFORMED, THERE, UNKNOWN
from muniment.engine.decide.exchange.state_events import LastingEvent, StateEvent
from muniment.layers import conversation_items, documents, episodes, loop_events, memo_reads, mirror
from muniment.layers.governance import governed_facts
from muniment.layers.jobs import goals
from muniment.model.commands.exchange import CarryRecords
from muniment.model.events import (
    AnyEvent,
    EpisodesWritten,
    EpisodeWritten,
    FactSettled,
    GoalSet,
    ItemForgotten,
    WriteDenied,
)
from muniment.model.events.conversation import (
    ItemDeleted,
    ItemDenied,
    ItemsArchived,
    ItemWritten,
    PhaseDropped,
    PhaseStarted,
)
from muniment.model.events.documents import DocumentPut
from muniment.model.events.loops import (
    EventObserved,
    LoopsDigested,
    LoopSummarised,
    Regraded,
    SkillExtracted,
)
from muniment.model.events.memos import (
    GoalAdvanced,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
)
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.carried_record import CarriedRecord
from muniment.model.kinds.conversation_item import Kind, Space
from muniment.rules.privacy import screen
from muniment.rules.write_gate import DENY_PATTERN, KEEPS_NOTHING, keeps_nothing, texts

ItemEvent = ItemWritten | ItemDenied | ItemDeleted | ItemsArchived | PhaseStarted | PhaseDropped
MemoChange = MemoShelved | MemoMarked | MemosEvicted | MemosForgotten | MemosCompacted
CarriedEvent = (
    ItemEvent
    | MemoChange
    | MemoKept
    | EpisodeWritten
    | EpisodesWritten
    | ItemForgotten
    | ItemReleased
    | GoalSet
    | GoalAdvanced
    | DocumentPut
    | FactSettled
    | EventObserved
    | Regraded
    | LoopSummarised
    | LoopsDigested
    | SkillExtracted
    | StateEvent
)
PHASE_DROPPED: Final = "phase_dropped"
# What is written again under the id it has: the shelf, and the field of the id.
VERSIONED: Final = {
    Regraded: (mirror.GRADES, "source_id"),
    LoopSummarised: (mirror.SUMMARIES, "loop_id"),
    LoopsDigested: (mirror.DIGESTS, "digest_id"),
    SkillExtracted: (mirror.SKILLS, "skill_id"),
}


def carry(now: DecisionContext, command: CarryRecords) -> list[AnyEvent]:
    """Each record is judged by itself: it joins the log, or is refused with its reason."""
    carrying = Carrying(now, command)
    for record in command.records:
        carrying.take(record)
    return carrying.events


class Carrying:
    """One command being carried out: what was written so far is known to what follows."""

    def __init__(self, now: DecisionContext, command: CarryRecords) -> None:
        self.events: list[AnyEvent] = []
        self._now = now
        self._command = command
        self._sheet: space_writer.Sheet | None = None
        self._new: dict[str, int] = {}  # ids of this batch, and the entries they are kept at

    def take(self, record: CarriedRecord) -> None:
        if record.data is None:
            self._deny(screen.SENSITIVE)
            return
        if any(map(self._now.desk.policy.privacy.denies, texts(record.data))):
            self._deny(DENY_PATTERN)
            return
        try:
            event = decoded(record)
        except (msgspec.ValidationError, TypeError, ValueError):
            self._deny(MALFORMED)
            return
        if _is_lasting(event) and keeps_nothing(self._now.desk.policy):
            self._deny(KEEPS_NOTHING)
        elif isinstance(event, ItemEvent):
            self._item(record, event)
        elif isinstance(event, StateEvent):
            self.events.append(carried_state.judged(self._now, event, self.events))
        else:
            self._one(event)

    def _deny(self, reason: str, detail: str = "") -> None:
        self.events += self._now.deny(reason, detail)

    def _one(self, event: AnyEvent) -> None:
        judge = JUDGES.get(type(event), Carrying.versioned)
        told = judge(self, event)
        if isinstance(told, WriteDenied):
            self.events.append(told)
        else:
            self._note(told)

    def _note(self, event: AnyEvent) -> None:
        self._new |= dict.fromkeys(_made(event), self._now.first + len(self.events))
        self.events.append(event)

    def _refused(self, reason: str, detail: str = "") -> WriteDenied:
        return WriteDenied(reason=reason, asked=self._now.received.asked, detail=detail)

    # ── One judge for each kind ─────────────────────────────────────────────────────────────────

    def episode(self, event: EpisodeWritten) -> AnyEvent:
        if event.episodic_id in self._new or self._known(episodes.SHELF, event.episodic_id):
            return self._refused(THERE, event.episodic_id)
        cited = next((each.episodic_id for each in event.evidence if event.corrects), "")
        return msgspec.structs.replace(
            event, corrects=self._known(episodes.SHELF, cited) if cited else 0, raw=None
        )

    def several(self, event: EpisodesWritten) -> AnyEvent:
        names = episodes.names(event)
        there = [each for each in names if each in self._new or self._known(episodes.SHELF, each)]
        return self._refused(THERE, there[0]) if there else event

    def about_record(self, event: ItemForgotten | ItemReleased) -> AnyEvent:
        if event.item_id in self._new or record_names.find(self._now, event.item_id):
            return event
        return self._refused(UNKNOWN, event.item_id)

    def memo(self, event: MemoKept) -> AnyEvent:
        if event.memo.id in self._new or memo_reads.kept_at(self._now.shelves, event.memo.id):
            return self._refused(THERE, event.memo.id)
        new = sum(isinstance(each, MemoKept) for each in self.events)
        return msgspec.structs.replace(event, n=self._now.desk.memos.kept + new + 1)

    def shelved(self, event: MemoShelved) -> AnyEvent:
        seq = self._kept(event.memo_id)
        if not seq:
            return self._refused(UNKNOWN, event.memo_id)
        return msgspec.structs.replace(event, source_seq=seq)

    def marked(self, event: MemoMarked) -> AnyEvent:
        return event if self._kept(event.memo_id) else self._refused(UNKNOWN, event.memo_id)

    def left(self, event: MemosEvicted | MemosForgotten) -> AnyEvent:
        known = all(map(self._kept, event.memo_ids))
        return event if known else self._refused(UNKNOWN, ",".join(event.memo_ids))

    def compacted(self, event: MemosCompacted) -> AnyEvent:
        known = all(map(self._kept, (event.told_by, *event.gone)))
        return event if known else self._refused(UNKNOWN, event.told_by)

    def goal(self, event: GoalSet) -> AnyEvent:
        held = self._now.desk.goals.get(goals.key(event.subject, event.goal_id))
        if held and held.version >= event.version:
            return self._refused(THERE, event.goal_id)
        return event

    def advanced(self, event: GoalAdvanced) -> AnyEvent:
        held = self._now.desk.goals.get(goals.key(event.subject, event.goal_id))
        if held is None and event.goal_id not in self._new:
            return self._refused(UNKNOWN, event.goal_id)
        if held and held.version >= event.version:
            return self._refused(THERE, event.goal_id)
        return event

    def document(self, event: DocumentPut) -> AnyEvent:
        held = documents.get(self._now.shelves, event.subject, event.namespace, event.key)
        if held and held.version >= event.version:
            return self._refused(THERE, event.key)
        return event

    def fact(self, event: FactSettled) -> AnyEvent:
        quorum = max(self._now.desk.policy.governance.quorum, self._command.quorum)
        if quorum > 1:  # where several must say yes, a file does not
            return self._refused("policy_needs_approval", event.key)
        if screen.is_redacted(event.value):
            return self._refused(screen.NEEDS_CONSENT, event.key)
        line = self._now.shelves.get(governed_facts.SHELF, event.key)
        held = governed_facts.fact(line) if line else None
        if held and (held.last_updated, held.value) >= (event.last_updated, event.value):
            return self._refused(THERE, event.key)
        return event

    def happened(self, event: EventObserved) -> AnyEvent:
        if not event.id:
            return self._refused(MALFORMED)
        if event.id in self._new or self._now.shelves.has(loop_events.SHELF, event.id):
            return self._refused(THERE, event.id)
        return event

    def versioned(self, event: AnyEvent) -> AnyEvent:
        shelf, field = VERSIONED[type(event)]
        named = getattr(event, field)
        line = self._now.shelves.get(shelf, named)
        return self._refused(THERE, named) if line and line.event == event else event

    # ── Conversations ───────────────────────────────────────────────────────────────────────────

    def _item(self, record: CarriedRecord, event: ItemEvent) -> None:
        """Numbers of ledgers are each log's own: the owner's here takes the place of the other."""
        if isinstance(event, ItemWritten) and self._item_is_there(event.item.id):
            self._deny(THERE, event.item.id)
            return
        sheet = self._sheet or self._opened(*_place(record, event))
        if isinstance(sheet, str):
            self._deny(sheet)
            return
        if isinstance(event, PhaseDropped):
            self._note(event)
        else:
            self._note(msgspec.structs.replace(event, ledger=sheet.ledger.number))

    def _opened(self, space: Space | None, owner: str) -> space_writer.Sheet | str:
        if space is None or not owner:
            return MALFORMED
        sheet = space_writer.open_sheet(self._now, space, owner)
        if isinstance(sheet, space_writer.Sheet):
            self.events += sheet.events
            self._sheet = sheet
        return sheet

    def _item_is_there(self, item_id: str) -> bool:
        known = conversation_items.ever(self._now.shelves, item_id)
        return item_id in self._new or known is not None

    # ── What is known ───────────────────────────────────────────────────────────────────────────

    def _known(self, shelf: str, item_id: str) -> int:
        """The entry that holds what goes by an id, alive or not; 0 when there is none."""
        found = self._now.shelves.ever(shelf, item_id=item_id)
        return next((line.seq for *_, line in found), 0)

    def _kept(self, memo_id: str) -> int:
        line = memo_reads.kept_at(self._now.shelves, memo_id)
        return line.seq if line else self._new.get(memo_id, 0)


JUDGES: Final[dict[type, Callable[..., AnyEvent]]] = {
    EpisodeWritten: Carrying.episode,
    EpisodesWritten: Carrying.several,
    ItemForgotten: Carrying.about_record,
    ItemReleased: Carrying.about_record,
    MemoKept: Carrying.memo,
    MemoShelved: Carrying.shelved,
    MemoMarked: Carrying.marked,
    MemosEvicted: Carrying.left,
    MemosForgotten: Carrying.left,
    MemosCompacted: Carrying.compacted,
    GoalSet: Carrying.goal,
    GoalAdvanced: Carrying.advanced,
    DocumentPut: Carrying.document,
    FactSettled: Carrying.fact,
    EventObserved: Carrying.happened,
}


def decoded(record: CarriedRecord) -> CarriedEvent:
    """The event that a record is; what does not fit its type is none."""
    if not isinstance(record.data, dict):
        raise TypeError("fields are wanted")
    given = {**record.data, "type": record.event}
    if record.space is not None and record.event != PHASE_DROPPED:  # it names no ledger
        given.setdefault("ledger", 0)
    event: CarriedEvent = msgspec.convert(given, CarriedEvent)
    if isinstance(event, ItemWritten | PhaseDropped) and not _is_owned(record, event):
        raise ValueError("an item says whose space it is")
    return event


def _place(record: CarriedRecord, event: ItemEvent) -> tuple[Space | None, str]:
    """Whose space a record is of; the end of a phase says it itself."""
    if isinstance(event, PhaseDropped) and record.space is None:
        return event.space, event.owner
    return record.space, record.owner


def _is_lasting(event: CarriedEvent) -> bool:
    """What outlives the work at hand; recent messages are the conversation itself."""
    if isinstance(event, ItemWritten):
        return event.item.kind is not Kind.SHORT_TERM
    told = EpisodeWritten | EpisodesWritten | MemoKept | DocumentPut | LastingEvent
    return isinstance(event, told)


def _is_owned(record: CarriedRecord, event: ItemWritten | PhaseDropped) -> bool:
    if isinstance(event, PhaseDropped):
        return _place(record, event) == (event.space, event.owner)
    meta = event.item.meta
    return (meta.space, meta.owner) == (record.space, record.owner)


def _made(event: AnyEvent) -> list[str]:
    match event:
        case EpisodeWritten(episodic_id=name) | GoalSet(goal_id=name) | EventObserved(id=name):
            return [name]
        case EpisodesWritten():
            return episodes.names(event)
        case MemoKept(memo=kept):
            return [kept.id]
        case ItemWritten(item=item):
            return [item.id]
        case _:
            return []
