"""Resting records: what says again what another record said, and is forgotten with it."""

from collections.abc import Collection, Iterator

from muniment.engine.session.agent_session import AgentSession
from muniment.layers import loop_events, memo_reads
from muniment.layers.memos import extractions
from muniment.log.entry import Line
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.kinds.loop import MIRROR_PREFIX, idetic_id, mirror_id
from muniment.model.kinds.memo import MemoPlace, MemoType


def resting_on(session: AgentSession, item_ids: Collection[str], *, still: str = "") -> list[str]:
    """What says again what these records said: other forms of them, extracted facts, kept skills.

    What `still` says word for word rests on that as well, and is none of them.
    """
    forms = [each for each in _forms(session, item_ids) if each not in item_ids]
    named, shelves = {*item_ids, *forms}, session.shelves(None)
    events = [loop_event(session, each) for each in named if each.startswith(MIRROR_PREFIX)]
    loops = {each.loop_id for each in events if each}
    found = list(dict.fromkeys(forms))
    if not loops and not shelves.any(extractions.SHELF):
        return found  # nearly always: nothing is opened
    for memo in memo_reads.living(shelves, MemoPlace.SM, session.subject):
        match memo.metadata:
            case {"extracted": {"source": str(source), "quote": str(quote)}} if source in named:
                found += [] if still and quote in still else [memo.id]
            case {"skill_id": str(), "evidence": list(said_by)} if not loops.isdisjoint(said_by):
                found.append(memo.id)
            case _:
                pass
    return found


def loop_event(session: AgentSession, item_id: str) -> EventObserved | None:
    line = _event_line(session, item_id)
    told = line.event if line else None
    return told if isinstance(told, EventObserved) else None


def _forms(session: AgentSession, item_ids: Collection[str]) -> Iterator[str]:
    """The other living forms of a tool call that was tracked: two events of its loop, and a memo.

    The memo tells of both events, and each event of its half of the memo.
    """
    for item_id in item_ids:
        if item_id.startswith(MIRROR_PREFIX):
            yield from _memos_of(session, item_id)
        else:
            yield from _events_of(session, item_id)


def _memos_of(session: AgentSession, item_id: str) -> Iterator[str]:
    shelves, line = session.shelves(None), _event_line(session, item_id)
    for each in _written_with(session, line) if line else ():
        memo_id = _tracked(each)
        if memo_id and memo_reads.lives_in(shelves, memo_id):
            yield memo_id


def _events_of(session: AgentSession, item_id: str) -> Iterator[str]:
    shelves = session.shelves(None)
    line = memo_reads.kept_at(shelves, item_id)
    for each in _written_with(session, line) if line and _tracked(line) else ():
        named = mirror_id(loop_events.event_id(each))
        if isinstance(each.event, EventObserved) and not shelves.has(loop_events.FORGOTTEN, named):
            yield named


def _tracked(line: Line) -> str:
    """The id of the memo of a tool call that an entry keeps, if it keeps one."""
    kept = line.event
    is_tracked = isinstance(kept, MemoKept) and kept.kind == MemoType.TOOL_RESULT
    return kept.memo.id if isinstance(kept, MemoKept) and is_tracked else ""


def _written_with(session: AgentSession, line: Line) -> list[Line]:
    """The entries of the command that wrote one."""
    cause = line.header.cause
    return [each for each in session.writer.batch(cause) if each.header.cause == cause]


def _event_line(session: AgentSession, item_id: str) -> Line | None:
    return session.shelves(None).get(loop_events.SHELF, idetic_id(item_id))
