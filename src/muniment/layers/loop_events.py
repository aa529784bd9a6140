"""Idetic memory: events of each open loop, and the literal events on their shelf."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import JobClosed, Shredded
from muniment.model.events.loops import EventObserved
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.loop import EventKind, IdeticEvent
from muniment.model.scope import StreamId
from muniment.model.struct_copy import copied

SHELF = "idetic"
FORGOTTEN = "forgotten_events"  # mirror entries that somebody took out of every reading
LOOPS = "loops"


class OpenLoop(msgspec.Struct, frozen=True, kw_only=True):
    """How far a loop has come: enough to know what may follow."""

    events: int = 0
    inputs: int = 0
    calls: int = 0
    results: int = 0
    answers: int = 0


Loops = dict[int, OpenLoop]

COUNTED = {
    EventKind.USER_INPUT: "inputs",
    EventKind.TOOL_CALL: "calls",
    EventKind.TOOL_RESULT: "results",
    EventKind.ACTOR_OUTPUT: "answers",
}


def fold(state: Loops, lines: list[Line]) -> Loops:
    loops = dict(state)
    for line in lines:
        number = line.header.job
        match line.event:
            case EventObserved(n=n, kind=kind) if number:  # carried over, it is of no job
                loops[number] = _counted(loops.get(number, OpenLoop()), n, kind)
            # The structure of a shredded event still counts.
            case Shredded(wire="idetic_event", public={"n": int(n), "kind": str(kind)}) if number:
                loops[number] = _counted(loops.get(number, OpenLoop()), n, EventKind(kind))
            case JobClosed(number=closed):
                loops.pop(closed, None)
            case _:
                pass
    return loops


def event_id(line: Line) -> str:
    """By which an event of a loop is known, here and wherever it is carried."""
    observed = line.event
    return (observed.id if isinstance(observed, EventObserved) else "") or line.header.id


def event(stream: StreamId, line: Line) -> IdeticEvent:
    """The event with everything that is known about it from where it stands."""
    observed = line.event
    assert isinstance(observed, EventObserved)
    return copied(
        IdeticEvent, observed, id=event_id(line), agent_id=stream.owner, persona=stream.persona
    )


def _counted(loop: OpenLoop, n: int, kind: EventKind) -> OpenLoop:
    counted = msgspec.structs.replace(loop, events=n)
    name = COUNTED.get(kind)
    if name is None:
        return counted
    return msgspec.structs.replace(counted, **{name: getattr(loop, name) + 1})


def lives_again(told: RecordsRevived) -> tuple[str, ...]:
    """The records that an entry brings back; of an event of a loop it ends the forgetting."""
    notes = (row.id for row in told.ended if row.shelf == FORGOTTEN)
    rows = (row.id for row in told.rows if row.shelf != FORGOTTEN)
    return tuple(dict.fromkeys((*rows, *notes)))


def lives_no_more(told: RecordsRevived) -> tuple[str, ...]:
    """The records that it takes back: what had taken the place of others, and events again."""
    notes = (row.id for row in told.rows if row.shelf == FORGOTTEN)
    rows = (row.id for row in told.ended if row.shelf != FORGOTTEN)
    return tuple(dict.fromkeys((*rows, *notes)))
