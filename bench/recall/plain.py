"""Plain baselines: BM25 with stemming, vectors alone, and the sum of both, with nothing else.

They share no code with the ranking but its tokenizer and its embedders, so that whatever the
ranking loses against them shows.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bench.recall.cases import Question, Talk
from bench.recall.methods import Library, Method
from muniment.model.text.near_duplicates import spoken_by
from muniment.retrieval.text import tokenizer

K1, B = 1.2, 0.75
Scores = NDArray[np.float64]


class PlainBM25:
    """Each turn as one line, with its speaker's name; words count by their stems."""

    def __init__(self, talk: Talk, *, small_words: bool = False) -> None:
        self._small_words = small_words
        self._postings: dict[str, list[tuple[int, int]]] = {}
        lengths = np.zeros(len(talk.turns))
        for place, turn in enumerate(talk.turns):
            said = self._stems(spoken_by(turn.speaker, turn.text))
            lengths[place] = len(said)
            for stem, times in Counter(said).items():
                self._postings.setdefault(stem, []).append((place, times))
        self._penalty = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))

    def scores(self, question: str) -> Scores:
        count = len(self._penalty)
        total = np.zeros(count)
        for stem in self._stems(question):
            held = self._postings.get(stem)
            if held:
                places, times = np.array(held).T
                rarity = np.log(1 + (count - len(held) + 0.5) / (len(held) + 0.5))
                total[places] += rarity * times * (K1 + 1) / (times + self._penalty[places])
        return total

    def _stems(self, text: str) -> list[str]:
        words = tokenizer.spelled(text)
        kept = [each for each in words if self._small_words or not tokenizer.is_stop(each)]
        return [tokenizer.stem(each) for each in kept or words]


def by_words(*, small_words: bool) -> Method:
    """What shares no word is not found."""

    def method(talk: Talk) -> Callable[[Question], NDArray[np.int64]]:
        words = PlainBM25(talk, small_words=small_words)

        def answer(question: Question) -> NDArray[np.int64]:
            scores = words.scores(question.text)
            return _order(scores)[: np.count_nonzero(scores)]

        return answer

    return method


def by_vectors(library: Library) -> Method:
    def method(talk: Talk) -> Callable[[Question], NDArray[np.int64]]:
        vectors = _Vectors(talk, library)
        return lambda question: _order(vectors.scores(question.text))

    return method


def by_sum(library: Library) -> Method:
    """Both on the scale of their best and worst, added: what a search by both is at least."""

    def method(talk: Talk) -> Callable[[Question], NDArray[np.int64]]:
        words, vectors = PlainBM25(talk), _Vectors(talk, library)

        def answer(question: Question) -> NDArray[np.int64]:
            both = words.scores(question.text), vectors.scores(question.text)
            return _order(sum(map(_normalised, both), np.zeros(len(talk.turns))))

        return answer

    return method


class _Vectors:
    """The cosine of each whole text, as it stands, to the question, as it stands."""

    def __init__(self, talk: Talk, library: Library) -> None:
        self._library = library
        self._matrix = np.array([self._unit(turn.text) for turn in talk.turns])

    def scores(self, question: str) -> Scores:
        found: Scores = self._matrix @ self._unit(question)
        return found

    def _unit(self, text: str) -> Scores:
        codes = np.frombuffer(self._library.embedded(text), np.int8).astype(np.float64)
        if not len(codes):
            return np.zeros(self._library.embedder.dims)
        unit: Scores = codes / max(float(np.linalg.norm(codes)), 1.0)
        return unit


def _normalised(scores: Scores) -> Scores:
    low, high = scores.min(), scores.max()
    scaled: Scores = (scores - low) / (high - low) if high > low else np.zeros(len(scores))
    return scaled


def _order(scores: Scores) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")
