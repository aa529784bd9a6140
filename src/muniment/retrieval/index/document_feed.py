"""Index feed of documents: what log entries add to namespaces, and what they end."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from muniment.layers import document_rows
from muniment.log import chain
from muniment.log.entry import Entry, Line
from muniment.model import canonical_json
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.document import Namespace, counted_key
from muniment.model.kinds.episode import Origin
from muniment.retrieval.index import index_changes
from muniment.retrieval.index.index_changes import Ended
from muniment.retrieval.index.index_feed import (
    Change,
    Offered,
    ReaderScope,
    without,
)
from muniment.retrieval.text import speaker_prefix, text_parts
from muniment.retrieval.text.document_text import SPEAKER, document_text

TELLING: Final = frozenset({"document_put", "documents_dropped", "records_revived"})
TALKS: Final = ("session", "session_id", "run_id")  # by which of them a value says its talk


class DocumentFeed:
    """Reads entries in their order; only those about documents are opened at all."""

    def __init__(self, sight: ReaderScope) -> None:
        self._sight = sight

    def changes(self, entry: Entry, held: int = 0) -> Iterator[Change]:
        """What an entry puts down and takes out, without the first so many that it puts down."""
        header = chain.header_of(entry)
        if header.type in TELLING and self._sight.covers(header):
            yield from without(held, _told(self._sight.opened(entry)))


def namespace_of(name: str) -> tuple[str, Namespace]:
    """Whose document it is that an index knows by this name, and in which namespace it lies."""
    subject, labels, _ = msgspec.json.decode(name)
    return subject, tuple(labels)


def _told(line: Line) -> Iterator[Change]:
    match line.event:
        case DocumentPut() as put:
            if put.version > 1:
                yield from _ended(line, superseded=True)
            yield from _document(line, put)
        case DocumentsDropped():
            yield from _ended(line, superseded=False)
        case RecordsRevived():
            yield from index_changes.revived(line, {document_rows.SHELF: document_rows.SHELF})
        case _:
            return  # erased


def _ended(line: Line, *, superseded: bool) -> Iterator[Ended]:
    for shelf, name in document_rows.ended(line):
        ts = line.header.ts
        yield Ended(id=name, seq=line.seq, ts=ts, superseded=superseded, layer=shelf)


def _document(line: Line, put: DocumentPut) -> Iterator[Offered]:
    """A document, in parts where it is long."""
    value, added = canonical_json.release(put.value), put.key == counted_key(put.n)
    text = document_text(put.value)
    whole = Offered(
        id=document_rows.document_id(put.subject, put.namespace, put.key),
        seq=line.seq,
        n=1,
        layer=document_rows.SHELF,
        text=text,
        ts=put.updated_at or line.header.ts,
        origin=Origin.AGENT,
        # What was added together was said together, one behind the other.
        session=_said_in(value, TALKS) or (str(line.header.cause) if added else ""),
        speaker=_said_in(value, (SPEAKER,)) or (speaker_prefix.speaker_of(text) if added else ""),
        source=document_rows.within(put.subject, put.namespace),
    )
    for n, part in enumerate(text_parts.parts(text), start=1):
        yield msgspec.structs.replace(whole, n=n, text=part)


def _said_in(value: object, keys: Sequence[str]) -> str:
    """What a value says under the first of these keys that it has a text under."""
    told = (value.get(key) for key in keys) if isinstance(value, dict) else ()
    return next((each for each in told if each and isinstance(each, str)), "")
