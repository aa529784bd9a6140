"""A second look at the best: what tells anew what an older text told, and what only asks again.

A sum of terms knows no two texts at once. "My boss is Karin" answers as well in May as it did in
March, and "My boss is Jonas now" has a word more, which makes it a little less like the question.
So of two statements that are nearly alike, by the same person, the newer has as much as the older,
and of equals the newer is first. And a text that asks what is asked, and says nothing else,
answers nothing: it keeps what its neighbours give it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.model.fixed import MILLION
from muniment.retrieval import dense, traits
from muniment.retrieval.collection import Collection
from muniment.retrieval.sparse import Found

Numbers = NDArray[np.int64]
Pairs = NDArray[np.bool_]  # row by row, of which of the others something is true

LOOKED_AT: Final = 32  # the best by the sum of their terms; ties among these are settled before
ALIKE_PPM: Final = 700_000  # "a cat named Mimi" and "a new cat, Tiger" tell of two
# Enough where the newer has every word of the question that the older has: of "My name is Ada"
# the value is half of what it says.
ALIKE_IN_WORDS_PPM: Final = 500_000
# Telling words. Of more than these a text says several things, and is like another by its subject.
STATEMENT_WORDS_MAX: Final = 12
NEARLY_PERCENT: Final = 80  # of the score of what it tells anew: it answers the question by itself
ANEW: Final = "anew"
ECHO: Final = "echo"
# What a text has for being like the question in itself.
REPEATED: Final = ("words", "own_words", "kin", "like", "like_sentence")


class SecondLook:
    """The best for a question, looked at side by side.

    Every recall pays for it: what decides most cases is looked at first.
    """

    def __init__(self, collection: Collection, best: Numbers, said: Sequence[Found]) -> None:
        self._collection, self._best = collection, best
        self._found = said  # of each word of the question, who says it and how often
        self._flags = collection.column("flags")[best]
        self._lengths = collection.column("lengths")[best].astype(np.int64)
        self._asks = self._flags & traits.ASKS > 0

    def echoes(self) -> list[int]:
        """Places among the best: what asks, and has no telling word that the question has not."""
        asking = self._asks & (self._lengths > 0)
        if not asking.any():
            return []
        covered = self._times.sum(axis=0) >= self._lengths
        found: list[int] = (asking & covered).nonzero()[0].tolist()
        return found

    def lifts(self, scores: Numbers) -> Mapping[int, int]:
        """By place among the best: how much more it has, to be equal to what it tells anew."""
        places = (~self._asks & (self._lengths <= STATEMENT_WORDS_MAX)).nonzero()[0]
        own = scores[places]
        anew = self._newer(places) & self._of_one_voice(places)
        anew &= own[:, None] < own[None, :]
        anew &= own[:, None] * 100 >= own[None, :] * NEARLY_PERCENT
        if anew.any():
            anew &= self._alike(places, anew)
        if not anew.any():
            return {}
        reached = np.where(anew, own[None, :], own[:, None]).max(axis=1) - own
        return {int(places[place]): int(reached[place]) for place in reached.nonzero()[0]}

    @cached_property
    def _times(self) -> Numbers:
        """A row for each word of the question: how often each of the best says it."""
        best = self._best
        said = np.zeros((len(self._found), len(best)), np.int64)
        for row, (documents, times) in zip(said, self._found, strict=True):
            if len(documents):
                near = documents.searchsorted(best)
                near[near == len(documents)] = 0
                np.multiply(times[near], documents[near] == best, out=row)
        return said

    def _newer(self, places: Numbers) -> Pairs:
        """What has no time is newer than nothing, and nothing is newer than it."""
        moments = self._collection.moments[self._best[places]].astype(np.int64)
        newer: Pairs = (moments[:, None] > moments[None, :]) & (moments >= 0)[None, :]
        return newer

    def _of_one_voice(self, places: Numbers) -> Pairs:
        speakers = self._collection.column("speakers")[self._best[places]]
        people = self._flags[places] & traits.BY_PERSON
        one: Pairs = speakers[:, None] == speakers[None, :]
        one &= people[:, None] == people[None, :]
        return one

    def _alike(self, places: Numbers, wanted: Pairs) -> Pairs:
        """Of the wanted pairs, those that tell of the same."""
        numbers = self._best[places]
        codes = self._collection.codes.take(numbers, axis=0).astype(np.float64)
        lengths = np.maximum(self._collection.column("norms")[numbers], 1).astype(np.float64)
        # Whole numbers below 2^53, and a comparison of such: see `exact`.
        products = (codes @ codes.T) * (dense.NORM_UNIT * dense.NORM_UNIT * MILLION)
        scale = lengths[:, None] * lengths[None, :]
        alike: Pairs = products >= scale * ALIKE_PPM
        nearly = wanted & ~alike & (products >= scale * ALIKE_IN_WORDS_PPM)
        return alike | (nearly & self._with_its_words(places)) if nearly.any() else alike

    def _with_its_words(self, places: Numbers) -> Pairs:
        """Of which others, that have any, it has every word of the question that they have."""
        said = (self._times[:, places] > 0).astype(np.float64)
        shared = said.T @ said  # how many words of the question two have in common
        alone = shared.diagonal()[None, :]
        has: Pairs = (shared == alone) & (alone > 0)
        return has
