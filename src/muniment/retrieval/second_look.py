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
NEARLY_PERCENT: Final = 80  # of the score of what it tells anew: it answers the question by itself
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
        self._lengths = collection.column("lengths")[best].astype(np.int64)
        self._asks = self._flags & traits.ASKS > 0

    def echoes(self) -> Numbers:
        """Places among the best: what asks, and has no telling word that the question has not."""
        if not self._asks.any():
            return NOWHERE
        echo: Pairs = self._asks & (self._times.sum(axis=0) >= self._lengths) & (self._lengths > 0)
        return echo.nonzero()[0]

    def lifts(self, scores: Numbers) -> tuple[Numbers, Numbers]:
        """Places among the best, and how much more each has, to be equal to what it tells anew."""
        places = (~self._asks & (self._lengths <= STATEMENT_WORDS_MAX)).nonzero()[0]
        own = scores[places]
        anew = self._newer(places)
        anew &= own[:, None] * 100 >= own * NEARLY_PERCENT
        anew &= own[:, None] < own
        if not anew.any():
            return NOWHERE, NOWHERE
        anew &= self._alike(places, anew)
        more = (anew * (own - own[:, None])).max(axis=1)
        lifted = more.nonzero()[0]
        return places[lifted], more[lifted]

    @cached_property
    def _times(self) -> Numbers:
        """A row for each word of the question: how often each of the best says it."""
        rows = [np.zeros((0, len(self._best)), np.int64)]
        for held in self._said:
            # A place for each word in each document: the postings stand in that order.
            count = self._collection.count
            there = held.which * count + held.documents
            asked = np.arange(len(held.often))[:, None] * count + self._best
            near = there.searchsorted(asked)
            near[near == len(there)] = 0
            rows.append(held.times[near] * (there[near] == asked) if len(there) else 0 * asked)
        return rows[1] if len(rows) == 2 else np.concatenate(rows)  # noqa: PLR2004 - nearly always

    def _newer(self, places: Numbers) -> Pairs:
        """Than which others of one voice; what has no time is neither newer nor older."""
        numbers = self._best[places]
        moments = self._collection.moments[numbers]
        newer: Pairs = moments[:, None] > moments
        newer &= moments >= 0
        people = self._flags[places] & traits.BY_PERSON
        newer &= people[:, None] == people
        if self._collection.speakers:
            speakers = self._collection.column("speakers")[numbers]
            newer &= speakers[:, None] == speakers
        return newer

    def _alike(self, places: Numbers, wanted: Pairs) -> Pairs:
        """Of the wanted pairs, those that tell of the same."""
        numbers = self._best[places]
        codes = self._collection.codes.take(numbers, axis=0).astype(np.float64)
        lengths = np.maximum(self._collection.column("norms")[numbers], 1).astype(np.float64)
        # Whole numbers below 2^53, and one quotient of such: the same on every machine.
        likeness = codes @ codes.T
        likeness *= dense.NORM_UNIT * dense.NORM_UNIT * MILLION
        likeness /= lengths[:, None] * lengths
        alike: Pairs = likeness >= ALIKE_PPM
        nearly = likeness >= ALIKE_IN_WORDS_PPM
        nearly &= wanted > alike
        return alike | (nearly & self._with_its_words(places)) if nearly.any() else alike

    def _with_its_words(self, places: Numbers) -> Pairs:
        """Of which others, that have any, it has every word of the question that they have."""
        said = (self._times[:, places] > 0).astype(np.float64)
        shared = said.T @ said  # how many words of the question two have in common
        alone = shared.diagonal()[None, :]
        has: Pairs = (shared == alone) & (alone > 0)
        return has
