"""Ranking weights: the weight set for each embedder, by the prefix of its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.model.languages.tables.english import ENGLISH
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

# Another order of the same documents for the same question is another version.
NAME: Final = "recipe-34"


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
    named: int = 0
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
HASHING: Final = msgspec.structs.replace(LEXICAL, like=100_000, like_sentence=100_000)
STATIC: Final = Weights(
    words=550_000,
    session_words=100_000,
    kin=200_000,
    answers=50_000,
    speaker=450_000,
    asks=-100_000,
    time=250_000,
    date=950_000,
    like=250_000,
    like_before=150_000,
    like_after=100_000,
    like_session=200_000,
    like_sentence=450_000,
    person=150_000,
    named=200_000,
)
# Where vectors know English alone: of other languages they know the names, and guess at the rest.
_LIKES: Final = ("like", "like_before", "like_after", "like_session", "like_sentence")
FOREIGN: Final = msgspec.structs.replace(
    STATIC, words=800_000, kin=450_000, **{name: getattr(STATIC, name) // 4 for name in _LIKES}
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
    person=150_000,
    named=200_000,
)


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How an embedder's vectors are weighed beside words, and what likeness means something."""

    weights: Weights
    likeness_ppm: int  # unrelated texts resemble each other less than this
    foreign: Weights | None = None  # for questions that are not English, where its vectors are

    def weights_for(self, asked: Query, collection: Collection) -> Weights:
        """Where nobody has said a word of the question or its topic, likeness is all there is."""
        if self.foreign is None or ENGLISH.name in asked.languages:
            return self.weights
        keys = list(map(tokenizer.key, (*asked.words, *asked.told_by)))
        said = any(len(held) for held, _ in collection.postings.find(keys, collection.count))
        return self.foreign if said else self.weights


BY_NAME: Final = {
    "hashed-": Recipe(weights=HASHING, likeness_ppm=250_000),
    "pieces-": Recipe(weights=STATIC, likeness_ppm=300_000, foreign=FOREIGN),
    "encoder-": Recipe(weights=STATIC, likeness_ppm=300_000, foreign=FOREIGN),
    "minilm-": Recipe(weights=MINILM, likeness_ppm=300_000),
}
OTHER: Final = Recipe(weights=STATIC, likeness_ppm=350_000)


def of(embedder: str) -> Recipe:
    return next((its for start, its in BY_NAME.items() if embedder.startswith(start)), OTHER)


@cache
def counting(weights: Weights) -> Mapping[str, int]:
    """The features that count at all; there are few recipes."""
    return {name: weight for name, weight in msgspec.structs.asdict(weights).items() if weight}


def counted(features: Iterable[str], weights: Mapping[str, int]) -> list[str]:
    """Of these features those that count."""
    return [name for name in features if name in weights]


def weigh(
    features: Mapping[str, np.NDArray[np.int64]], weights: Mapping[str, int]
) -> np.NDArray[np.float64]:
    """What each feature that counts adds: a row for each, in whole millionths."""
    names = counted(features, weights)
    rows = np.empty((len(names), len(features["words"])))
    for row, name in zip(rows, names, strict=True):
        np.multiply(features[name], weights[name], out=row)
    # Both factors are some millions, and so floats divide their product exactly: see `bm25`.
    rows /= MILLION
    return np.floor(rows, out=rows)
