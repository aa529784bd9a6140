"""Document rows: shelf rows of documents, and the names by which they are found."""

from collections.abc import Iterator

import msgspec

from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.errors import UNREADABLE, InputError
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.kinds.document import Namespace

SHELF = "documents"
Row = tuple[str, str, str]


def document_id(subject: str, namespace: Namespace, key: str) -> str:
    """Two people may call their documents alike."""
    return canonical_json.encode([subject, list(namespace), key]).decode()


def is_document(item_id: str) -> bool:
    """Whether an id is spelled as one of a document."""
    return item_id.startswith("[")


def named(item_id: str) -> tuple[str, Namespace, str]:
    """Whose document an id names, in which namespace, under which key."""
    try:
        subject, labels, key = msgspec.json.decode(item_id, type=tuple[str, tuple[str, ...], str])
    except UNREADABLE:
        raise InputError("this is not the id of a document") from None
    return subject, labels, key


def within(subject: str, prefix: Namespace) -> str:
    """Under which every document is found whose namespace begins with these labels."""
    return canonical_json.encode([subject, list(prefix), "…"]).decode()


def exactly(subject: str, namespace: Namespace) -> str:
    """Under which the documents of this very namespace are found."""
    return canonical_json.encode([subject, list(namespace), "."]).decode()


def opened(line: Line) -> Iterator[Row]:
    """A row for the namespace itself, and one for each namespace around it."""
    put = line.event
    if not isinstance(put, DocumentPut):
        return
    named = document_id(put.subject, put.namespace, put.key)
    yield SHELF, named, exactly(put.subject, put.namespace)
    for depth in range(len(put.namespace) + 1):
        yield SHELF, named, within(put.subject, put.namespace[:depth])


def ended(line: Line) -> Iterator[tuple[str, str]]:
    match line.event:
        case DocumentPut() as put:
            yield SHELF, document_id(put.subject, put.namespace, put.key)
        case DocumentsDropped() as dropped:
            for key in dropped.keys:
                yield SHELF, document_id(dropped.subject, dropped.namespace, key)
        case _:
            return
