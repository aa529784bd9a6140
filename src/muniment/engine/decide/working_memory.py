"""Working memory decisions: insert, reference, promote."""

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import shelves
from muniment.layers.desk import session_of
from muniment.layers.jobs import consolidated_memory, working_memory
from muniment.model import canonical_json, ids
from muniment.model.commands import InsertWorking, Promote, Reference
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    Promoted,
    Referenced,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.kinds.episode import ConsolidatedItem, WorkingEntry
from muniment.model.text import tokens
from muniment.rules import promotion


def insert(now: DecisionContext, command: InsertWorking) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    constants = now.desk.policy.brainstate
    n = job.working_count + 1
    ttl = constants.working_ttl_ticks if command.ttl_ticks is None else command.ttl_ticks
    inserted = WorkingInserted(
        n=n,
        wm_id=ids.working_id(job.seed, n),
        kind=command.kind,
        value=command.value,
        created_at_tick=job.tick,
        ttl_ticks=ttl,
    )
    return [*_make_room(now, constants.working_capacity_items), inserted]


def _make_room(now: DecisionContext, capacity: int) -> list[AnyEvent]:
    entries = now.desk.working.get(now.stamp.job, ())
    if len(entries) < capacity:
        return []
    return [WorkingExpired(wm_id=entries[-1].wm_id, reason="capacity")]


def reference(now: DecisionContext, command: Reference) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    if working_memory.find(now.desk.working.get(job.number, ()), command.item_id):
        constants = now.desk.policy.brainstate
        life = constants.working_ttl_ticks if constants.reference_refreshes_ttl else 0
        used = Referenced(item_id=command.item_id, layer="working", tick=job.tick, ttl_ticks=life)
        return [used]
    session = now.desk.consolidated.sessions.get(session_of(job))
    if session and any(item.cwm_id_item == command.item_id for item in session.items):
        return [Referenced(item_id=command.item_id, layer="consolidated", tick=job.tick)]
    return now.deny("item_unknown", command.item_id)


def promote(now: DecisionContext, command: Promote) -> list[AnyEvent]:
    """A promotion asked for by name: once for each wm_id, and only when it is due."""
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    before = now.shelves.get(shelves.PROMOTIONS, command.item_id)
    if before is not None:
        return now.deny("PROMOTION_LOOP", before.header.id)
    entries = now.desk.working.get(job.number, ())
    entry = working_memory.find(entries, command.item_id)
    if entry is None:
        return now.deny("item_unknown", command.item_id)
    if entry not in promotion.due(entries, job.tick, now.desk.policy.brainstate):
        return now.deny("promotion_not_due", command.item_id)
    if not fitting(now, (entry,)):
        return now.deny("promotion_too_large", command.item_id)
    return promotions(now, (entry,))


def fitting(now: DecisionContext, due: tuple[WorkingEntry, ...]) -> tuple[WorkingEntry, ...]:
    """Those that consolidated memory could hold, were it empty; the others stay where they are."""
    cap = now.desk.policy.brainstate.consolidated_token_cap
    return tuple(entry for entry in due if _size(entry) <= cap)


def _size(entry: WorkingEntry) -> int:
    return tokens.tokens_by_length(canonical_json.encode(entry.value).decode())


def promotions(now: DecisionContext, due: tuple[WorkingEntry, ...]) -> list[AnyEvent]:
    """Move the entries into the session's consolidated memory and recompute it."""
    job = now.job
    assert job is not None
    if not due:
        return []
    moved = [_promoted(now, entry) for entry in due]
    session = now.desk.consolidated.sessions.get(session_of(job))
    session = session or consolidated_memory.empty(session_of(job))
    held = session.items + tuple(consolidated_memory.item(each, session.ticks) for each in moved)
    return [*_give_way(now), *moved, recomputed(now, held, cause="promotion")]


def _give_way(now: DecisionContext) -> list[AnyEvent]:
    """The desk is bounded: a new session takes the place of the one that was fed longest ago."""
    state, limit = now.desk.consolidated, now.desk.policy.brainstate.sessions_max
    job = now.job
    assert job is not None
    if session_of(job) in state.sessions or len(state.sessions) < limit:
        return []
    busy = set(state.members.values())
    idle = [memory for memory in state.sessions.values() if memory.cwm_id not in busy]
    oldest = min(idle, key=lambda memory: (memory.touched_seq, memory.cwm_id), default=None)
    return (
        []
        if oldest is None
        else [
            ConsolidatedExpired(
                cwm_id=oldest.cwm_id, cwm_id_item=item.cwm_id_item, reason="session"
            )
            for item in oldest.items
        ]
    )


def recomputed(
    now: DecisionContext, items: tuple[ConsolidatedItem, ...], *, cause: str, topic: str = ""
) -> ConsolidatedRecomputed:
    job = now.job
    assert job is not None
    kept, dropped = promotion.keep(items, now.desk.policy.brainstate.consolidated_token_cap)
    return ConsolidatedRecomputed(
        cwm_id=session_of(job),
        topic=topic,
        cause=cause,
        kept=tuple(item.cwm_id_item for item in kept),
        dropped=tuple(item.cwm_id_item for item in dropped),
        token_estimate=sum(item.token_estimate for item in kept),
    )


def _promoted(now: DecisionContext, entry: WorkingEntry) -> Promoted:
    job = now.job
    assert job is not None
    counter = f"promotion:{entry.wm_id}"
    return Promoted(
        axis="layer",
        event_id=canonical_json.digest(
            "muniment/v1/promotion", now.entry_id.encode(), counter.encode()
        ).hex()[:32],
        wm_id=entry.wm_id,
        cwm_id=session_of(job),
        cwm_id_item=f"{session_of(job)}:{entry.wm_id}",
        value=entry.value,
        references=entry.references,
        token_estimate=_size(entry),
        ttl_ticks_cwm=now.desk.policy.brainstate.consolidated_ttl_ticks,
        tick=job.tick,
    )
