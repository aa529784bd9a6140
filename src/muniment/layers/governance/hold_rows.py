"""Rows of legal holds on their shelf: one for each that was placed and not lifted."""

from typing import Final

from muniment.log.entry import Line
from muniment.model.events.holds import HoldLifted, HoldPlaced

SHELF: Final = "holds"


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    return ((SHELF, line.event.hold_id, ""),) if isinstance(line.event, HoldPlaced) else ()


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    return ((SHELF, line.event.hold_id),) if isinstance(line.event, HoldLifted) else ()
