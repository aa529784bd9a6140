"""Papers on their shelf: the one that lives under a key, those of a drawer, and every version."""

from collections.abc import Iterator

import msgspec

from muniment.layers import document_rows
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events.documents import PaperPut
from muniment.model.kinds.document import Drawer, Paper


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A version over its life: where it was put down, and where it was replaced or taken out."""

    paper: Paper
    born: int
    died: int | None


def get(shelves: Shelves, subject: str, drawer: Drawer, key: str) -> Paper | None:
    line = shelves.get(document_rows.SHELF, document_rows.paper_id(subject, drawer, key))
    return paper(line) if line else None


def within(shelves: Shelves, subject: str, prefix: Drawer) -> list[Paper]:
    """The papers of every drawer that begins with these labels, in the order they came."""
    return _ordered(shelves.under(document_rows.SHELF, document_rows.within(subject, prefix)))


def exactly(shelves: Shelves, subject: str, drawer: Drawer) -> list[Paper]:
    return _ordered(shelves.under(document_rows.SHELF, document_rows.exactly(subject, drawer)))


def newest(shelves: Shelves, subject: str, drawer: Drawer) -> Iterator[Paper]:
    """The papers of a drawer as they were last written, newest first."""
    for line in shelves.under(document_rows.SHELF, document_rows.exactly(subject, drawer)):
        yield paper(line)


def past(shelves: Shelves, subject: str, drawer: Drawer, key: str) -> Iterator[Past]:
    """Every version a key ever had, newest first."""
    named = document_rows.paper_id(subject, drawer, key)
    seen = 0
    for born, died, line in shelves.ever(document_rows.SHELF, item_id=named):
        if line.seq != seen:  # a paper has a row for each label of its drawer
            seen = line.seq
            yield Past(paper=paper(line), born=born, died=died)


def ever(shelves: Shelves, subject: str, drawer: Drawer, *, deep: bool) -> Iterator[Past]:
    """Every version that ever lay in a drawer, or as well in those inside it, newest first."""
    key = (document_rows.within if deep else document_rows.exactly)(subject, drawer)
    for born, died, line in shelves.ever(document_rows.SHELF, key=key):
        yield Past(paper=paper(line), born=born, died=died)


def count(shelves: Shelves, subject: str, drawer: Drawer) -> int:
    """How many papers were ever put into a drawer."""
    rows = shelves.ever(document_rows.SHELF, key=document_rows.exactly(subject, drawer))
    line = next((each for _, _, each in rows), None)
    return line.event.n if line and isinstance(line.event, PaperPut) else 0


def paper(line: Line) -> Paper:
    put = line.event
    assert isinstance(put, PaperPut)
    return Paper(
        drawer=put.drawer,
        key=put.key,
        value=put.value,
        version=put.version,
        place=put.place,
        created_at=put.created_at,
        updated_at=put.updated_at,
        expires_at=put.expires_at,
        request_id=put.request_id,
        seq=line.seq,
    )


def _ordered(lines: Iterator[Line]) -> list[Paper]:
    return sorted((paper(line) for line in lines), key=lambda each: each.place)
