"""Space ledgers: counters, phase, window and pending promotions of each space of an owner."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from muniment.log.entry import Line
from muniment.model.events import Shredded
from muniment.model.events.conversation import (
    Forwarded,
    ItemDeleted,
    ItemDenied,
    ItemsArchived,
    ItemsConflicted,
    ItemWritten,
    LedgerOpened,
    LedgerShelved,
    PhaseStarted,
)
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.conversation_item import Kind, Ledger, Phase, Space

OUTBOX_MAX = 32  # a crash leaves at most one batch undelivered for each process that writes
Open = dict[int, Ledger]


class Ledgers(msgspec.Struct, frozen=True, kw_only=True):
    open: Open = {}
    count: int = 0
    clock: int = 0  # counts created items and started phases: the only time retention knows
    forwarded: int = 0
    outbox: tuple[int, ...] = ()  # seqs of what was last sent onward; twice is harmless


def fold(state: Ledgers, lines: list[Line]) -> Ledgers:
    return _folded(state, [(line.event, line.seq) for line in lines])


def ahead(state: Ledgers, events: Sequence[object], seq: int) -> Ledgers:
    """As they will be once these events are recorded, somewhere behind an entry."""
    return _folded(state, [(event, seq) for event in events])


def _folded(state: Ledgers, told: Iterable[tuple[object, int]]) -> Ledgers:
    known, count, clock = dict(state.open), state.count, state.clock
    forwarded, outbox = state.forwarded, state.outbox
    for event, seq in told:
        match event:
            case LedgerOpened(ledger=n) | Shredded(wire="ledger_opened", public={"ledger": int(n)}):
                count = max(count, n)
            case Forwarded(n=n) | Shredded(wire="forwarded", public={"n": int(n)}):
                forwarded = n
                outbox = (*outbox, seq)[-OUTBOX_MAX:]
            case _:
                pass
        clock = max(clock, _created(event))
        _record(known, event, seq)
    return Ledgers(open=known, count=count, clock=clock, forwarded=forwarded, outbox=outbox)


def find(state: Ledgers, space: Space, owner: str) -> Ledger | None:
    """The ledger of an owner's space. A shared space's stream has one, whoever was erased."""
    held = (each for each in state.open.values() if each.space is space)
    return next((each for each in held if space is not Space.SESSION or each.owner == owner), None)


def after(ledger: Ledger, event: object, seq: int) -> Ledger:
    """The ledger once this event is recorded; the fold and a decision count alike."""
    match event:
        case ItemWritten() as written:
            return _written(ledger, written, seq)
        case ItemDenied(kind=kind, n=n) | ItemsConflicted(kind=Kind() as kind, n=n):
            return _counted(ledger, kind, n, seq)
        case ItemDeleted(item_id=item_id):
            return _without(ledger, item_id, seq)
        case ItemsArchived(item_ids=item_ids):
            return _archived(ledger, item_ids, seq)
        case RecordsRevived() as revived:
            return _revived(ledger, revived, seq)
        case PhaseStarted() as started:
            phase = Phase(
                n=started.n,
                name=started.name,
                started_at=started.created_at,
                reason=started.reason,
            )
            # The messages of the last phase stay where they are: a new window begins.
            return _begun(ledger, phase, seq)
        case _:
            return ledger


def _record(known: Open, event: object, seq: int) -> None:
    match event:
        case LedgerOpened() as opened:
            fresh = Ledger(
                number=opened.ledger,
                space=opened.space,
                owner=opened.owner,
                subject=opened.subject,
            )
            kept = opened.kept or fresh
            known[opened.ledger] = msgspec.structs.replace(kept, used_seq=seq)
        case (
            LedgerShelved(ledger=number)
            | Shredded(wire="ledger_shelved", public={"ledger": int(number)})
        ):
            known.pop(number, None)
        case Shredded():
            _shredded(known, event, seq)
        case _:
            number = getattr(event, "ledger", 0)
            if number in known:
                known[number] = after(known[number], event, seq)


def _shredded(known: Open, event: Shredded, seq: int) -> None:
    """The structure still counts; an erased session is forgotten, a shared space goes on."""
    match event:
        case Shredded(
            wire="ledger_opened", public={"ledger": int(number), "space": str(space)}
        ) if space != Space.SESSION:
            known[number] = Ledger(number=number, space=Space(space), owner="", subject="")
        case Shredded(
            wire="item_written" | "item_denied" | "item_conflict",
            public={"ledger": int(number), "kind": str(kind), "n": int(n)},
        ) if number in known:
            known[number] = _counted(known[number], Kind(kind), n, seq)
        case Shredded(
            wire="phase_started",
            public={"ledger": int(number), "n": int(n), "created_at": int(started_at)},
        ) if number in known:
            phase = Phase(n=n, started_at=started_at)
            known[number] = _begun(known[number], phase, seq)
        case _:
            pass


def _created(event: object) -> int:
    match event:
        case ItemWritten(created_at=tick) | ItemDenied(created_at=tick):
            return tick
        case PhaseStarted(created_at=tick) | ItemsConflicted(created_at=tick):
            return tick
        case Shredded(
            wire="item_written" | "item_denied" | "item_conflict" | "phase_started",
            public={"created_at": int(tick)},
        ):
            return tick
        case _:
            return 0


def _written(ledger: Ledger, written: ItemWritten, seq: int) -> Ledger:
    counted = _counted(ledger, written.kind, written.n, seq)
    if written.kind is not Kind.SHORT_TERM:
        return counted
    if written.item.meta.summary_of:
        return msgspec.structs.replace(counted, summary=written.item.id, unsummarised=())
    return msgspec.structs.replace(counted, window=(*counted.window, written.item.id))


def _counted(ledger: Ledger, kind: Kind, n: int, seq: int) -> Ledger:
    counts = ledger.counts | {kind: n}
    return msgspec.structs.replace(ledger, counts=counts, used_seq=seq)


def _begun(ledger: Ledger, phase: Phase, seq: int) -> Ledger:
    """A new phase begins with an empty window."""
    return msgspec.structs.replace(
        ledger, phase=phase, window=(), summary="", unsummarised=(), used_seq=seq
    )


def _without(ledger: Ledger, item_id: str, seq: int) -> Ledger:
    window = tuple(each for each in ledger.window if each != item_id)
    waiting = tuple(each for each in ledger.unsummarised if each != item_id)
    summary = "" if ledger.summary == item_id else ledger.summary
    return msgspec.structs.replace(
        ledger, window=window, summary=summary, unsummarised=waiting, used_seq=seq
    )


def _revived(ledger: Ledger, told: RecordsRevived, seq: int) -> Ledger:
    """The window as the change left it is the one that its decision states."""
    if told.ledger != ledger.number:
        return ledger
    return msgspec.structs.replace(
        ledger,
        window=told.window,
        unsummarised=told.unsummarised,
        summary=told.summary,
        used_seq=seq,
    )


def _archived(ledger: Ledger, item_ids: Collection[str], seq: int) -> Ledger:
    """What leaves the window waits for a summary; what only decayed was in no window."""
    left = tuple(each for each in ledger.window if each in item_ids)
    window = tuple(each for each in ledger.window if each not in item_ids)
    waiting = (*ledger.unsummarised, *left)
    return msgspec.structs.replace(ledger, window=window, unsummarised=waiting, used_seq=seq)
