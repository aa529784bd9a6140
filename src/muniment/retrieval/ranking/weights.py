"""Ranking weights: the weight set for each embedder, by the prefix of its name."""

from typing import Final

import msgspec

from muniment.model.languages.tables.english import ENGLISH
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking import ranker
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Weights
from muniment.retrieval.text import tokenizer

# Another order of the same documents for the same question is another version.
NAME: Final = "recipe-32"


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
    "hashed-": Recipe(weights=ranker.HASHING, likeness_ppm=250_000),
    "pieces-": Recipe(weights=ranker.STATIC, likeness_ppm=300_000, foreign=ranker.FOREIGN),
    "encoder-": Recipe(weights=ranker.STATIC, likeness_ppm=300_000, foreign=ranker.FOREIGN),
    "minilm-": Recipe(weights=ranker.MINILM, likeness_ppm=300_000),
}
OTHER: Final = Recipe(weights=ranker.STATIC, likeness_ppm=350_000)


def of(embedder: str) -> Recipe:
    return next((its for start, its in BY_NAME.items() if embedder.startswith(start)), OTHER)
