"""Append-only columns: many collections share prefixes of the same arrays.

What a collection sees is never written again. One successor may write behind its end (it claims
that place first); whoever comes second copies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval import arrays as np
from muniment.retrieval.index import buffers, int8_vectors, integer_packing, sign_bit_scan

NONE: Final = -1  # no neighbour, no known time

SCALARS: Final[Mapping[str, str]] = {
    "seqs": "i8",
    "moments": "i8",
    "lengths": "u2",  # words that count
    "sessions": "u4",  # 0: none
    "speakers": "u2",  # 0: none
    "flags": "u2",
    "importance": "i4",
    "before": "i4",  # the previous document of the same session
    "norms": "u2",
    "id_ends": "u4",
    "sentence_ends": "u4",
}
NUMBERS: Final = (*SCALARS, "sentence_norms")
VECTORS: Final = ("codes", "sentence_codes")
SIGNS: Final = "signs"  # of the codes: whoever opens an index looks at these first
PARTS: Final = (*NUMBERS, "id_bytes", *VECTORS)
SMALL: Final = (*NUMBERS, "id_bytes", SIGNS)
LENGTH_MAX: Final = 0xFFFF
# Most of what can be recalled is named `ep:` and a UUID: seventeen bytes instead of thirty-nine.
EPISODE_PREFIX: Final = "ep:"
SHORT_ID_MARK: Final = b"\x01"
_UUID: Final = lazy_pattern(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


Integers: TypeAlias = "np.NDArray[np.integer]"
Numbers: TypeAlias = "np.NDArray[np.int64]"


def distinct(numbers: Numbers) -> Numbers:
    """In order, each once. `np.unique` does the same, and loads all of masked arrays for it."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """Who speaks and which sessions there are, each numbered from 1 as it appeared."""

    speakers: tuple[str, ...]
    sessions: tuple[str, ...]


class DocumentRow(Protocol):
    """What a document says of itself."""

    @property
    def id(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def ts(self) -> str: ...
    @property
    def speaker(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def importance_ppm(self) -> int: ...
    @property
    def vectors(self) -> tuple[bytes, ...]: ...


class Columns:
    """So many rows of room, and room for the letters of ids and for sentences."""

    def __init__(self, dims: int, rows: int = 0, letters: int = 0, sentences: int = 0) -> None:
        self.dims = dims
        self.written = 0
        shapes = {name: ((rows,), kind) for name, kind in SCALARS.items()} | {
            "sentence_norms": ((sentences,), "u2"),
            "id_bytes": ((letters,), "u1"),
            "codes": ((rows, dims), "i1"),
            "sentence_codes": ((sentences, dims), "i1"),
        }
        self._arrays = buffers.arrays(shapes)
        self._speakers: dict[str, int] = {"": 0}
        self._sessions: dict[str, int] = {"": 0}
        self._last: dict[int, int] = {}  # of each session, its latest document
        self._claims: dict[int, object] = {}
        self._signs = sign_bit_scan.room(dims, 0), 0  # and of how many rows they are

    def __getitem__(self, name: str) -> Integers:
        return self._arrays[name]

    def claim(self, count: int) -> bool:
        """Whether the caller may write behind the first `count` rows; one caller ever may."""
        token = object()
        return self.written == count and self._claims.setdefault(count, token) is token

    def add(
        self, rows: Sequence[DocumentRow], lengths: Sequence[int], flags: Sequence[int]
    ) -> None:
        """More rows, behind the ones that are there; the caller has claimed the place."""
        start = self.written
        values = {
            "seqs": [row.seq for row in rows],
            "moments": [ids.time_ms(row.ts) if row.ts else NONE for row in rows],
            "lengths": [min(length, LENGTH_MAX) for length in lengths],
            "sessions": [_numbered(self._sessions, row.session) for row in rows],
            "speakers": [_numbered(self._speakers, row.speaker) for row in rows],
            "flags": flags,
            "importance": [row.importance_ppm for row in rows],
        }
        values["before"] = self._befores(start, values["sessions"])
        for name, column in values.items():
            self._append(name, start, np.array(column, SCALARS[name]))
        self._add_ids(start, [pack_id(row.id) for row in rows])
        self._add_vectors(start, [row.vectors for row in rows])
        self.written = start + len(rows)
        self._claims.pop(start, None)

    def codes(self, count: int) -> int8_vectors.Codes:
        return self._arrays["codes"][:count]  # type: ignore[return-value]

    def sentence_codes(self) -> int8_vectors.Codes:
        return self._arrays["sentence_codes"]  # type: ignore[return-value]

    def sentences(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """The rows of these documents' sentences, and for each the place of its document."""
        ends = self["sentence_ends"]
        stops = ends[numbers].astype(np.int64)
        starts = np.where(numbers > 0, ends[numbers - 1], 0).astype(np.int64)
        sizes = stops - starts
        owners = np.repeat(np.arange(len(numbers)), sizes)
        offsets = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.repeat(starts, sizes) + offsets, owners

    def bits(self, count: int) -> sign_bit_scan.Bits:
        """The signs of the first codes, made when first wanted and kept as far as they go."""
        (room, known), stop = self._signs, self.written
        if known < count:
            if room.shape[1] < stop:
                grown = sign_bit_scan.room(self.dims, buffers.roomy(stop))
                grown[:, :known] = room[:, :known]
                room = grown
            sign_bit_scan.of(self.codes(stop)[known:], room[:, known:stop])
            self._signs = room, stop  # both at once: another thread may be looking
        return room[:, :count]

    def ids_of(self, numbers: Numbers) -> list[str]:
        """The ids of some documents."""
        ends, letters = self["id_ends"], self["id_bytes"]
        return [
            unpack_id(letters[ends.item(n - 1) if n else 0 : ends.item(n)].tobytes())
            for n in numbers.tolist()
        ]

    def speakers_of(self, count: int) -> tuple[str, ...]:
        return self._names(self._speakers, "speakers", count)

    def session(self, name: str) -> int | None:
        """The number of a session that some document belongs to."""
        return self._sessions.get(name)

    def sessions_of(self, count: int) -> tuple[str, ...]:
        return self._names(self._sessions, "sessions", count)

    def parts(self, count: int) -> dict[str, Integers]:
        """Every column, as far as the first `count` rows."""
        letters = int(self["id_ends"][count - 1]) if count else 0
        sentences = int(self["sentence_ends"][count - 1]) if count else 0
        cut = {"id_bytes": letters, "sentence_codes": sentences, "sentence_norms": sentences}
        return {name: self[name][: cut.get(name, count)] for name in PARTS}

    def at_rest(self, count: int) -> dict[str, bytes]:
        """Every column as it is kept, in as few bytes as it needs."""
        parts = self.parts(count)
        parts["before"] = _distances(parts["before"])
        kept = {
            name: integer_packing.packed(part) if name in NUMBERS else part.tobytes()
            for name, part in parts.items()
        }
        return kept | {SIGNS: self.bits(count).astype("<u8", copy=False).tobytes()}

    def copied(self, count: int) -> Columns:
        parts = self.parts(count)
        letters, sentences = len(parts["id_bytes"]), len(parts["sentence_norms"])
        made = Columns(self.dims, *map(buffers.roomy, (count, letters, sentences)))
        for name, part in parts.items():
            made[name][: len(part)] = part
        names = Names(speakers=self.speakers_of(count), sessions=self.sessions_of(count))
        made.fill(count, names, self.bits(count).copy())
        return made

    def fill(self, count: int, names: Names, bits: sign_bit_scan.Bits) -> None:
        """So many rows are there now, and these names are what their numbers stand for."""
        self.written = count
        self._signs = bits, count
        self._speakers = {name: n for n, name in enumerate(("", *names.speakers))}
        self._sessions = {name: n for n, name in enumerate(("", *names.sessions))}
        if names.sessions:
            last = np.full(len(self._sessions), NONE, np.int64)
            np.maximum.at(last, self["sessions"][:count], np.arange(count))
            self._last = dict(enumerate(last.tolist()))

    def _names(self, numbered: Mapping[str, int], column: str, count: int) -> tuple[str, ...]:
        """Names are numbered as they appear, so the beginning has the first of them."""
        known = int(self[column][:count].max(initial=0)) + 1
        return tuple(list(numbered)[1:known])

    def _befores(self, start: int, sessions: Sequence[int]) -> list[int]:
        found = []
        for number, session in enumerate(sessions, start=start):
            found.append(self._last.get(session, NONE) if session else NONE)
            self._last[session] = number
        return found

    def _add_ids(self, start: int, names: Sequence[bytes]) -> None:
        used = int(self["id_ends"][start - 1]) if start else 0
        joined = np.frombuffer(b"".join(names), np.uint8)
        self._append("id_bytes", used, joined)
        self._append("id_ends", start, used + np.cumsum([len(name) for name in names]))

    def _add_vectors(self, start: int, vectors: Sequence[tuple[bytes, ...]]) -> None:
        """The whole text's, and its sentences' if there are several: one alone says the same."""
        none = (bytes(self.dims),)
        whole = self._codes_of([(each or none)[0] for each in vectors])
        parts = [each[1:] if len(each) > 2 else () for each in vectors]  # noqa: PLR2004
        sentences = self._codes_of([vector for each in parts for vector in each])
        used = int(self["sentence_ends"][start - 1]) if start else 0
        self._append("codes", start, whole)
        self._append("norms", start, int8_vectors.norms(whole))
        self._append("sentence_codes", used, sentences)
        self._append("sentence_norms", used, int8_vectors.norms(sentences))
        self._append("sentence_ends", start, used + np.cumsum([len(each) for each in parts]))

    def _codes_of(self, vectors: Sequence[bytes]) -> int8_vectors.Codes:
        if any(len(vector) != self.dims for vector in vectors):
            raise InputError(f"a vector of this collection has {self.dims} dimensions")
        codes = int8_vectors.as_codes(b"".join(vectors)).reshape(len(vectors), self.dims)
        if int8_vectors.are_too_long(codes):
            raise InputError("a vector must be quantized first")
        return codes

    def _append(self, name: str, start: int, values: Integers) -> None:
        array, needed = self._arrays[name], start + len(values)
        if needed > len(array) or not array.flags.writeable:
            size = max(needed, buffers.roomy(len(array)))
            grown = np.zeros((size, *array.shape[1:]), array.dtype)
            grown[:start] = array[:start]
            self._arrays[name] = array = grown
        array[start:needed] = values


def _distances(before: Integers) -> Integers:
    """How far back the one before is; 0 where there is none."""
    return np.where(before == NONE, 0, np.arange(len(before)) - before)


def _numbered(known: dict[str, int], name: str) -> int:
    return known.setdefault(name, len(known))


def pack_id(name: str) -> bytes:
    """An id as it is kept; no id begins with the byte that marks a short one."""
    if name.startswith(EPISODE_PREFIX) and _UUID.fullmatch(name, len(EPISODE_PREFIX)):
        return SHORT_ID_MARK + bytes.fromhex(name[len(EPISODE_PREFIX) :].replace("-", ""))
    return name.encode()


def unpack_id(code: bytes) -> str:
    if code[:1] != SHORT_ID_MARK:
        return code.decode()
    text = code.hex()[2:]
    return f"{EPISODE_PREFIX}{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
