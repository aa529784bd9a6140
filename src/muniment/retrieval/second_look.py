"""A second look at the best: what tells anew what an older text told, and what only asks again.

A sum of terms knows no two texts at once. "My boss is Karin" answers as well in May as it did in
March, and "My boss is Jonas now" has a word more, which makes it a little less like the question.
So of two statements that are nearly alike, by the same person, the newer has as much as the older,
and of equals the newer is first. And a text that asks what is asked, and says nothing else,
answers nothing: it keeps what its neighbours give it.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.model.fixed import MILLION
from muniment.retrieval import dense, traits
from muniment.retrieval.collection import Collection
from muniment.retrieval.lexical import Held

Numbers = NDArray[np.int64]
Pairs = NDArray[np.bool_]  # row by row, of which of the others something is true

LOOKED_AT: Final = 16  # the best by the sum of their terms; ties among these are settled before
ALIKE_PPM: Final = 700_000  # "a cat named Mimi" and "a new cat, Tiger" tell of two
# Enough where the newer has every word of the question that the older has: of "My name is Ada"
# the value is half of what it says.
ALIKE_IN_WORDS_PPM: Final = 500_000
# Telling words. Of more than these a text says several things, and is like another by its subject.
STATEMENT_WORDS_MAX: Final = 12
NOWHERE: Final = np.zeros(0, np.int64)
LIKENESS_UNIT: Final = dense.NORM_UNIT * dense.NORM_UNIT * MILLION
# At most this part of what it tells anew may be lacking: it answers the question by itself.
LACKING_PART: Final = 5
ANEW: Final = "anew"
ECHO: Final = "echo"
# What a text has for being like the question in itself.
REPEATED: Final = ("words", "own_words", "kin", "like", "like_sentence")


class SecondLook:
    """The best for a question, looked at side by side.

    Every recall pays for it: what decides most cases is looked at first.
    """

    def __init__(self, collection: Collection, best: Numbers, said: Sequence[Held]) -> None:
        self._collection, self._best = collection, best
        self._said = said  # of the words of the question, who says each and how often
        self._flags = collection.column("flags")[best]
        self._lengths = collection.column("lengths")[best]
        self._asks = self._flags & traits.ASKS > 0

    def echoes(self) -> Numbers:
        """Places among the best: what asks, and has no telling word that the question has not."""
        if not np.count_nonzero(self._asks):
            return NOWHERE
        echo: NDArray[np.bool_] = (
            self._asks & (self._times.sum(axis=0) >= self._lengths) & (self._lengths > 0)
        )
        return echo.nonzero()[0]

    def lifts(self, scores: Numbers) -> tuple[Numbers, Numbers]:
        """Places among the best, and how much more each has, to be equal to what it tells anew."""
        lacks = scores - scores[:, None]  # a row for each, what it lacks of each of the others
        anew = self._later()
        anew &= lacks > 0
        anew &= lacks * LACKING_PART <= scores
        if not np.count_nonzero(anew):
            return NOWHERE, NOWHERE
        lacks *= self._alike(anew)
        more = lacks.max(axis=1)
        lifted = more.nonzero()[0]
        return lifted, more[lifted]

    @cached_property
    def _times(self) -> Numbers:
        """A row for each word of the question: how often each of the best says it."""
        places = np.zeros(self._collection.count, np.uint8)  # from 1 on
        places[self._best] = np.arange(1, len(self._best) + 1)
        nothing = np.zeros((0, len(self._best)), np.int64)
        rows = [_times_of(held, places, len(self._best)) for held in self._said]
        return rows[0] if len(rows) == 1 else np.concatenate([nothing, *rows])

    def _later(self) -> Pairs:
        """Than which others of one voice; what has no time is neither newer nor older."""
        moments = self._collection.moments[self._best]
        states = self._lengths <= STATEMENT_WORDS_MAX
        states &= ~self._asks
        later: Pairs = moments[:, None] > moments
        later &= states[:, None]
        states &= moments >= 0
        later &= states
        people = self._flags & traits.BY_PERSON
        later &= people[:, None] == people
        if self._collection.speakers:
            speakers = self._collection.column("speakers")[self._best]
            later &= speakers[:, None] == speakers
        return later

    def _alike(self, wanted: Pairs) -> Pairs:
        """Of the wanted pairs, those that tell of the same."""
        codes = self._collection.codes.take(self._best, axis=0).astype(np.float32)
        norms = np.maximum(self._collection.column("norms")[self._best], 1.0)
        # Whole numbers below 2^53, and one quotient of such: the same on every machine.
        products = np.matmul(codes, codes.T.copy())
        likeness = np.multiply(products, LIKENESS_UNIT, dtype=np.float64)
        likeness /= norms[:, None] * norms
        alike: Pairs = likeness >= ALIKE_PPM
        alike &= wanted
        nearly = likeness >= ALIKE_IN_WORDS_PPM
        nearly &= wanted
        nearly ^= alike
        return alike | nearly & self._with_its_words() if np.count_nonzero(nearly) else alike

    def _with_its_words(self) -> Pairs:
        """Of which others, that have any, it has every word of the question that they have."""
        has = self._times > 0
        lacks: Pairs = ~has.T @ has
        with_its_words: Pairs = has.any(axis=0) > lacks
        return with_its_words


def _times_of(held: Held, places: NDArray[np.uint8], count: int) -> Numbers:
    """How often those that have a place say each of some words."""
    at = places.take(held.documents)
    there = at.nonzero()[0]
    times = np.zeros((len(held.often), count), np.int64)
    times[held.which.take(there), at.take(there) - 1] = held.times.take(there)
    return times
