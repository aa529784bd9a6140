"""Legal holds: placed and lifted by order; no decision ends what one covers.

Every command passes here behind its decision, so a hold is passed by no door: what was asked for
is refused under the name of the hold, and what would end by itself stays.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import document_rows, episodes, loop_events, memo_reads
from muniment.layers.governance import governed_facts, hold_rows
from muniment.layers.shelves import ITEMS, Shelves
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.documents import PutDocument
from muniment.model.commands.holds import LiftHold, PlaceHold
from muniment.model.commands.rollback import RollBack
from muniment.model.errors import HELD
from muniment.model.events import AnyEvent, FactRetired, ItemForgotten
from muniment.model.events.conversation import ItemDeleted, ItemExpired, ItemWritten
from muniment.model.events.documents import DocumentsDropped
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.events.holds import HoldLifted, HoldPlaced
from muniment.model.events.memos import MemosEvicted, MemosForgotten
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.hold import LegalHold
from muniment.model.kinds.loop import MIRROR_PREFIX
from muniment.model.scope import StreamId, StreamKind
from muniment.model.struct_copy import copied
from muniment.retrieval.dates import validity

DAY: Final = len("2026-03-05")
# What ends by itself while something else is asked for; what is held stays, and the rest goes on.
BY_ITSELF: Final = frozenset(
    {"remember", "remember_many", "record_interaction", "memorize", "take_turn", "end_lapsed"}
    | {"start_phase", "extract_facts", "admit_item", "settle_promotion", "promote_item"}
    | {
        "hear_wish",
        "track_tool",
        "observe_event",
        "open_job",
        "close_job",
        "tick",
        "episodic_write",
    }
)
STAYS: Final = frozenset({"superseded", "promoted"})  # it has a successor, and a history


def place(now: DecisionContext, command: PlaceHold) -> list[AnyEvent]:
    named = (command.person, command.space, command.since, command.until)
    if not any(named):
        return now.deny("hold_covers_nothing")
    hold_id = free_id(now)
    hold = copied(LegalHold, command, hold_id=hold_id)
    return [HoldPlaced(hold_id=hold_id, hold=hold)]


def free_id(now: DecisionContext) -> str:
    """A name for a hold: its entry, and more where one that was carried over goes by that."""
    name = f"hold:{now.seq}"
    while any(True for _ in now.shelves.ever(hold_rows.SHELF, item_id=name)):
        name += "+"
    return name


def lift(now: DecisionContext, command: LiftHold) -> list[AnyEvent]:
    if not now.shelves.has(hold_rows.SHELF, command.hold_id):
        return now.deny("hold_unknown", command.hold_id)
    return [HoldLifted(hold_id=command.hold_id, reason=command.reason)]


def refusal(now: DecisionContext, hold_id: str) -> list[AnyEvent]:
    """The no of one of the holds in force, under its name."""
    named = (each.named for each in now.received.held if each.hold_id == hold_id)
    return now.deny(HELD, next(named, hold_id))


def guarded(now: DecisionContext, told: list[AnyEvent]) -> list[AnyEvent]:
    """The same without an end that a hold forbids; or its refusal, where just that was asked."""
    found = next(_taken_back(now), None)
    found = found or next((hold for each in told for hold in _against(now, each)), None)
    if found is None:
        return told
    command = now.received.command
    corrects = isinstance(command, RecordInteraction) and bool(command.replaces)
    if now.received.asked not in BY_ITSELF or corrects:
        return now.deny(HELD, found.named)
    return [left for each in told for left in _without_held(now, each)]


def _taken_back(now: DecisionContext) -> Iterator[LegalHold]:
    """The holds over what a command itself names as wrong, whatever was decided of it.

    A rollback is whole or none: also what its other commands would end is looked at here.
    """
    for name in _said_wrong(now.received.command):
        for _, line in _kept(now, name):
            yield from covering(now, line)


def _said_wrong(command: AnyCommand) -> Iterable[str]:
    match command:
        case RollBack(records=records):
            return records
        case PutDocument(corrects=True, subject=subject, namespace=namespace, key=key):
            return (document_rows.document_id(subject, namespace, key),)
        case _:
            return ()


def _against(now: DecisionContext, event: AnyEvent) -> Iterator[LegalHold]:
    """The holds that an event would pass."""
    if isinstance(event, DeletionOrdered):
        yield from (each for each in now.received.held if each.person == event.subject_ref)
        return
    for _, line in _ended(now, event):
        yield from covering(now, line)


def covering(now: DecisionContext, line: Line) -> Iterator[LegalHold]:
    """The holds in force that cover what an entry holds."""
    return covering_entry(now.received.held, now.stream.id, now.shelves, line)


def covering_entry(
    holds: Iterable[LegalHold], stream: StreamId, shelves: Shelves, line: Line
) -> Iterator[LegalHold]:
    """Those of some holds that cover what an entry of a log holds."""
    people = {part.subject for part in line.header.parts}
    places, told = _places(stream, line), validity.moment(shelves, line)
    for hold in holds:
        if hold.covers(people=people, places=places, told=told):
            yield hold


def _places(stream: StreamId, line: Line) -> set[str]:
    found = {f"agent:{stream.owner}"} if stream.kind is StreamKind.AGENT else {stream.owner}
    if isinstance(line.event, ItemWritten) and line.event.item.meta.space:
        found.add(f"{line.event.item.meta.space}:{line.event.item.meta.owner}")
    return found


def _ended(now: DecisionContext, event: AnyEvent) -> Iterator[tuple[str, Line]]:
    """The records that an event ends without a successor, each with the entry that holds it."""
    for name in _names(now, event):
        yield from _kept(now, name)


def _names(now: DecisionContext, event: AnyEvent) -> Iterable[str]:
    match event:
        case ItemForgotten(item_id=name) | ItemExpired(item_id=name):
            return (name,)
        case MemosForgotten(memo_ids=names) | MemosEvicted(memo_ids=names):
            return names
        case MemosCompacted(gone=names, archived=False):
            return names
        case ItemDeleted(item_id=name, reason=reason):
            corrects = getattr(now.received.command, "replaces", "") == name
            return () if reason in STAYS and not corrects else (name,)
        case DocumentsDropped(subject=subject, namespace=namespace, keys=keys):
            return [document_rows.document_id(subject, namespace, key) for key in keys]
        case FactRetired(key=key):
            return (key,)
        case _:
            return ()


def _kept(now: DecisionContext, name: str) -> Iterator[tuple[str, Line]]:
    """The entry that holds a record, whatever kind it is."""
    if name.startswith(MIRROR_PREFIX):
        line = now.shelves.get(loop_events.SHELF, name.removeprefix(MIRROR_PREFIX))
    else:
        shelves = (episodes.SHELF, ITEMS, document_rows.SHELF, governed_facts.SHELF)
        lines = (each for shelf in shelves for *_, each in now.shelves.ever(shelf, item_id=name))
        line = next(lines, None) or memo_reads.kept_at(now.shelves, name)
    if line is not None:
        yield name, line


def _without_held(now: DecisionContext, event: AnyEvent) -> Iterator[AnyEvent]:
    held = {name for name, line in _ended(now, event) if next(covering(now, line), None)}
    if not held:
        yield event
    elif isinstance(event, MemosForgotten | MemosEvicted):
        left = tuple(each for each in event.memo_ids if each not in held)
        if left:
            yield msgspec.structs.replace(event, memo_ids=left)
