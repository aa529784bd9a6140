"""Drawers: the rows that papers have on their shelf, and the names they are found by."""

from collections.abc import Iterator

from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events.documents import PaperPut, PapersDropped
from muniment.model.kinds.document import Drawer

SHELF = "papers"
Row = tuple[str, str, str]


def paper_id(subject: str, drawer: Drawer, key: str) -> str:
    """Two people may call their papers alike."""
    return canonical_json.encode([subject, list(drawer), key]).decode()


def within(subject: str, prefix: Drawer) -> str:
    """Under which every paper is found whose drawer begins with these labels."""
    return canonical_json.encode([subject, list(prefix), "…"]).decode()


def exactly(subject: str, drawer: Drawer) -> str:
    """Under which the papers of this very drawer are found."""
    return canonical_json.encode([subject, list(drawer), "."]).decode()


def opened(line: Line) -> Iterator[Row]:
    """A row for the drawer itself, and one for each drawer around it."""
    put = line.event
    if not isinstance(put, PaperPut):
        return
    named = paper_id(put.subject, put.drawer, put.key)
    yield SHELF, named, exactly(put.subject, put.drawer)
    for depth in range(len(put.drawer) + 1):
        yield SHELF, named, within(put.subject, put.drawer[:depth])


def ended(line: Line) -> Iterator[tuple[str, str]]:
    match line.event:
        case PaperPut() as put:
            yield SHELF, paper_id(put.subject, put.drawer, put.key)
        case PapersDropped() as dropped:
            for key in dropped.keys:
                yield SHELF, paper_id(dropped.subject, dropped.drawer, key)
        case _:
            return
