"""Sort order: score descending, time descending, id ascending.

Most answers need the best few dozen of a thousand, so these are put in order first, and the rest
only if somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection

Numbers: TypeAlias = "np.NDArray[np.int64]"

FIRST: Final = 32  # put in order before all others: most answers look at fewer


Found = TypeVar("Found")
Standing = tuple[int, int | str, str]  # score, time, id


def best_first(found: Iterable[Found], told: Callable[[Found], Standing]) -> list[Found]:
    """A handful in this order, whatever order came in; `told` says where each stands."""
    by_id = sorted(found, key=lambda each: told(each)[2])
    return sorted(by_id, key=lambda each: told(each)[:2], reverse=True)


class Order:
    """Documents and their scores, in an order that does not depend on how they came."""

    def __init__(self, collection: Collection, numbers: Numbers, scores: Numbers) -> None:
        self._collection, self._numbers, self._scores = collection, numbers, scores

    def __len__(self) -> int:
        return len(self._numbers)

    @cached_property
    def numbers(self) -> Numbers:
        """All of them, best first."""
        return self._numbers[self._places]

    @cached_property
    def scores(self) -> Numbers:
        return self._scores[self._places]

    def pages(self) -> Iterator[tuple[Numbers, Numbers]]:
        """The same in two pages: the best, with all that equal the last of them, then the rest."""
        scores, left = self._scores, len(self._scores) - FIRST
        if left <= FIRST:
            yield self.numbers, self.scores
            return
        best = scores >= np.partition(scores, left)[left]
        yield self._page(best.nonzero()[0])
        yield self._page((~best).nonzero()[0])

    def first(self, count: int) -> Numbers:
        """Where so many of the best stand among all; of those that equal the last, the first."""
        scores, left = self._scores, len(self._scores) - count
        if left <= 0:
            return np.arange(len(scores))
        best: Numbers = (scores >= np.partition(scores, left)[left]).nonzero()[0]
        return best if len(best) == count else np.sort(self._places[:count])

    def _page(self, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """These places, in order."""
        numbers, scores = self._numbers[chosen], self._scores[chosen]
        places = _ordered(self._collection, numbers, scores)
        return numbers[places], scores[places]

    @cached_property
    def _places(self) -> Numbers:
        return _ordered(self._collection, self._numbers, self._scores)


def _ordered(collection: Collection, numbers: Numbers, scores: Numbers) -> Numbers:
    """A total order, whatever order came in: of equal scores the newest first, then by id."""
    moments = collection.moments[numbers]
    places: Numbers = np.lexsort((-moments, -scores))
    ranked, told = scores[places], moments[places]
    tied = ((ranked[1:] == ranked[:-1]) & (told[1:] == told[:-1])).nonzero()[0]
    for start, stop in _stretches(tied.tolist()):
        some = places[start:stop]
        names = collection.ids_of(numbers[some])
        places[start:stop] = [place for _, place in sorted(zip(names, some.tolist(), strict=True))]
    return places


def _stretches(tied: list[int]) -> Iterator[tuple[int, int]]:
    """Where those begin and end that equal each other, from the places of each that has an equal
    behind it.
    """
    start = stop = -1
    for tie in tied:
        if tie >= stop:
            if start >= 0:
                yield start, stop
            start = tie
        stop = tie + 2
    if start >= 0:
        yield start, stop
