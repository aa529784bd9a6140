"""The register: for each document of a collection where it stands, on whose word, and until when.

Like the columns of a collection it only grows, and a reader sees a beginning of it. What ends or
is released later is noted beside it with the entry that did so, so the past can be read as it was.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from muniment.model import ids
from muniment.model.item import Origin
from muniment.retrieval import catalogue, since
from muniment.retrieval.blobs import Blob
from muniment.retrieval.catalogue import LAYERS, ORIGINS, Ended, Offered, Released

ROW: Final = np.dtype(
    [
        ("seq", "<i8"),
        ("name", "<i8"),  # a number for its id
        ("said", "<i8"),  # a number that texts of the same words share
        ("source", "<i8"),  # a number for the source's name; 0: nameless
        ("day", "<i4"),  # since when it holds, in days since 1970
        ("n", "<u2"),
        ("layer", "u1"),
        ("origin", "u1"),
    ]
)
NOTE: Final = np.dtype(
    [("number", "<i8"), ("seq", "<i8"), ("day", "<i4"), ("superseded", "u1"), ("released", "u1")]
)
GROWTH_SHARE: Final = 8
GROWTH_MIN: Final = 64

Rows = NDArray[np.void]
Mask = NDArray[np.bool_]


class Stands(msgspec.Struct, frozen=True):
    """Where one document stands, and on whose word."""

    seq: int  # the entry that offers it
    n: int  # and its place there
    source: int
    layer: str
    origin: str


class Shared:
    """An array that one successor may write behind; whoever comes second copies."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.written = len(rows)
        self._claims: dict[int, object] = {}

    def extended(self, count: int, more: Rows) -> "Shared":
        token = object()
        ours = self.written == count and self._claims.setdefault(count, token) is token
        room = len(self.rows) - count
        kept = self
        if not ours or room < len(more):
            spare = max(GROWTH_MIN, count // GROWTH_SHARE, len(more))
            rows = np.zeros(count + len(more) + spare, dtype=self.rows.dtype)
            rows[:count] = self.rows[:count]
            kept = Shared(rows)
        kept.rows[count : count + len(more)] = more
        kept.written = count + len(more)
        return kept


class Register:
    """The rows of the first `count` documents, and what was noted of them since."""

    def __init__(self, shared: Shared, count: int, notes: Rows) -> None:
        self._shared, self.count = shared, count
        self.notes = notes  # in the order of their entries
        self._of_origin: dict[tuple[Origin, ...], Mask | None] = {}

    @staticmethod
    def empty() -> "Register":
        return Register(Shared(np.zeros(0, ROW)), 0, np.zeros(0, NOTE))

    @staticmethod
    def of(rows: Sequence[Blob], notes: Sequence[Blob]) -> "Register":
        """Of pieces, one behind the other, with room for what will be added."""
        count = sum(map(len, rows)) // ROW.itemsize
        spare = bytes(ROW.itemsize * max(GROWTH_MIN, count // GROWTH_SHARE))
        shared = Shared(np.frombuffer(bytearray().join([*rows, spare]), ROW))
        shared.written = count
        return Register(shared, count, np.frombuffer(b"".join(notes), NOTE))

    @property
    def rows(self) -> Rows:
        return self._shared.rows[: self.count]

    def column(self, name: str) -> NDArray[np.int64]:
        return self.rows[name]

    def extended(
        self, offered: Sequence[Offered], days: Sequence[int], changes: Iterable[Ended | Released]
    ) -> "Register":
        """With more documents, and with what has ended or was released among all of them."""
        rows = np.zeros(len(offered), ROW)
        for place, (each, day) in enumerate(zip(offered, days, strict=True)):
            rows[place] = _row(each, day)
        grown = self.joined(rows, np.zeros(0, NOTE))
        notes = [note for change in changes for note in grown.note(change)]
        if not notes:
            return grown
        return grown.joined(np.zeros(0, ROW), np.array(notes, dtype=NOTE))

    def joined(self, rows: Rows, notes: Rows) -> "Register":
        shared = self._shared.extended(self.count, rows) if len(rows) else self._shared
        told = np.concatenate([self.notes, notes]) if len(notes) else self.notes
        return Register(shared, self.count + len(rows), told)

    def note(self, change: Ended | Released) -> list[tuple[int, int, int, int, int]]:
        number = self.find(change.id, change.layer if isinstance(change, Ended) else "")
        if number is None:
            return []
        if isinstance(change, Released):
            return [(number, change.seq, since.UNKNOWN, 0, 1)]
        return [(number, change.seq, day_of(change.ts), int(change.superseded), 0)]

    def find(self, item_id: str, layer: str = "") -> int | None:
        """The document that has an id; the last one, should it have been offered twice."""
        found = np.flatnonzero(self.column("name") == catalogue.source_number(item_id))
        if layer:
            found = found[self.column("layer")[found] == LAYERS.index(layer)]
        return int(found[-1]) if len(found) else None

    def beginning(self, at: int) -> "Register":
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
        ends = self.notes[self.notes["released"] == 0]
        if valid_at is not None:
            ends = ends[(ends["superseded"] == 0) | (ends["day"] <= valid_at)]
        gone[ends["number"]] = True
        return gone

    def begun(self, day: int) -> Mask:
        """What was so on a day: it had begun by then, or nobody knows when it began."""
        return self.column("day") <= day

    def released(self) -> NDArray[np.int64]:
        numbers: NDArray[np.int64] = self.notes["number"][self.notes["released"] == 1]
        return numbers

    def of_origin(self, origins: tuple[Origin, ...]) -> Mask | None:
        """What has one of these origins; asked with every recall, so it is made once."""
        if origins not in self._of_origin:
            wanted = np.array([each in origins for each in ORIGINS])
            found = wanted[self.column("origin")]
            found.flags.writeable = False
            self._of_origin[origins] = found if found.any() else None
        return self._of_origin[origins]

    def of_layer(self, layers: Sequence[str]) -> Mask:
        wanted = np.array([each in layers for each in LAYERS])
        found: Mask = wanted[self.column("layer")]
        return found

    def corroborated(self, among: Mask, sources: int) -> NDArray[np.int64]:
        """Of these, what so many differently named sources say in the same words."""
        numbers = np.flatnonzero(among & (self.column("source") != 0))
        if not len(numbers):
            return numbers
        pairs = np.stack([self.column("said")[numbers], self.column("source")[numbers]], axis=1)
        distinct = np.unique(pairs, axis=0)
        said, often = np.unique(distinct[:, 0], return_counts=True)
        enough = said[often >= sources]
        return np.flatnonzero(among & np.isin(self.column("said"), enough))

    def stands(self, numbers: NDArray[np.int64]) -> "list[Stands]":
        """Where some documents stand."""
        rows = self.rows
        fields = (
            rows[name][numbers].tolist() for name in ("seq", "n", "source", "layer", "origin")
        )
        return [
            Stands(seq, n, source, LAYERS[layer], ORIGINS[origin])
            for seq, n, source, layer, origin in zip(*fields, strict=True)
        ]

    def origin_of(self, number: int) -> Origin:
        return ORIGINS[int(self.column("origin")[number])]


def day_of(ts: str) -> int:
    return ids.day_number(ts) if ts else since.UNKNOWN


def _row(each: Offered, day: int) -> tuple[int, ...]:
    return (
        each.seq,
        catalogue.source_number(each.id),
        catalogue.said(each.text),
        catalogue.source_number(each.source),
        day,
        each.n,
        LAYERS.index(each.layer),
        ORIGINS.index(each.origin),
    )
