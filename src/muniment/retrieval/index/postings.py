"""Postings (inverted index): documents that contain a word, and term frequency, in runs.

Most of it lies in one immutable run; what came since waits in a small tail that is merged when it
has grown. A collection that sees only the beginning cuts every list at its own end, so the past
never learns of what came later.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from muniment.model.errors import InputError
from muniment.retrieval import arrays as np
from muniment.retrieval.index import integer_packing
from muniment.retrieval.index.buffers import Blob

TIMES_MAX: Final = 255  # a byte; nobody says a word more often and means it
TAIL_MIN: Final = 1024  # documents before a tail is worth merging
APART_FROM: Final = 1 << 13  # documents of a piece that stays a run of its own
TOGETHER: Final = 1 << 14  # documents that are one run all the same: every word asks each run
TAIL_SHARE: Final = 16  # of the whole: each document is copied about so often in all

RUN_PARTS: Final = 5
FEW: Final = 1 << 16  # documents whose numbers take two bytes

Keys: TypeAlias = "np.NDArray[np.uint64]"
Found: TypeAlias = "tuple[np.NDArray[np.uint32], np.NDArray[np.uint8]]"


class SortedPostings:
    """Sorted words, and for each the sorted numbers of its documents."""

    __slots__ = ("documents", "keys", "starts", "times")

    def __init__(
        self,
        keys: Keys,
        starts: np.NDArray[np.uint32],
        documents: np.NDArray[np.unsignedinteger],  # two bytes each where they have come from rest
        times: np.NDArray[np.uint8],
    ) -> None:
        self.keys, self.starts, self.documents, self.times = keys, starts, documents, times

    @classmethod
    def sorted(
        cls, keys: Keys, documents: np.NDArray[np.uint32], times: np.NDArray[np.uint8]
    ) -> SortedPostings:
        """From pairs in order of their documents."""
        order = np.argsort(keys, kind="stable")
        keys, documents, times = keys[order], documents[order], times[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = keys[1:] != keys[:-1]
        starts = np.append(np.flatnonzero(first), len(keys)).astype(np.uint32)
        return cls(keys[first], starts, documents, times)

    def of(self, keys: Sequence[int]) -> list[slice]:
        """Where the documents of each word stand."""
        places = self.keys.searchsorted(np.array(keys, np.uint64)).tolist()
        return list(map(self._slice, keys, places))

    def _slice(self, key: int, place: int) -> slice:
        if place == len(self.keys) or self.keys.item(place) != key:
            return slice(0, 0)
        return slice(self.starts.item(place), self.starts.item(place + 1))

    def known(self, keys: Keys) -> Keys:
        """Those of the words that it has."""
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        return keys[self.keys[places] == keys] if len(self.keys) else keys[:0]

    def pairs(self) -> Keys:
        """The word of each posting."""
        return np.repeat(self.keys, np.diff(self.starts))

    def behind(self, start: int, here: slice = slice(None)) -> Found:
        """Some of its postings, numbered from a document on."""
        documents = self.documents[here].astype(np.uint32, copy=False)
        return documents + np.uint32(start) if start else documents, self.times[here]

    def at_rest(self, count: int) -> list[bytes]:
        """As it is kept with its `count` documents: most words are said once in each."""
        often = np.flatnonzero(self.times != 1)
        return [
            self.keys.astype("<u8").tobytes(),
            integer_packing.packed(self.starts),
            self.documents.astype(_numbers(count)).tobytes(),
            integer_packing.packed(often),
            self.times[often].tobytes(),
        ]

    @classmethod
    def read(cls, count: int, blobs: Sequence[Blob]) -> SortedPostings:
        if len(blobs) != RUN_PARTS:
            raise InputError("these are not the words of a collection")
        keys, starts, documents, often, times = blobs
        numbers = np.frombuffer(documents, _numbers(count))
        all_times = np.ones(len(numbers), np.uint8)
        all_times[integer_packing.unpacked(often, "i8")] = np.frombuffer(times, np.uint8)
        return cls(
            np.frombuffer(keys, "<u8").astype(np.uint64, copy=False),
            integer_packing.unpacked(starts, "u4").astype(np.uint32, copy=False),
            numbers,
            all_times,
        )


Tail = dict[int, tuple["array[int]", bytearray]]
Runs = tuple[tuple[int, SortedPostings], ...]  # each with the number of its first document


@cache
def _empty() -> SortedPostings:
    return SortedPostings(
        np.empty(0, np.uint64),
        np.zeros(1, np.uint32),
        np.empty(0, np.uint32),
        np.empty(0, np.uint8),
    )


class Postings:
    """Runs one behind the other, and a tail of what came after; both are only ever added to."""

    __slots__ = ("run_count", "runs", "tail")

    def __init__(self, runs: Runs = (), run_count: int = 0, tail: Tail | None = None) -> None:
        self.runs, self.run_count = runs, run_count
        self.tail: Tail = {} if tail is None else tail

    @property
    def run(self) -> SortedPostings:
        """Of merged postings all there is, in one run."""
        return self.runs[0][1] if self.runs else _empty()

    def add(self, first: int, counted: Sequence[Mapping[int, int]]) -> None:
        """Into the tail, in the order of documents. Only the one who has claimed it may do so."""
        for number, words in enumerate(counted, start=first):
            for key, times in words.items():
                documents, often = self.tail.setdefault(key, (array("I"), bytearray()))
                often.append(min(times, TIMES_MAX))
                documents.append(number)

    def behind(self, count: int, counted: Sequence[Mapping[int, int]]) -> Postings:
        """With many documents more, which are a run of their own; small runs join their neighbours.

        Each run is at least twice as long as all that follow it, so there are few of them.
        """
        runs = [*self.runs]
        if self.tail and count > self.run_count:
            runs.append((self.run_count, self._tail_run(count)))
        runs.append((count, run_of(counted)))
        stop = count + len(counted)
        while len(runs) > 1 and runs[-1][0] - runs[-2][0] < 2 * (stop - runs[-1][0]):
            runs[-2:] = [_one(runs[-2:])]
        return Postings(tuple(runs), stop)

    def _tail_run(self, count: int) -> SortedPostings:
        """What came after the runs, numbered from their end on."""
        keys: list[Keys] = []
        parts: list[Found] = []
        for key in list(self.tail):
            for documents, times in self._later(key, count):
                parts.append((documents - np.uint32(self.run_count), times))
                keys.append(np.full(len(documents), key, dtype=np.uint64))
        documents, times = _joined(parts)
        return SortedPostings.sorted(
            np.concatenate([np.empty(0, np.uint64), *keys]), documents, times
        )

    def merged(self, count: int) -> Postings:
        """All of it in one run, as far as the first `count` documents."""
        if count < self.run_count or self.tail or len(self.runs) > 1:
            return Postings(((0, self._merge(count)),), count)
        return self

    def apart(self, count: int) -> Postings:
        """The same with a tail of its own, for a successor that came second."""
        whole = self.merged(count)
        return Postings(whole.runs, whole.run_count)

    def find(self, keys: Sequence[int], count: int) -> list[Found]:
        """Of each word the documents below `count` that hold it, and how often each does."""
        found: list[list[Found]] = [[] for _ in keys]
        for start, run in self.runs:
            for parts, here in zip(found, run.of(keys), strict=True):
                if here.start != here.stop:
                    parts.append(run.behind(start, here))
        if count < self.run_count:
            return [_below(count, *_joined(parts)) for parts in found]
        if self.tail:
            for parts, key in zip(found, keys, strict=True):
                parts.extend(self._later(key, count))
        return [_joined(parts) for parts in found]

    def known(self, keys: Sequence[int]) -> list[int]:
        """Those of the words that any document holds, below a count or not."""
        asked = np.array(keys, np.uint64)
        found = {key for _, run in self.runs for key in run.known(asked).tolist()}
        return [key for key in keys if key in found or key in self.tail]

    def _later(self, key: int, count: int) -> list[Found]:
        """What the tail holds of a word."""
        if key not in self.tail:
            return []
        later, often = self.tail[key]
        cut = len(often)  # appended first to `often`, so this many are whole
        documents = np.array(later[:cut], dtype=np.uint32)
        keep = int(np.searchsorted(documents, count))
        return [(documents[:keep], np.array(often[:keep], dtype=np.uint8))]

    def _merge(self, count: int) -> SortedPostings:
        keys = [run.pairs() for _, run in self.runs]
        parts = [run.behind(start) for start, run in self.runs]
        if count < self.run_count:
            kept = [documents < count for documents, _ in parts]
            keys = [each[mask] for each, mask in zip(keys, kept, strict=True)]
            parts = [(d[mask], t[mask]) for (d, t), mask in zip(parts, kept, strict=True)]
        for key in list(self.tail):
            parts += self._later(key, count)
            keys.append(np.full(len(parts[-1][0]), key, dtype=np.uint64))
        documents, times = _joined(parts)
        return SortedPostings.sorted(
            np.concatenate([np.empty(0, np.uint64), *keys]), documents, times
        )


def joined(several: Sequence[tuple[SortedPostings, int]]) -> Postings:
    """The runs of all, each piece's documents numbered behind those of the one before.

    To sort large pieces into one run takes longer than to look into each, so among many documents
    they stay as they are until something else makes one run of them.
    """
    groups: list[list[tuple[int, SortedPostings]]] = []
    start, open_group = 0, False
    are_few = sum(count for _, count in several) <= TOGETHER
    for run, count in several:
        is_small = are_few or count < APART_FROM
        if is_small and open_group:
            groups[-1].append((start, run))
        else:
            groups.append([(start, run)])
        start, open_group = start + count, is_small
    return Postings(tuple(map(_one, groups)), start)


def _one(group: Sequence[tuple[int, SortedPostings]]) -> tuple[int, SortedPostings]:
    """Neighbouring pieces as one run."""
    first = group[0][0]
    if len(group) == 1:
        return group[0]
    keys = np.concatenate([run.pairs() for _, run in group])
    parts = [run.behind(start - first) for start, run in group]
    return first, SortedPostings.sorted(keys, *_joined(parts))


def _below(count: int, documents: np.NDArray[np.uint32], times: np.NDArray[np.uint8]) -> Found:
    cut = int(np.searchsorted(documents, count))
    return documents[:cut], times[:cut]


def _joined(parts: Sequence[Found]) -> Found:
    if not parts:
        return _empty().documents, _empty().times
    if len(parts) == 1:
        return parts[0]
    return (
        np.concatenate([documents for documents, _ in parts]),
        np.concatenate([times for _, times in parts]),
    )


def run_of(counted: Sequence[Mapping[int, int]]) -> SortedPostings:
    """One run over documents that are numbered from 0."""
    sizes = [len(words) for words in counted]
    keys = np.fromiter((key for words in counted for key in words), np.uint64, sum(sizes))
    often = (min(times, TIMES_MAX) for words in counted for times in words.values())
    times = np.fromiter(often, np.uint8, sum(sizes))
    documents = np.repeat(np.arange(len(counted), dtype=np.uint32), sizes)
    return SortedPostings.sorted(keys, documents, times)


def _numbers(count: int) -> str:
    """How the documents of so many are numbered at rest."""
    return "<u2" if count <= FEW else "<u4"


def is_long(tail: int, run: int) -> bool:
    """Whether a tail of so many documents should join a run of so many."""
    return tail >= max(TAIL_MIN, run // TAIL_SHARE)
