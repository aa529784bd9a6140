"""The recipe: how much each kind of evidence counts, and the one order that follows."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from muniment.model.fixed import MILLION
from muniment.retrieval.asked import Asked
from muniment.retrieval.collection import Collection
from muniment.retrieval.evidence import Evidence, Mask

Numbers = NDArray[np.int64]


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """What each feature counts, in millionths; the names are those of the features."""

    words: int = 0
    own_words: int = 0
    kin: int = 0
    answers: int = 0
    session_words: int = 0
    speaker: int = 0
    asks: int = 0
    time: int = 0
    date: int = 0
    like: int = 0
    like_before: int = 0
    like_after: int = 0
    like_session: int = 0
    like_sentence: int = 0
    person: int = 0
    importance: int = 0


LEXICAL: Final = Weights(
    words=1_000_000,
    session_words=100_000,
    kin=400_000,
    answers=100_000,
    speaker=400_000,
    asks=-50_000,
    time=100_000,
    date=1_000_000,
)
HASHING: Final = Weights(
    words=1_000_000,
    session_words=100_000,
    kin=400_000,
    answers=100_000,
    speaker=400_000,
    asks=-50_000,
    time=100_000,
    date=1_000_000,
    like=100_000,
    like_sentence=100_000,
)
STATIC: Final = Weights(
    words=550_000,
    session_words=100_000,
    kin=200_000,
    answers=50_000,
    speaker=360_000,
    asks=-100_000,
    time=250_000,
    date=950_000,
    like=250_000,
    like_before=150_000,
    like_after=100_000,
    like_session=200_000,
    like_sentence=450_000,
)
MINILM: Final = Weights(
    words=500_000,
    session_words=100_000,
    kin=250_000,
    answers=50_000,
    speaker=375_000,
    asks=-100_000,
    time=150_000,
    date=700_000,
    like=200_000,
    like_before=150_000,
    like_after=100_000,
    like_session=200_000,
    like_sentence=600_000,
)


class Ranking:
    """Document numbers, best first: score descending, time descending, id ascending."""

    def __init__(self, evidence: Evidence, weights: Weights) -> None:
        self._evidence, self._weights = evidence, weights
        self._numbers = evidence.candidates
        self._features = evidence.features(self._numbers)
        found = self._weighed(self._features)
        self._scores: Numbers = sum(found.values(), np.zeros(len(self._numbers), np.int64))

    @cached_property
    def order(self) -> Numbers:
        """All candidates; a question is answered from those that are related to it."""
        return self._numbers[self._places]

    @cached_property
    def scores_ppm(self) -> Numbers:
        return self._scores[self._places]

    @cached_property
    def _places(self) -> Numbers:
        return _ordered(self._evidence.collection, self._numbers, self._scores)

    def related(self, likeness_ppm: int) -> tuple[Numbers, Numbers]:
        """Of the order, what shares a word with the question or resembles it so much; scores."""
        kept = (self._features["words"] > 0) | self._resembling(likeness_ppm)
        numbers, scores = self._numbers[kept], self._scores[kept]
        places = _ordered(self._evidence.collection, numbers, scores)
        return numbers[places], scores[places]

    def alike(self, likeness_ppm: int) -> frozenset[int]:
        """What resembles the question so much, whatever words it shares."""
        return frozenset(self._numbers[self._resembling(likeness_ppm)].tolist())

    def _resembling(self, likeness_ppm: int) -> Mask:
        """Of the candidates, by the whole text or by one of its sentences."""
        found = np.zeros(len(self._numbers), bool)
        for name in ("like", "like_sentence"):
            if name in self._features:
                found |= self._features[name] >= likeness_ppm
        return found

    def terms(self, number: int) -> dict[str, int]:
        """What each feature added to the score of a document, ranked or not, in millionths."""
        found = self._weighed(self._evidence.features(np.array([number])))
        return {
            name: int(found[name][0]) if name in found else 0
            for name in Weights.__struct_fields__
            if getattr(self._weights, name)
        }

    def _weighed(self, features: Mapping[str, Numbers]) -> dict[str, Numbers]:
        return {
            name: values * weight // MILLION
            for name, values in features.items()
            if (weight := getattr(self._weights, name))
        }


def rank(
    collection: Collection, asked: Asked, weights: Weights, *, among: Mask | None = None
) -> Ranking:
    """The documents worth showing, best first; `among` says which may be shown at all."""
    return Ranking(Evidence(collection, asked, among), weights)


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
