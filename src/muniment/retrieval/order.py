"""The one order of what answers: score descending, time descending, id ascending.

Most answers need the best few dozen of a thousand, so these are put in order first, and the rest
only if somebody asks for it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.collection import Collection

Numbers = NDArray[np.int64]

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
        """So many of the best, in no order; of those that equal the last one, who comes first."""
        scores, left = self._scores, len(self._scores) - count
        if left <= 0:
            return self._numbers
        best = scores >= np.partition(scores, left)[left]
        return self._numbers[best] if np.count_nonzero(best) == count else self.numbers[:count]

    def _page(self, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """These places, in order."""
        numbers, scores = self._numbers[chosen], self._scores[chosen]
        places = _ordered(self._collection, numbers, scores)
        return numbers[places], scores[places]

    @cached_property
    def _places(self) -> Numbers:
        return _ordered(self._collection, self._numbers, self._scores)


def _ordered(collection: Collection, numbers: Numbers, scores: Numbers) -> Numbers:
    """A total order, whatever order came in."""
    places = np.argsort(-scores)
    ranked = scores[places]
    start = stop = -1
    for tie in [*np.flatnonzero(ranked[1:] == ranked[:-1]).tolist(), len(places)]:
        if tie >= stop:
            if start >= 0:
                places[start:stop] = _untied(collection, numbers, places[start:stop])
            start = tie
        stop = tie + 2
    return places


def _untied(collection: Collection, numbers: Numbers, tied: Numbers) -> list[int]:
    """Of equal scores the newest first, then by id."""
    found = numbers[tied]
    moments = collection.moments[found].tolist()
    told_apart = len(set(moments)) == len(moments)
    names = [""] * len(moments) if told_apart else collection.ids_of(found)
    keyed = zip(moments, names, tied.tolist(), strict=True)
    return [place for _, _, place in sorted(keyed, key=lambda each: (-each[0], each[1]))]
