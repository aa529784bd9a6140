"""Loop rows: shelf rows of loops and of the layers derived from them."""

from muniment.layers import loop_events, mirror
from muniment.log.entry import Line
from muniment.model.events import Shredded
from muniment.model.events.loops import (
    Embedded,
    EventObserved,
    LoopsDigested,
    LoopSummarised,
    MirrorDeferred,
    Mirrored,
    Regraded,
    SkillExtracted,
)
from muniment.model.kinds.loop import PENDING_EMBEDDING

Change = tuple[str, str, str]  # the shelf, the id, the key
SHELVES = (
    loop_events.SHELF,
    loop_events.LOOPS,
    mirror.SHELF,
    mirror.VECTORS,
    mirror.PENDING,
    mirror.GRADES,
    mirror.SUMMARIES,
    mirror.DIGESTS,
    mirror.DIGESTED,
    mirror.SKILLS,
)


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    """Shelf and id of each row that ends with this entry."""
    match line.event:
        # What is owed is settled even where the content has been erased since.
        case (
            Mirrored(source_id=source_id)
            | MirrorDeferred(source_id=source_id)
            | Shredded(wire="ltm_mirrored", public={"source_id": str(source_id)})
        ):
            return ((mirror.PENDING, source_id),)
        case (
            Embedded(source_id=source_id)
            | Shredded(wire="ltm_embedded", public={"source_id": str(source_id)})
        ):
            return ((mirror.PENDING, source_id), (mirror.VECTORS, source_id))
        case _:
            return _versioned(line)


def opened(line: Line) -> tuple[Change, ...]:
    """Shelf, id and key of each row that begins with this entry."""
    match line.event:
        case EventObserved(n=n, loop_id=loop_id):
            row = (loop_events.SHELF, loop_events.event_id(line), loop_id)
            return (row, (loop_events.LOOPS, loop_id, str(line.header.job))) if n == 1 else (row,)
        case Mirrored(source_id=source_id, loop_id=loop_id, status=status):
            row = (mirror.SHELF, source_id, loop_id)
            owed = ((mirror.PENDING, source_id, status),) if status == PENDING_EMBEDDING else ()
            return (row, *owed)
        case MirrorDeferred(source_id=source_id, status=status):
            return ((mirror.PENDING, source_id, status),)
        case Embedded(source_id=source_id, model=model):
            return ((mirror.VECTORS, source_id, model),)
        case LoopsDigested(digest_id=digest_id, loop_ids=loop_ids):
            whole = ((mirror.DIGESTS, digest_id, ""),)
            return whole + tuple((mirror.DIGESTED, loop_id, digest_id) for loop_id in loop_ids)
        case _:
            return tuple((shelf, item_id, "") for shelf, item_id in _versioned(line))


def _versioned(line: Line) -> tuple[tuple[str, str], ...]:
    """The row that takes the place of an older one of its own id."""
    match line.event:
        case Regraded(source_id=source_id):
            return ((mirror.GRADES, source_id),)
        case LoopSummarised(loop_id=loop_id):
            return ((mirror.SUMMARIES, loop_id),)
        case SkillExtracted(skill_id=skill_id):
            return ((mirror.SKILLS, skill_id),)
        case _:
            return ()
