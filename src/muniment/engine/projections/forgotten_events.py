"""Forgotten events of loops: they stay in the log, and leave everything derived from it."""

from muniment.layers import loop_events
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events import ItemForgotten
from muniment.model.kinds.loop import MIRROR_PREFIX, mirror_id


def is_forgotten(shelves: Shelves, line: Line) -> bool:
    """Whether an event was taken out of every reading, and has not come back."""
    return shelves.has(loop_events.FORGOTTEN, mirror_id(loop_events.event_id(line)))


def forgotten(shelves: Shelves) -> frozenset[str]:
    """The ids of all such events; nearly always there are none."""
    if not shelves.any(loop_events.FORGOTTEN):
        return frozenset()
    rows = (line.event for line in shelves.newest(loop_events.FORGOTTEN))
    told = (each.item_id for each in rows if isinstance(each, ItemForgotten))
    return frozenset(name.removeprefix(MIRROR_PREFIX) for name in told)
