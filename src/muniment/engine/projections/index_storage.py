"""Index storage: segments of one reader's index, sealed under that reader's key.

A piece is sealed in three parts, so that its vectors, which are most of it, are read and decrypted
only where they stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

import msgspec

from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.store import Segment, Store, StoredSegment
from muniment.model.errors import BeingErasedError, InputError, IntegrityError
from muniment.retrieval import arrays as np
from muniment.retrieval.index import buffers, segments
from muniment.retrieval.index.buffers import Blob
from muniment.retrieval.index.segment_join import PendingVectors
from muniment.retrieval.index.segments import DocumentRange, Piece

AT_HAND: Final = 128  # documents of a piece that is joined with others before long
NUMBERS, CODES, SENTENCES = PARTS = "", "\x00codes", "\x00sentences"
HEAD: Final = buffers.blob_head_size(len(PARTS))


class Looked(msgspec.Struct, frozen=True, array_like=True):
    """Of the entries from one to another, those that say something to this reader.

    Without it, whoever opens a memory that is asked more than it is told would read through every
    receipt since the last piece.
    """

    since: int = 0
    upto: int = 0
    telling: tuple[int, ...] = ()
    format: str = segments.FORMAT

    def is_about(self, seq: int) -> bool:
        return self.since <= seq < self.upto


_looked = msgspec.msgpack.Decoder(Looked)


class Sealed:
    """One piece where it lies: each of its parts can be read and opened into a place."""

    def __init__(
        self, kept: StoredSegment, key: bytes, place: Callable[[str], str], table: memoryview
    ) -> None:
        if kept.size < HEAD:
            raise InputError("this is not a piece of an index")
        head = kept.read(0, memoryview(bytearray(HEAD)))
        try:
            parts = dict(zip(PARTS, buffers.blob_places(head, kept.size), strict=True))
        except ValueError:
            raise InputError("a piece of an index has three parts") from None
        self.number, self._kept, self._key, self._place = kept.number, kept, key, place
        self._table = table  # where sealed bytes lie while they are opened
        self._starts = {part: here.start for part, here in parts.items()}
        self.sizes = {part: here.stop - here.start for part, here in parts.items()}

    def opened(self, room: memoryview) -> Piece:
        """With its numbers in a place, and its vectors still to be put in theirs."""
        self._open(NUMBERS, room)
        return segments.from_numbers(room, self._waiting(CODES), self._waiting(SENTENCES))

    def _waiting(self, part: str) -> PendingVectors:
        return PendingVectors(sealing.room_for(self.sizes[part]), partial(self._open, part))

    def _open(self, part: str, room: memoryview) -> None:
        start = self._starts[part]
        if sealing.room_for(self.sizes[part]) != len(room):
            raise IntegrityError("a part of an index has the wrong length")

        def read(at: int, size: int) -> Blob:
            return self._kept.read(start + at, self._table[:size])

        sealing.open_large(self._key, self._place(part), read, room)


class Pieces:
    def __init__(
        self, stream: Stream, store: Store, keyring: sealing.Keyring, *, owner: str, kind: str
    ) -> None:
        self._stream, self._store, self._keyring = stream, store, keyring
        self._owner = owner  # a reference: under whose key they are sealed
        self._kind, self._notes = kind, f"{kind}:looked"
        self._made: tuple[Piece, ...] = ()  # small ones: whoever seals joins them next
        self._useless: tuple[int, ...] = ()  # what does not open: the next one replaces them

    def forget(self) -> None:
        """What is held open may be somebody's who is erased."""
        self._made = ()

    def between(self, start: int, stop: int) -> list[Piece]:
        """The pieces there, all of them at hand: mostly small ones that were made here."""
        known = segments.covering(self._made, DocumentRange(start, stop))
        if start == stop or (known and known[-1].span.stop == stop):
            return known
        with self.since(start) as found:
            return [segments.at_hand(each) for each in found]

    @contextmanager
    def since(self, start: int = 0) -> Iterator[list[Piece]]:
        """The pieces from a document on, opened; their vectors can be had as long as this lasts."""
        with self._store.segments(self._stream.ref, self._kind) as kept:
            wanted = [each for each in kept if segments.first_document(each.number) >= start]
            found = self._opened(wanted)
            self._useless = tuple(each.number for each in wanted if each.number not in found)
            yield [found[each.number] for each in wanted if each.number in found]

    def looked(self) -> Looked:
        """What was noted last of the entries behind the pieces."""
        with self._store.segments(self._stream.ref, self._notes) as kept:
            sealed = [bytes(each.read(0, memoryview(bytearray(each.size)))) for each in kept]
        if not sealed:
            return Looked()
        try:
            told = _looked.decode(sealing.open_blob(self._key(), self._notes, sealed[0]))
        except (IntegrityError, msgspec.MsgspecError):  # damaged
            return Looked()
        return told if told.format == segments.FORMAT else Looked()

    def note(self, looked: Looked) -> None:
        data = sealing.seal_blob(self._key(), self._notes, msgspec.msgpack.encode(looked))
        note = Segment(kind=self._notes, number=0, upto=looked.upto, data=data)
        self._store.put_segment(self._stream.ref, note)

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
        data = buffers.packed_blobs(sealed)
        segment = Segment(kind=self._kind, number=number, upto=piece.upto, data=data)
        gone = {each.span.number for each in replaced} | set(self._useless)
        self._store.put_segment(self._stream.ref, segment, tuple(sorted(gone - {number})))
        self._useless = ()

    def withdraw(self, piece: Piece) -> None:
        """Nothing in its place, which the next one takes."""
        self.forget()
        nothing = Segment(kind=self._kind, number=piece.span.number, upto=piece.upto, data=b"")
        self._store.put_segment(self._stream.ref, nothing)

    def _opened(self, kept: Sequence[StoredSegment]) -> dict[int, Piece]:
        """Those that open, by their numbers."""
        sealed, found = self._sealed(kept), dict[int, Piece]()
        # One place for all: a system gives it out in far less time than many small ones.
        room = np.empty(sum(each.sizes[NUMBERS] for each in sealed), np.uint8).data
        for each in sealed:
            size = sealing.room_for(each.sizes[NUMBERS])
            with suppress(IntegrityError, InputError):  # damaged, or of another version
                found[each.number] = each.opened(room[:size])
            room = room[size:]
        return found

    def _sealed(self, kept: Sequence[StoredSegment]) -> list[Sealed]:
        if not kept:
            return []
        found, key = list[Sealed](), self._key()
        table = np.empty(sealing.READ_BYTES, np.uint8).data
        for each in kept:
            with suppress(InputError):
                found.append(Sealed(each, key, partial(self._place, each.number), table))
        return found

    def _key(self) -> bytes:
        key = self._keyring.key(self._owner)
        if key is None:
            raise BeingErasedError
        return key

    def _place(self, number: int, part: str) -> str:
        return f"{self._kind}\x00{self._stream.ref}\x00{number}{part}"
