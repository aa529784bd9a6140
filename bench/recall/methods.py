"""The ways of ranking that are compared: the recipe with each embedder, and plain baselines."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from bench.recall.cases import Question, Talk
from muniment.engine.ports import Embedder
from muniment.model.text import tokens
from muniment.retrieval import asked, recipe, scales, sentences
from muniment.retrieval.collection import Collection, Document
from muniment.retrieval.rank import overlap_score
from muniment.retrieval.recipe import Weights

Order = NDArray[np.int64]
Method = Callable[[Talk], Callable[[Question], Order]]


def collected(talk: Talk, embedder: Embedder | None) -> Collection:
    documents = [
        Document(
            id=turn.id,
            seq=number,
            ts=turn.ts,
            text=turn.text,
            speaker=turn.speaker,
            role=turn.role,
            session=turn.session,
            vectors=tuple(map(embedder.embed, sentences.to_embed(turn.text))) if embedder else (),
        )
        for number, turn in enumerate(talk.turns)
    ]
    return Collection.build(documents, embedder.dims if embedder else 0)


def by_recipe(weights: Weights, embedder: Embedder | None = None) -> Method:
    def prepare(talk: Talk) -> Callable[[Question], Order]:
        collection = collected(talk, embedder)

        def answer(question: Question) -> Order:
            asks = asked.analyse(question.text, speakers=collection.speakers, as_of=question.as_of)
            if embedder:
                asks = asks.with_vector(embedder.embed(asks.meant))
            return recipe.rank(collection, asks, weights).order

        return answer

    return prepare


def by_overlap(talk: Talk) -> Callable[[Question], Order]:
    """The share of a text's words that the question names."""

    def answer(question: Question) -> Order:
        wanted = frozenset(tokens(question.text))
        return _sorted([overlap_score(turn.text, wanted)[0] for turn in talk.turns])

    return answer


def by_fuzz(talk: Talk) -> Callable[[Question], Order]:
    def answer(question: Question) -> Order:
        return _sorted(
            [fuzz.token_set_ratio(question.text.lower(), t.text.lower()) for t in talk.turns]
        )

    return answer


def _sorted(scores: Sequence[float]) -> Order:
    return np.argsort(-np.array(scores), kind="stable")


def by_formula(weights: Weights, embedder: Embedder) -> Method:
    """The cross-layer formula on top, with its usual coefficients and the recipe as similarity."""

    def prepare(talk: Talk) -> Callable[[Question], Order]:
        collection = collected(talk, embedder)

        def answer(question: Question) -> Order:
            asks = asked.analyse(question.text, speakers=collection.speakers, as_of=question.as_of)
            asks = asks.with_vector(embedder.embed(asks.meant))
            ranking = recipe.rank(collection, asks, weights)
            moments = collection.moments[ranking.order].astype(np.int64)
            importance = collection.column("importance")[ranking.order].astype(np.int64)
            total = (
                40 * scales.similarity_ppm(ranking.scores_ppm)
                + 25 * scales.recency_ppm(moments, as_of=0)
                + 25 * scales.importance_ppm(importance)
            )
            return ranking.order[np.argsort(-total, kind="stable")]

        return answer

    return prepare


class Remembering:
    """An embedder that asks a slow one only once for each text."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._known = embedder, dict[str, bytes]()
        self.name, self.dims = embedder.name, embedder.dims

    def embed(self, text: str) -> bytes:
        if text not in self._known:
            self._known[text] = self._embedder.embed(text)
        return self._known[text]
