"""Vector rows: recorded vectors by the id of their text, and up to which entry they go."""

from typing import Final

from muniment.log.entry import Line
from muniment.model.events.recalls import VectorsReached, VectorsRecorded

SHELF: Final = "codes"  # by the name of a text
REACHED: Final = "reached"  # by the name of an embedder
SHELVES: Final = (SHELF, REACHED)


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    return ((REACHED, line.event.model),) if isinstance(line.event, VectorsReached) else ()


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    match line.event:
        case VectorsRecorded(names=names):
            return tuple((SHELF, name, "") for name in names)
        case VectorsReached(model=model):
            return ((REACHED, model, ""),)
        case _:
            return ()


def of(recorded: VectorsRecorded, name: str) -> tuple[bytes, ...]:
    """The vectors of one text among several."""
    place = recorded.names.index(name)
    start, size = sum(recorded.counts[:place]), recorded.dims
    return tuple(
        recorded.codes[n * size : (n + 1) * size]
        for n in range(start, start + recorded.counts[place])
    )
