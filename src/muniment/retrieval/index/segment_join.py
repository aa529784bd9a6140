"""Segment merge: index segments from disk, read one after another into one buffer.

Nothing is made twice on the way: numbers are widened, and vectors decrypted, where they stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from muniment.retrieval import arrays as np
from muniment.retrieval.index import buffers, integer_packing, sign_bit_scan
from muniment.retrieval.index.buffers import Blob
from muniment.retrieval.index.columns import NONE, SCALARS, SIGNS, Columns, Integers, Names


class PendingVectors(msgspec.Struct, frozen=True):
    """Vectors that are elsewhere yet: how many bytes they take, and what puts them in a place."""

    size: int
    put: Callable[[memoryview], object]


class SegmentPart(msgspec.Struct, frozen=True, kw_only=True):
    """One piece: its columns, and the vectors of its texts and sentences."""

    count: int
    names: Names
    columns: Mapping[str, Blob]
    codes: bytes | PendingVectors
    sentence_codes: bytes | PendingVectors

    @property
    def letters(self) -> int:
        return len(self.columns["id_bytes"])

    @property
    def sentences(self) -> int:
        return integer_packing.length(self.columns["sentence_norms"])


class _Joined:
    """How far the pieces so far have come: names, and where each counter stands."""

    def __init__(self, whole: Columns, bits: sign_bit_scan.Bits) -> None:
        self._whole, self._bits = whole, bits
        self.speakers = {"": 0}
        self.sessions = {"": 0}
        self.count = 0
        self._last: dict[int, int] = {}  # of each session, its latest document
        self._letters = 0
        self._sentences = 0

    def add(self, part: SegmentPart) -> None:
        rows, sentences = self._rooms(self.count, part.count), part.sentences
        for name in SCALARS:
            integer_packing.fill(part.columns[name], rows(name))
        self._number(rows, part.names)
        self._ends(rows("id_ends"), self._letters)
        self._ends(rows("sentence_ends"), self._sentences)
        letters = self._rooms(self._letters, part.letters)("id_bytes")
        letters[:] = np.frombuffer(part.columns["id_bytes"], np.uint8)
        theirs = self._rooms(self._sentences, sentences)
        integer_packing.fill(part.columns["sentence_norms"], theirs("sentence_norms"))
        _put(part.codes, rows("codes"))
        if sentences:
            _put(part.sentence_codes, theirs("sentence_codes"))
        sign_bit_scan.read(part.columns[SIGNS], self._bits[:, self.count : self.count + part.count])
        self.count += part.count
        self._letters += part.letters
        self._sentences += sentences

    def _rooms(self, start: int, count: int) -> Callable[[str], Integers]:
        return lambda name: self._whole[name][start : start + count]

    def _ends(self, ends: Integers, before: int) -> None:
        if before:
            np.add(ends, ends.dtype.type(before), out=ends)

    def _number(self, rows: Callable[[str], Integers], names: Names) -> None:
        """As if the names of all pieces had been counted together."""
        speakers = _renumbered(self.speakers, names.speakers)
        sessions = _renumbered(self.sessions, names.sessions)
        if len(speakers) > 1:
            rows("speakers")[:] = speakers[rows("speakers")]
        if len(sessions) > 1:
            rows("sessions")[:] = sessions[rows("sessions")]
            self._before(rows("before"), rows("sessions"))
        else:
            rows("before").fill(NONE)

    def _before(self, before: Integers, sessions: Integers) -> None:
        """Where the one before stands, not how far back; a session goes on from earlier pieces."""
        places = np.arange(self.count, self.count + len(before), dtype=before.dtype)
        before[:] = np.where(before == 0, NONE, places - before)
        first = np.unique(sessions, return_index=True)
        for session, place in zip(*map(np.ndarray.tolist, first), strict=True):
            if session:
                before[place] = self._last.get(session, NONE)
        last = np.unique(sessions[::-1], return_index=True)
        for session, place in zip(*map(np.ndarray.tolist, last), strict=True):
            self._last[session] = self.count + len(sessions) - 1 - place


def columns(dims: int, parts: Sequence[SegmentPart]) -> Columns:
    """All rows of each, one behind the other."""
    count, letters = sum(part.count for part in parts), sum(part.letters for part in parts)
    sentences = sum(part.sentences for part in parts)
    whole = Columns(dims, *map(buffers.roomy, (count, letters, sentences)))
    bits = sign_bit_scan.room(dims, buffers.roomy(count))
    joined = _Joined(whole, bits)
    for part in parts:
        joined.add(part)
    names = Names(speakers=tuple(joined.speakers)[1:], sessions=tuple(joined.sessions)[1:])
    whole.fill(count, names, bits)
    return whole


def _put(vectors: bytes | PendingVectors, room: Integers) -> None:
    place = room.reshape(-1).view(np.uint8).data
    if isinstance(vectors, bytes):
        place[:] = vectors
    else:
        vectors.put(place)


def at_hand(vectors: bytes | PendingVectors) -> bytes:
    """The same in a place of their own."""
    if isinstance(vectors, bytes):
        return vectors
    room = bytearray(vectors.size)
    vectors.put(memoryview(room))
    return bytes(room)


def _renumbered(known: dict[str, int], names: Sequence[str]) -> np.NDArray[np.int64]:
    """For each number that a name has in one piece, the number it has in all of them."""
    numbers = [known.setdefault(name, len(known)) for name in names]
    return np.array([0, *numbers], dtype=np.int64)
