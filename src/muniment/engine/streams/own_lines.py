"""Own lines: the entries of a log that one session may see, in their order."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events import ItemForgotten
from muniment.model.events.conversation import LedgerShelved
from muniment.model.events.memos import MemosEvicted, MemosForgotten, MemoShelved
from muniment.model.events.rollback import RecordsRevived

# They say themselves whom the thing is about that they end or move, and that may be nobody.
SAY_WHOM: Final = (
    ItemForgotten,
    LedgerShelved,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
    RecordsRevived,
)


Judge = Callable[[Line], bool]  # by the seals of an entry


def seen_by(shelves: Shelves, lines: Iterable[Line]) -> Iterator[Line]:
    """Entries about this reader or about nobody."""
    return judged(lines, shelves.is_about_us, shelves.line)


def judged(
    lines: Iterable[Line], is_ours: Judge, line_at: Callable[[int], Line | None]
) -> Iterator[Line]:
    """Entries that may be seen by their seals.

    One without words has no seal: a refusal, a tick, an outcome. It is about whomever the command
    that caused it was about.
    """
    causes: dict[int, bool] = {}
    for line in lines:
        may_see, cause = is_ours(line), line.header.cause
        if cause == line.seq:
            causes = {cause: may_see}
        if may_see and not line.header.parts and not isinstance(line.event, SAY_WHOM):
            if cause not in causes:  # the lines began in the middle of what it caused
                asked = line_at(cause)
                causes = {cause: asked is not None and is_ours(asked)}
            may_see = causes[cause]
        if may_see:
            yield line
