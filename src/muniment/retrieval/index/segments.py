"""Index segments: an index cut at fixed numbers of documents, whoever wrote them and when.

Where the cuts are follows from the number of documents alone, and a segment holds nothing but
what the log said up to its last document. So the same log always has the same segments, byte for
byte, and writing costs each document a few copies over its whole life. Behind them there may be
the beginning of the next one, from a process that has ended.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.errors import InputError, IntegrityError
from muniment.retrieval.index import buffers, segment_join
from muniment.retrieval.index.buffers import Blob
from muniment.retrieval.index.collection import AtRest, Collection
from muniment.retrieval.index.document_status import Register
from muniment.retrieval.index.segment_join import PendingVectors

FORMAT: Final = "index-35"
BLOCK: Final = 32  # documents of the smallest segment: what a reader may have to read again
FAN: Final = 4  # so many of one size become one of the next: whoever opens them finds few
LEVELS: Final = 16


class DocumentRange(msgspec.Struct, frozen=True, order=True):
    """The documents from one number up to another."""

    start: int
    stop: int

    @property
    def number(self) -> int:
        """The segment's number in its store: its place, and its size."""
        level = 0
        while BLOCK * FAN**level < self.stop - self.start:
            level += 1
        return self.start // BLOCK * LEVELS + level


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    start: int
    count: int
    upto: int
    is_whole: bool


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One segment, opened; its vectors wait for their place."""

    start: int
    count: int
    upto: int  # the seq of its last document
    is_whole: bool  # whether that entry offers nothing more
    rows: tuple[Blob, ...]
    notes: Blob
    collection: AtRest

    @property
    def span(self) -> DocumentRange:
        return DocumentRange(self.start, self.start + self.count)


_heads = msgspec.msgpack.Decoder(_Head)


def cuts(count: int) -> list[DocumentRange]:
    """How so many documents are cut: the largest whole segments first."""
    found: list[DocumentRange] = []
    start, left = 0, count // BLOCK
    for level in range(LEVELS - 1, -1, -1):
        size = FAN**level
        for _ in range(left // size):
            found.append(DocumentRange(start, start + size * BLOCK))
            start += size * BLOCK
        left %= size
    return found


def begun(count: int) -> DocumentRange:
    """The last documents, which are too few for a segment: whole, it takes their place."""
    return DocumentRange(count - count % BLOCK, count)


def encode(register: Register, span: DocumentRange, parts: Sequence[AtRest]) -> Piece:
    """The piece of an index that holds these documents, which `parts` hold alone, in order."""
    seqs = register.column("seq")
    upto = int(seqs[span.stop - 1])
    after = int(seqs[span.start - 1]) if span.start else 0
    notes = register.notes[(register.notes["seq"] > after) & (register.notes["seq"] <= upto)]
    return Piece(
        start=span.start,
        count=span.stop - span.start,
        upto=upto,
        # A register has entries as a whole: nothing of the last one can be missing from it.
        is_whole=span.stop == register.count or int(seqs[span.stop]) > upto,
        rows=tuple(register.at_rest(span.start, span.stop)),
        notes=notes.tobytes(),
        collection=parts[0] if len(parts) == 1 else Collection.read(parts).at_rest(),
    )


def numbers(piece: Piece) -> bytes:
    """All of it but the vectors."""
    head = _Head(
        format=FORMAT,
        start=piece.start,
        count=piece.count,
        upto=piece.upto,
        is_whole=piece.is_whole,
    )
    parts = (piece.collection.numbers, piece.notes, *piece.rows)
    return buffers.packed_blobs([msgspec.msgpack.encode(head), *parts])


def from_numbers(data: Blob, codes: PendingVectors, sentence_codes: PendingVectors) -> Piece:
    """The same again, with the vectors wherever they are."""
    head, *parts = buffers.unpacked_blobs(data)
    try:
        told = _heads.decode(head)
        collection, notes, *rows = parts
    except (msgspec.MsgspecError, ValueError):
        raise IntegrityError("a segment does not hold a piece of an index") from None
    if told.format != FORMAT:
        raise InputError("this piece of an index was written by another version")
    return Piece(
        start=told.start,
        count=told.count,
        upto=told.upto,
        is_whole=told.is_whole,
        rows=tuple(rows),
        notes=notes,
        collection=AtRest(numbers=collection, codes=codes, sentence_codes=sentence_codes),
    )


def at_hand(piece: Piece) -> Piece:
    """With its vectors in a place of their own."""
    kept = piece.collection
    codes, sentence_codes = map(segment_join.at_hand, (kept.codes, kept.sentence_codes))
    held = AtRest(numbers=kept.numbers, codes=codes, sentence_codes=sentence_codes)
    return msgspec.structs.replace(piece, collection=held)


def first_document(number: int) -> int:
    """The first document of the segment that has a number."""
    return number // LEVELS * BLOCK


def covering(pieces: Sequence[Piece], span: DocumentRange | None = None) -> list[Piece]:
    """Of pieces that may overlap, those that cover a span from its beginning without a gap."""
    largest: dict[int, Piece] = {}
    for piece in pieces:
        known = largest.get(piece.start)
        inside = span is None or piece.span.stop <= span.stop
        if inside and (known is None or known.count < piece.count):
            largest[piece.start] = piece
    found: list[Piece] = []
    at = span.start if span else 0
    while at in largest:
        found.append(largest[at])
        at += largest[at].count
    return found
