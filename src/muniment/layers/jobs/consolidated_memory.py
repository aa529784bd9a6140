"""Consolidated memory: items of a session that were promoted from working memory."""

import msgspec

from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    JobClosed,
    JobOpened,
    Promoted,
    Referenced,
    Ticked,
)
from muniment.model.kinds.episode import REFERENCES_KEPT, ConsolidatedItem, ConsolidatedMemory
from muniment.model.struct_copy import copied

Sessions = dict[str, ConsolidatedMemory]


class ConsolidatedState(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions, and which of them each open job works in: a tick ages that one alone."""

    sessions: Sessions = {}
    members: dict[int, str] = {}
    owners: dict[str, str] = {}  # whose session it is, while it holds something or is worked in


def fold(state: ConsolidatedState, lines: list[Line]) -> ConsolidatedState:
    sessions, members = dict(state.sessions), dict(state.members)
    owners = dict(state.owners)
    for line in lines:
        match line.event:
            case JobOpened(number=number, session=session, job_seed=seed, subject=subject):
                members[number] = ids.consolidated_id(session or seed)
                owners[members[number]] = subject
            case JobClosed(number=number):
                _leave(sessions, members, members.pop(number, ""))
            case _:
                _record(sessions, line, members.get(line.header.job, ""))
    alive = sessions.keys() | set(members.values())
    kept = {cwm_id: owner for cwm_id, owner in owners.items() if cwm_id in alive}
    return ConsolidatedState(sessions=sessions, members=members, owners=kept)


def _record(sessions: Sessions, line: Line, session: str) -> None:
    match line.event:
        case Promoted() as promoted:
            _promote(sessions, promoted, line.seq)
        case ConsolidatedRecomputed() as recomputed:
            _keep(sessions, recomputed)
        case Referenced(item_id=item_id, layer="consolidated"):
            _refer(sessions, session, item_id)
        case Ticked():
            _age(sessions, session)
        case ConsolidatedExpired(cwm_id=cwm_id, cwm_id_item=item_id):
            _drop(sessions, cwm_id, item_id)
        case _:
            pass


def empty(cwm_id: str, topic: str = "") -> ConsolidatedMemory:
    return ConsolidatedMemory(cwm_id=cwm_id, topic=topic, items=(), token_estimate=0)


def item(promoted: Promoted, tick: int) -> ConsolidatedItem:
    return copied(ConsolidatedItem, promoted, promoted_from=promoted.wm_id, promoted_at_tick=tick)


def after(memory: ConsolidatedMemory, events: list[AnyEvent]) -> tuple[ConsolidatedItem, ...]:
    """The items of a memory once these promotions and recomputations have been recorded."""
    sessions = {memory.cwm_id: memory}
    for event in events:
        match event:
            case Promoted():
                _promote(sessions, event, seq=0)
            case ConsolidatedRecomputed():
                _keep(sessions, event)
            case _:
                pass
    return sessions[memory.cwm_id].items


def _promote(sessions: Sessions, promoted: Promoted, seq: int) -> None:
    memory = sessions.get(promoted.cwm_id) or empty(promoted.cwm_id)
    grown = _with_items(memory, (*memory.items, item(promoted, memory.ticks)))
    sessions[memory.cwm_id] = msgspec.structs.replace(grown, touched_seq=seq)


def _keep(sessions: Sessions, recomputed: ConsolidatedRecomputed) -> None:
    memory = sessions.get(recomputed.cwm_id) or empty(recomputed.cwm_id)
    by_id = {item.cwm_id_item: item for item in memory.items}
    kept = tuple(by_id[item_id] for item_id in recomputed.kept if item_id in by_id)
    topic = recomputed.topic or memory.topic
    sessions[memory.cwm_id] = msgspec.structs.replace(_with_items(memory, kept), topic=topic)


def _refer(sessions: Sessions, cwm_id: str, item_id: str) -> None:
    memory = sessions.get(cwm_id)
    if memory is not None:
        items = tuple(
            msgspec.structs.replace(
                item,
                references=item.references + 1,
                referenced_at=(*item.referenced_at, memory.ticks)[-REFERENCES_KEPT:],
            )
            if item.cwm_id_item == item_id
            else item
            for item in memory.items
        )
        sessions[cwm_id] = msgspec.structs.replace(memory, items=items)


def _age(sessions: Sessions, cwm_id: str) -> None:
    memory = sessions.get(cwm_id)
    if memory is not None:
        items = tuple(aged(item, memory.ticks) for item in memory.items)
        sessions[cwm_id] = msgspec.structs.replace(memory, items=items, ticks=memory.ticks + 1)


def aged(item: ConsolidatedItem, ended: int) -> ConsolidatedItem:
    # An item that was used during the tick that has just ended does not grow older.
    if ended in item.referenced_at:
        return item
    return msgspec.structs.replace(item, ttl_ticks_cwm=item.ttl_ticks_cwm - 1)


def _leave(sessions: Sessions, members: dict[int, str], cwm_id: str) -> None:
    # A session that holds nothing and that nobody works in is no more than a name.
    memory = sessions.get(cwm_id)
    if memory is not None and not memory.items and cwm_id not in members.values():
        sessions.pop(cwm_id)


def _drop(sessions: Sessions, cwm_id: str, item_id: str) -> None:
    memory = sessions.get(cwm_id)
    if memory is None:
        return
    left = tuple(item for item in memory.items if item.cwm_id_item != item_id)
    if left:
        sessions[cwm_id] = _with_items(memory, left)
    else:
        sessions.pop(cwm_id)


def _with_items(
    memory: ConsolidatedMemory, items: tuple[ConsolidatedItem, ...]
) -> ConsolidatedMemory:
    total = sum(item.token_estimate for item in items)
    return msgspec.structs.replace(memory, items=items, token_estimate=total)
