"""How an index is cut into segments: at fixed numbers of documents, whoever wrote them and when.

Where the cuts are follows from the number of documents alone, and a segment holds nothing but
what the log said up to its last document. So the same log always has the same segments, byte for
byte, and writing costs each document a few copies over its whole life.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.errors import InputError, IntegrityError
from muniment.retrieval import blobs
from muniment.retrieval.blobs import Blob
from muniment.retrieval.collection import Collection
from muniment.retrieval.register import Register

FORMAT: Final = "index-6"
BLOCK: Final = 64  # documents of the smallest segment: what a reader may have to read again
FAN: Final = 8  # so many of one size become one of the next
LEVELS: Final = 16


class Span(msgspec.Struct, frozen=True, order=True):
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


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One segment, opened."""

    start: int
    count: int
    upto: int  # the seq of its last document
    rows: Blob
    notes: Blob
    collection: Blob

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + self.count)


_heads = msgspec.msgpack.Decoder(_Head)


def cuts(count: int) -> list[Span]:
    """How so many documents are cut: the largest whole segments first."""
    found: list[Span] = []
    start, left = 0, count // BLOCK
    for level in range(LEVELS - 1, -1, -1):
        size = FAN**level
        for _ in range(left // size):
            found.append(Span(start, start + size * BLOCK))
            start += size * BLOCK
        left %= size
    return found


def encode(register: Register, span: Span, collection: Collection) -> Piece:
    """The piece of an index that holds these documents, which `collection` holds alone."""
    rows = register.rows[span.start : span.stop]
    upto = int(rows["seq"][-1])
    after = int(register.rows["seq"][span.start - 1]) if span.start else 0
    notes = register.notes[(register.notes["seq"] > after) & (register.notes["seq"] <= upto)]
    return Piece(
        start=span.start,
        count=span.stop - span.start,
        upto=upto,
        rows=rows.tobytes(),
        notes=notes.tobytes(),
        collection=collection.to_bytes(),
    )


def to_bytes(piece: Piece) -> bytes:
    head = _Head(format=FORMAT, start=piece.start, count=piece.count, upto=piece.upto)
    parts = (piece.rows, piece.notes, piece.collection)
    return blobs.packed([msgspec.msgpack.encode(head), *parts])


def from_bytes(data: bytes) -> Piece:
    head, *parts = blobs.unpacked(data)
    try:
        told = _heads.decode(head)
        rows, notes, collection = parts
    except (msgspec.MsgspecError, ValueError):
        raise IntegrityError("a segment does not hold a piece of an index") from None
    if told.format != FORMAT:
        raise InputError("this piece of an index was written by another version")
    return Piece(
        start=told.start,
        count=told.count,
        upto=told.upto,
        rows=rows,
        notes=notes,
        collection=collection,
    )


def first_document(number: int) -> int:
    """The first document of the segment that has a number."""
    return number // LEVELS * BLOCK


def covering(pieces: Sequence[Piece], span: Span | None = None) -> list[Piece]:
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
