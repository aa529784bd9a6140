"""Postings: which documents hold a word and how often, in sorted runs of whole numbers.

Most of it lies in one immutable run; what came since waits in a small tail that is merged when it
has grown. A collection that sees only the beginning cuts every list at its own end, so the past
never learns of what came later.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

TIMES_MAX: Final = 255  # a byte; nobody says a word more often and means it
TAIL_MIN: Final = 1024  # documents before a tail is worth merging
TAIL_SHARE: Final = 16  # of the whole: each document is copied about so often in all

Keys = NDArray[np.uint64]
Found = tuple[NDArray[np.uint32], NDArray[np.uint8]]


class Run:
    """Sorted words, and for each the sorted numbers of its documents."""

    __slots__ = ("documents", "keys", "starts", "times")

    def __init__(
        self,
        keys: Keys,
        starts: NDArray[np.uint32],
        documents: NDArray[np.uint32],
        times: NDArray[np.uint8],
    ) -> None:
        self.keys, self.starts, self.documents, self.times = keys, starts, documents, times

    @classmethod
    def sorted(cls, keys: Keys, documents: NDArray[np.uint32], times: NDArray[np.uint8]) -> "Run":
        """From pairs in order of their documents."""
        order = np.argsort(keys, kind="stable")
        keys, documents, times = keys[order], documents[order], times[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = keys[1:] != keys[:-1]
        starts = np.append(np.flatnonzero(first), len(keys)).astype(np.uint32)
        return cls(keys[first], starts, documents, times)

    def of(self, keys: Sequence[int]) -> list[slice]:
        """Where the documents of each word stand."""
        wanted = np.array(keys, np.uint64)
        places = np.searchsorted(self.keys, wanted)
        known = np.zeros(len(wanted), bool)
        inside = places < len(self.keys)
        known[inside] = self.keys[places[inside]] == wanted[inside]
        places = np.where(known, places, 0)
        starts = self.starts[places].tolist()
        stops = np.where(known, self.starts[places + known], self.starts[places]).tolist()
        return list(map(slice, starts, stops))

    def pairs(self) -> Keys:
        """The word of each posting."""
        return np.repeat(self.keys, np.diff(self.starts))


EMPTY: Final = Run(
    np.empty(0, np.uint64), np.zeros(1, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8)
)
Tail = dict[int, tuple["array[int]", bytearray]]


class Postings:
    """A run, and a tail of what came after it; both are only ever added to."""

    __slots__ = ("run", "run_count", "tail")

    def __init__(self, run: Run = EMPTY, run_count: int = 0, tail: Tail | None = None) -> None:
        self.run, self.run_count = run, run_count
        self.tail: Tail = {} if tail is None else tail

    def add(self, first: int, counted: Sequence[Mapping[int, int]]) -> None:
        """Into the tail, in the order of documents. Only the one who has claimed it may do so."""
        for number, words in enumerate(counted, start=first):
            for key, times in words.items():
                documents, often = self.tail.setdefault(key, (array("I"), bytearray()))
                often.append(min(times, TIMES_MAX))
                documents.append(number)

    def merged(self, count: int) -> "Postings":
        """All of it in one run, as far as the first `count` documents."""
        if count < self.run_count or self.tail:
            return Postings(self._merge(count), count)
        return self

    def apart(self, count: int) -> "Postings":
        """The same with a tail of its own, for a successor that came second."""
        whole = self.merged(count)
        return Postings(whole.run, whole.run_count)

    def find(self, keys: Sequence[int], count: int) -> list[Found]:
        """Of each word the documents below `count` that hold it, and how often each does."""
        return [
            self._seen(key, found, count)
            for key, found in zip(keys, self.run.of(keys), strict=True)
        ]

    def _seen(self, key: int, found: slice, count: int) -> Found:
        documents, times = self.run.documents[found], self.run.times[found]
        if count < self.run_count:
            cut = int(np.searchsorted(documents, count))
            return documents[:cut], times[:cut]
        if key not in self.tail:
            return documents, times
        later, often = self.tail[key]
        cut = len(often)  # appended first to `often`, so this many are whole
        later_documents = np.array(later[:cut], dtype=np.uint32)
        keep = int(np.searchsorted(later_documents, count))
        return (
            np.concatenate([documents, later_documents[:keep]]),
            np.concatenate([times, np.array(often[:keep], dtype=np.uint8)]),
        )

    def _merge(self, count: int) -> Run:
        run = self.run
        kept = run.documents < count
        keys = [run.pairs()[kept]]
        documents, times = [run.documents[kept]], [run.times[kept]]
        for key, (later, often) in list(self.tail.items()):
            numbers = np.array(later, dtype=np.uint32)
            keep = int(np.searchsorted(numbers, count))
            if keep:
                keys.append(np.full(keep, key, dtype=np.uint64))
                documents.append(numbers[:keep])
                times.append(np.array(often[:keep], dtype=np.uint8))
        return Run.sorted(np.concatenate(keys), np.concatenate(documents), np.concatenate(times))


def run_of(counted: Sequence[Mapping[int, int]]) -> Run:
    """One run over documents that are numbered from 0."""
    sizes = [len(words) for words in counted]
    keys = np.fromiter((key for words in counted for key in words), np.uint64, sum(sizes))
    often = (min(times, TIMES_MAX) for words in counted for times in words.values())
    times = np.fromiter(often, np.uint8, sum(sizes))
    documents = np.repeat(np.arange(len(counted), dtype=np.uint32), sizes)
    return Run.sorted(keys, documents, times)


def is_long(tail: int, run: int) -> bool:
    """Whether a tail of so many documents should join a run of so many."""
    return tail >= max(TAIL_MIN, run // TAIL_SHARE)
