"""The pieces of one reader's index as the store keeps them: sealed under that reader's key.

A piece is sealed in three parts, so that its vectors, which are most of it, are decrypted only
where they stay.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.store import Segment, Store
from muniment.model.errors import InputError, IntegrityError
from muniment.retrieval import blobs, segments
from muniment.retrieval.blobs import Blob
from muniment.retrieval.segments import Piece, Span

AT_HAND: Final = 128  # documents of a piece that is joined with others before long
NUMBERS, CODES, SENTENCES = "", "\x00codes", "\x00sentences"


class Pieces:
    def __init__(
        self, stream: Stream, store: Store, keyring: sealing.Keyring, *, owner: str, kind: str
    ) -> None:
        self._stream, self._store, self._keyring = stream, store, keyring
        self._owner = owner  # a reference: under whose key they are sealed
        self._kind = kind
        self._made: tuple[Piece, ...] = ()  # small ones: whoever seals joins them next
        self._useless: tuple[int, ...] = ()  # what does not open: the next one replaces them

    def forget(self) -> None:
        """What is held open may be somebody's who is erased."""
        self._made = ()

    def between(self, start: int, stop: int) -> list[Piece]:
        """The pieces there: mostly small ones that were made here."""
        known = segments.covering(self._made, Span(start, stop))
        if start == stop or (known and known[-1].span.stop == stop):
            return known
        return self.since(start)

    def since(self, start: int = 0) -> list[Piece]:
        """The pieces from a document on, opened."""
        self._useless = ()
        kept = self._store.segments(self._stream.ref, self._kind)
        kept = [each for each in kept if segments.first_document(each.number) >= start]
        sealed = {each.number: parts for each in kept if (parts := self._parts(each))}
        sizes = [sealing.room_for(numbers) for numbers, *_ in sealed.values()]
        # One place for all: a system gives it out in far less time than many small ones.
        room, found = np.empty(sum(sizes), np.uint8).data, list[Piece]()
        for (number, parts), size in zip(sealed.items(), sizes, strict=True):
            try:
                found.append(self._opened(number, parts, room[:size]))
            except (IntegrityError, InputError):  # damaged, or of another version
                self._useless += (number,)
            room = room[size:]
        return found

    def put(self, piece: Piece, replaced: Sequence[Piece]) -> None:
        span, number = piece.span, piece.span.number
        outside = [each for each in self._made if not span.start <= each.start < span.stop]
        self._made = tuple(each for each in [*outside, piece] if each.count <= AT_HAND)
        kept = piece.collection
        assert isinstance(kept.codes, bytes)
        assert isinstance(kept.sentence_codes, bytes)
        parts = {NUMBERS: segments.numbers(piece), CODES: kept.codes}
        parts[SENTENCES] = kept.sentence_codes
        key = self._key()
        sealed = [
            sealing.seal_blob(key, self._place(number, part), data) for part, data in parts.items()
        ]
        data = blobs.packed(sealed)
        segment = Segment(kind=self._kind, number=number, upto=piece.upto, data=data)
        gone = {each.span.number for each in replaced} | set(self._useless)
        self._store.put_segment(self._stream.ref, segment, tuple(sorted(gone - {number})))
        self._useless = ()

    def _parts(self, segment: Segment) -> list[memoryview]:
        try:
            numbers, codes, sentence_codes = blobs.unpacked(segment.data)
        except (InputError, ValueError):
            self._useless += (segment.number,)
            return []
        return [numbers, codes, sentence_codes]

    def _opened(self, number: int, parts: Sequence[Blob], room: memoryview) -> Piece:
        numbers, codes, sentence_codes = parts
        self._open(number, NUMBERS, numbers, room)
        return segments.from_numbers(
            room,
            partial(self._open, number, CODES, codes),
            partial(self._open, number, SENTENCES, sentence_codes),
        )

    def _open(self, number: int, part: str, sealed: Blob, room: memoryview) -> None:
        if sealing.room_for(sealed) != len(room):
            raise IntegrityError("a part of an index is not as long as its piece says")
        sealing.open_large(self._key(), self._place(number, part), sealed, room)

    def _key(self) -> bytes:
        key = self._keyring.key(self._owner)
        if key is None:
            raise IntegrityError("an index is read for somebody whose key is destroyed")
        return key

    def _place(self, number: int, part: str) -> str:
        return f"{self._kind}\x00{self._stream.ref}\x00{number}{part}"
