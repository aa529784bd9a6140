"""Branches: the open ones of a tenant's logs, by name, with the entry that opened each."""

from typing import Final

from muniment.log.entry import Line
from muniment.model.events.operations import BranchClosed, BranchOpened

SHELF: Final = "branches"
SHELVES: Final = (SHELF,)


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    match line.event:
        case BranchClosed(name=name):
            return ((SHELF, name),)
        case _:
            return ()


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    match line.event:
        case BranchOpened(name=name):
            return ((SHELF, name, ""),)
        case _:
            return ()
