"""Documents on their shelf: the current one of a key, those of a namespace, every version."""

from collections.abc import Iterator

import msgspec

from muniment.layers import document_rows
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events.documents import DocumentPut
from muniment.model.kinds.document import Namespace, StoredDocument
from muniment.model.struct_copy import copied


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A version over its life: where it was put down, and where it was replaced or taken out."""

    document: StoredDocument
    born: int
    died: int | None


def get(shelves: Shelves, subject: str, namespace: Namespace, key: str) -> StoredDocument | None:
    line = shelves.get(document_rows.SHELF, document_rows.document_id(subject, namespace, key))
    return document(line) if line else None


def within(shelves: Shelves, subject: str, prefix: Namespace) -> list[StoredDocument]:
    """The documents of every namespace that begins with these labels, in the order they came."""
    return _ordered(shelves.under(document_rows.SHELF, document_rows.within(subject, prefix)))


def exactly(shelves: Shelves, subject: str, namespace: Namespace) -> list[StoredDocument]:
    return _ordered(shelves.under(document_rows.SHELF, document_rows.exactly(subject, namespace)))


def newest(shelves: Shelves, subject: str, namespace: Namespace) -> Iterator[StoredDocument]:
    """The documents of a namespace as they were last written, newest first."""
    for line in shelves.under(document_rows.SHELF, document_rows.exactly(subject, namespace)):
        yield document(line)


def past(shelves: Shelves, subject: str, namespace: Namespace, key: str) -> Iterator[Past]:
    """Every version a key ever had, newest first."""
    named = document_rows.document_id(subject, namespace, key)
    seen = 0
    for born, died, line in shelves.ever(document_rows.SHELF, item_id=named):
        if line.seq != seen:  # a document has a row for each label of its namespace
            seen = line.seq
            yield Past(document=document(line), born=born, died=died)


def ever(shelves: Shelves, subject: str, namespace: Namespace, *, deep: bool) -> Iterator[Past]:
    """Every version that ever lay in a namespace, or as well in those inside it, newest first."""
    key = (document_rows.within if deep else document_rows.exactly)(subject, namespace)
    for born, died, line in shelves.ever(document_rows.SHELF, key=key):
        yield Past(document=document(line), born=born, died=died)


def count(shelves: Shelves, subject: str, namespace: Namespace) -> int:
    """How many documents were ever put into a namespace."""
    rows = shelves.ever(document_rows.SHELF, key=document_rows.exactly(subject, namespace))
    line = next((each for _, _, each in rows), None)
    return line.event.n if line and isinstance(line.event, DocumentPut) else 0


def document(line: Line) -> StoredDocument:
    put = line.event
    assert isinstance(put, DocumentPut)
    return copied(StoredDocument, put, seq=line.seq)


def _ordered(lines: Iterator[Line]) -> list[StoredDocument]:
    return sorted((document(line) for line in lines), key=lambda each: each.place)
