"""Document status: log position, authority and end of each indexed document.

Like the columns of a collection it only grows, and a reader sees a beginning of it. What ends or
is released later is noted beside it with the entry that did so, so the past can be read as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec

from muniment.model import ids
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.handles import NONE
from muniment.model.moments import DAY_MS
from muniment.model.text import near_duplicates
from muniment.retrieval import arrays as np
from muniment.retrieval.dates import valid_from
from muniment.retrieval.index import buffers, index_feed, integer_packing
from muniment.retrieval.index.buffers import Blob
from muniment.retrieval.index.columns import distinct
from muniment.retrieval.index.index_changes import Ended, Noted, Revived
from muniment.retrieval.index.index_feed import (
    IN_PARTS,
    KINDS,
    LAYERS,
    ORIGINS,
    VISIBILITIES,
    Offered,
)
from muniment.retrieval.text import source_names

ROW: Final[Mapping[str, str]] = {
    "seq": "i8",
    "name": "i8",  # a number for its id
    "said": "i8",  # a number that texts of the same words share
    "source": "i8",  # a number for the source's name; 0: nameless
    "day": "i4",  # since when it holds, in days since 1970
    "of": "i4",  # the day that it tells of, which may lie ahead
    "until": "i8",  # the moment from which it is not recalled, in milliseconds; 0: none
    "n": "u2",
    "layer": "u1",
    "origin": "u1",
    "kind": "u1",  # of an event of a loop; 0: it is none
    "visibility": "u1",
    "labelled": "u1",  # whether it has handles, which the log holds
    "wishes": "u1",  # whether it only asks to forget something
}
AT_REST: Final = tuple(ROW)[1:]  # whose entry it is, a collection says
NOTE: Final = [
    ("number", "<i8"),
    ("seq", "<i8"),
    ("day", "<i4"),
    ("superseded", "u1"),
    ("what", "u1"),
]
HAS_ENDED, IS_RELEASED, IS_REVIVED = range(3)  # what a note tells

Notes: TypeAlias = "np.NDArray[np.void]"
Rows: TypeAlias = "Mapping[str, np.NDArray[np.integer]]"
Mask: TypeAlias = "np.NDArray[np.bool_]"


class Stands(msgspec.Struct, frozen=True):
    """Where one document stands, and on whose word."""

    seq: int  # the entry that offers it
    n: int  # and its place there
    source: int
    layer: str
    origin: str
    labelled: bool = False


class Shared:
    """Columns that one successor may write behind; whoever comes second copies."""

    def __init__(self, room: int) -> None:
        self.columns = buffers.arrays({name: ((room,), kind) for name, kind in ROW.items()})
        self.room, self.written = room, 0
        self._claims: dict[int, object] = {}

    def extended(self, count: int, more: Rows) -> Shared:
        token, stop = object(), count + len(more["seq"])
        ours = self.written == count and self._claims.setdefault(count, token) is token
        kept = self
        if not ours or self.room < stop:
            kept = Shared(buffers.roomy(stop))
            for name, column in self.columns.items():
                kept.columns[name][:count] = column[:count]
        for name, column in more.items():
            kept.columns[name][count:stop] = column
        kept.written = stop
        return kept


class Register:
    """The rows of the first `count` documents, and what was noted of them since."""

    def __init__(self, shared: Shared, count: int, notes: Notes) -> None:
        self._shared, self.count = shared, count
        self.notes = notes  # in the order of their entries
        self._of_origin: dict[tuple[Origin, ...], Mask | None] = {}
        self._lapsing: bool | None = None
        self._unanswered: Mask | None = None

    @staticmethod
    def empty() -> Register:
        return Register(Shared(0), 0, np.zeros(0, NOTE))

    @staticmethod
    def of(
        seqs: np.NDArray[np.integer], rows: Sequence[Sequence[Blob]], notes: Sequence[Blob]
    ) -> Register:
        """Of pieces, one behind the other, with room for what will be added."""
        shared = Shared(buffers.roomy(len(seqs)))
        shared.columns["seq"][: len(seqs)] = seqs
        for piece in rows:
            start, stop = shared.written, shared.written + integer_packing.length(piece[0])
            for name, column in zip(AT_REST, piece, strict=True):
                integer_packing.fill(column, shared.columns[name][start:stop])
            shared.written = stop
        return Register(shared, len(seqs), np.frombuffer(b"".join(notes), NOTE))

    def at_rest(self, start: int, stop: int) -> list[bytes]:
        """The rows of some documents as they are kept."""
        return [integer_packing.packed(self.column(name)[start:stop]) for name in AT_REST]

    def column(self, name: str) -> np.NDArray[np.integer]:
        return self._shared.columns[name][: self.count]

    def extended(self, offered: Sequence[Offered], changes: Iterable[Noted]) -> Register:
        """With more documents, and with what has ended or was released among all of them."""
        grown = self._with(offered) if offered else self
        notes = [note for change in changes for note in grown.note(change)]
        if not notes:
            return grown
        told = np.concatenate([self.notes, np.array(notes, dtype=NOTE)])
        return Register(grown._shared, grown.count, told)  # noqa: SLF001

    def _with(self, offered: Sequence[Offered]) -> Register:
        rows = list(map(_row, offered))
        columns = zip(*rows, strict=True)
        more = {
            name: np.array(column, ROW[name]) for name, column in zip(ROW, columns, strict=True)
        }
        shared = self._shared.extended(self.count, more)
        return Register(shared, self.count + len(rows), self.notes)

    def note(self, change: Noted) -> list[tuple[int, int, int, int, int]]:
        if isinstance(change, Ended):
            number = self.find(change.id, change.layer, before=change.seq)
            found = [] if number is None else self._parts(number)
            return [self._end(each, change) for each in found]
        what, number = IS_RELEASED, None
        if isinstance(change, Revived):
            what, number = IS_REVIVED, self.find(change.id, change.layer, before=change.content + 1)
        if number is None:
            number = self.find(change.id, before=change.seq)
        found = [] if number is None else self._parts(number)
        return [(each, change.seq, valid_from.UNKNOWN, 0, what) for each in found]

    def _end(self, number: int, change: Ended) -> tuple[int, int, int, int, int]:
        """How something ended; where a revival is undone, as it had ended before."""
        day, kind = day_of(change.ts), int(change.superseded)
        before = self.notes[(self.notes["number"] == number) & (self.notes["seq"] == change.was)]
        if len(before):
            day, kind = int(before[-1]["day"]), int(before[-1]["superseded"])
        return number, change.seq, day, kind, HAS_ENDED

    def _parts(self, number: int) -> list[int]:
        """All parts of a document, of which this is the last: they stand in a row."""
        n = int(self.column("n")[number])
        layer = LAYERS[self.column("layer")[number]]
        return list(range(number - n + 1, number + 1)) if layer in IN_PARTS else [number]

    def find(self, item_id: str, layer: str = "", *, before: int | None = None) -> int | None:
        """The document that has an id; the last one before an entry, should it have had several."""
        names = self.column("name")
        if before is not None:
            names = names[: int(np.searchsorted(self.column("seq"), before))]
        found = np.flatnonzero(names == _source_number(item_id))
        if layer:
            found = found[self.column("layer")[found] == LAYERS.index(layer)]
        return int(found[-1]) if len(found) else None

    def beginning(self, at: int) -> Register:
        """As it stood at an entry."""
        count = int(np.searchsorted(self.column("seq"), at, side="right"))
        notes = self.notes[self.notes["seq"] <= at]
        if count == self.count and len(notes) == len(self.notes):
            return self
        return Register(self._shared, count, notes)

    # ── What may be recalled ────────────────────────────────────────────────────────────────────

    def ended(self, *, valid_at: int | None = None) -> Mask:
        """What has ended; for a day of the past, without what was only replaced after it."""
        gone = np.zeros(self.count, dtype=bool)
        told = self.notes[self.notes["what"] != IS_RELEASED]
        if valid_at is not None:
            told = told[(told["superseded"] == 0) | (told["day"] <= valid_at)]
        gone[told["number"]] = told["what"] == HAS_ENDED  # the last note about each counts
        return gone

    def holding(self, day: int) -> Mask:
        """What was so on a day: begun by then, or nobody knows when, and not over by itself."""
        held: Mask = self.column("day") <= day
        over = self.expired((day + 1) * DAY_MS - 1)
        return held if over is None else held & ~over

    @property
    def lapses(self) -> bool:
        """Whether anything has an end of its own."""
        if self._lapsing is None:
            self._lapsing = bool(self.column("until").any())
        return self._lapsing

    def expired(self, moment_ms: int) -> Mask | None:
        """What had its time by a moment; asked with every recall, and mostly nothing has one."""
        if not self.lapses:
            return None
        until = self.column("until")
        over: Mask = (until != 0) & (until <= moment_ms)
        return over

    def released(self) -> np.NDArray[np.int64]:
        numbers: np.NDArray[np.int64] = self.notes["number"][self.notes["what"] == IS_RELEASED]
        return numbers

    def of_origin(self, origins: tuple[Origin, ...]) -> Mask | None:
        """What has one of these origins; asked with every recall, so it is made once."""
        if origins not in self._of_origin:
            found = _is_one_of(self.column("origin"), ORIGINS, origins)
            found.flags.writeable = False
            self._of_origin[origins] = found if found.any() else None
        return self._of_origin[origins]

    def of_layer(self, layers: Sequence[str]) -> Mask:
        return _is_one_of(self.column("layer"), LAYERS, layers)

    def of_kind(self, kinds: Sequence[str], numbers: np.NDArray[np.int64] | None = None) -> Mask:
        """Which documents, all or these, are of one of these kinds."""
        column = self.column("kind")
        return _is_one_of(column if numbers is None else column[numbers], KINDS, kinds)

    def unanswered(self) -> Mask | None:
        """What is kept and read, and answers nothing; asked with every recall, so made once."""
        if self._unanswered is None:
            self._unanswered = self.column("wishes") > 0
        return self._unanswered if self._unanswered.any() else None

    def of_visibility(self, visibility: str) -> Mask:
        return _is_one_of(self.column("visibility"), VISIBILITIES, (visibility,))

    def corroborated(self, among: Mask, sources: int) -> np.NDArray[np.int64]:
        """Of these, what so many differently named sources say in the same words."""
        numbers = np.flatnonzero(among & (self.column("source") != 0))
        if not len(numbers):
            return numbers
        pairs = np.stack([self.column("said")[numbers], self.column("source")[numbers]], axis=1)
        distinct = np.unique(pairs, axis=0)
        said, often = np.unique(distinct[:, 0], return_counts=True)
        enough = said[often >= sources]
        return np.flatnonzero(among & np.isin(self.column("said"), enough))

    def formulas(
        self, some: np.NDArray[np.int64], times: int, heard: Mask | None = None
    ) -> np.NDArray[np.int64]:
        """All that say word for word what one of these does, if the agent said it so many times.

        Copies count that are heard: nobody learns from an order what others were told.
        """
        own = some[self.column("origin")[some] == ORIGINS.index(Origin.AGENT)]
        said = self.column("said") if heard is None else np.where(heard, self.column("said"), 0)
        copies = [np.flatnonzero(said == words) for words in distinct(said[own]) if words]
        often = [each for each in copies if len(each) >= times]
        return np.concatenate([np.zeros(0, np.int64), *often])

    def stands(self, numbers: np.NDArray[np.int64]) -> list[Stands]:
        """Where some documents stand."""
        fields = (
            self.column(name)[numbers].tolist()
            for name in ("seq", "n", "source", "layer", "origin", "labelled")
        )
        return [
            Stands(seq, n, source, LAYERS[layer], ORIGINS[origin], bool(labelled))
            for seq, n, source, layer, origin, labelled in zip(*fields, strict=True)
        ]

    def origin_of(self, number: int) -> Origin:
        return ORIGINS[int(self.column("origin")[number])]


def _is_one_of(column: np.NDArray[np.integer], names: Sequence[str], wanted: Sequence[str]) -> Mask:
    """Where a column has the number of a wanted name; to compare with few is the fastest way."""
    found = np.zeros(len(column), dtype=bool)
    for number, name in enumerate(names):
        if name in wanted:
            found |= column == number
    return found


def day_of(ts: str) -> int:
    return ids.day_number(ts) if ts else valid_from.UNKNOWN


def _row(each: Offered) -> tuple[int, ...]:
    return (
        each.seq,
        _source_number(each.id),
        index_feed.text_hash(near_duplicates.spoken_by(each.speaker, each.text)),
        _source_number(each.source or source_names.canonical_name(each.handles.source)),
        *each.days,
        ids.time_ms(each.handles.expires) if each.handles.expires else 0,
        each.n,
        LAYERS.index(each.layer),
        ORIGINS.index(each.origin),
        KINDS.index(each.kind),
        VISIBILITIES.index(each.visibility),
        each.handles != NONE,
        each.only_wishes,
    )


def _source_number(source: str) -> int:
    """A number for a source's name; nameless ones have none."""
    digest = blake2b(source.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1 if source else 0
