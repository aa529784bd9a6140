"""The ways of ranking that are compared: the recipe with each embedder, and plain baselines."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from bench.recall.cases import Question, Talk
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.engine.projections.recorded_vectors import filled
from muniment.engine.streams.ports import Embedder, Lexicon
from muniment.model.fixed_point import MILLION
from muniment.model.policy.context import Assembly
from muniment.model.text.near_duplicates import spoken_by
from muniment.model.text.tokens import tokens
from muniment.retrieval.context import cross_type_rank
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking import query, ranker
from muniment.retrieval.ranking.ranker import Ranking
from muniment.retrieval.ranking.weights import Weights
from muniment.retrieval.scoring.word_overlap import overlap_score
from muniment.retrieval.text import sentence_split

POOL = 100
NAMESPACE = ("chat",)
Order = NDArray[np.int64]
Method = Callable[[Talk], Callable[[Question], Order]]


class Library:
    """Talks as collections, each made once for each embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kin = embedder.kin if isinstance(embedder, Lexicon) else query.nothing_alike
        self._made: dict[str, Collection] = {}
        self._codes: dict[str, bytes] = {}

    def collected(self, talk: Talk) -> Collection:
        if talk.name not in self._made:
            documents = [
                Document(
                    id=turn.id,
                    seq=number,
                    ts=turn.ts,
                    text=turn.text,
                    speaker=turn.speaker,
                    role=turn.role,
                    session=turn.session,
                    vectors=filled(
                        [self.embedded(part) for part in sentence_split.to_embed(turn.text)],
                        self.embedder.dims,
                    ),
                )
                for number, turn in enumerate(talk.turns)
            ]
            self._made[talk.name] = Collection.build(documents, self.embedder.dims)
        return self._made[talk.name]

    def ranking(self, talk: Talk, question: Question, weights: Weights) -> Ranking:
        collection = self.collected(talk)
        asks = query.analyse(
            question.text, speakers=collection.speakers, as_of=question.as_of, kin=self._kin
        )
        vector = self.embedded(asks.meant) if weights.like else b""
        return ranker.rank(collection, asks.with_vector(vector), weights)

    def embedded(self, text: str) -> bytes:
        if text not in self._codes:
            self._codes[text] = self.embedder.embed(text)
        return self._codes[text]


def by_recipe(weights: Weights, library: Library) -> Method:
    return lambda talk: lambda question: library.ranking(talk, question, weights).order


class Listener:
    """A memory that was told the turns of a talk as they came; its answers are names of turns."""

    def __init__(self, talk: Talk, *, as_lines: bool = False) -> None:
        self._clock = ToldClock()
        memory = open_memory(":memory:", Settings(clock=self._clock, seed=b"bench"))
        self._ada = memory.agent("ada", user="tuff")
        self._last = talk.turns[-1].ts
        self._places: dict[str, int] = {}
        for place, turn in enumerate(talk.turns):
            self._clock.set(turn.ts)
            if as_lines:
                kept = self._ada.remember(spoken_by(turn.speaker, turn.text))
            else:
                kept = self._ada.remember(turn.text, speaker=turn.speaker, session=turn.session)
            self._places[kept.episodic_id] = place

    def recalled(self, question: Question) -> Order:
        self._clock.set(question.as_of or self._last)
        hits = self._ada.recall(question.text, limit=POOL).hits
        return np.array([self._places[hit.id] for hit in hits], np.int64)

    def in_context(self, question: Question, budget: int) -> Order:
        """What stands in a context, with its headers, and the authority and day of each line."""
        self._clock.set(question.as_of or self._last)
        pieces = self._ada.context(question.text, budget=budget).pieces
        return np.array([self._places[each.id] for each in pieces], np.int64)


def by_memory(talk: Talk) -> Callable[[Question], Order]:
    """What a memory answers, by everything it does."""
    return Listener(talk).recalled


def by_lines(talk: Talk) -> Callable[[Question], Order]:
    """The same where each turn was told as a line of a transcript, and nothing beside it."""
    return Listener(talk, as_lines=True).recalled


def by_documents(talk: Talk) -> Callable[[Question], Order]:
    """What the namespaces of frameworks find: each talk was added as a list of "Ann: …"."""
    clock = ToldClock()
    memory = open_memory(":memory:", Settings(clock=clock, seed=b"bench"))
    documents = memory.agent("ada", user="tuff").documents()
    places: dict[str, int] = {}
    for _, turns in groupby(enumerate(talk.turns), key=lambda each: each[1].session):
        said = list(turns)
        clock.set(said[0][1].ts)
        added = documents.add(
            NAMESPACE, [{"memory": spoken_by(t.speaker, t.text)} for _, t in said]
        )
        places |= {kept.key: place for kept, (place, _) in zip(added, said, strict=True)}

    def answer(question: Question) -> Order:
        clock.set(question.as_of or talk.turns[-1].ts)
        found = documents.search(NAMESPACE, question.text, limit=POOL)
        return np.array([places[each.key] for _, each in found], np.int64)

    return answer


def by_context(talk: Talk) -> Callable[[Question, int], Order]:
    return Listener(talk).in_context


def by_recipe_apart(weights: Weights, library: Library) -> Method:
    """The same among sentences that were kept one by one: their words name who spoke, or nobody."""
    ranked = by_recipe(weights, library)

    def apart(talk: Talk) -> Talk:
        told = (
            f"{each.speaker}: {each.text}" if each.speaker else each.text for each in talk.turns
        )
        turns = (
            replace(turn, text=text, speaker="", session="")
            for turn, text in zip(talk.turns, told, strict=True)
        )
        return replace(talk, turns=tuple(turns))

    return lambda talk: ranked(apart(talk))


def by_formula(weights: Weights, library: Library) -> Method:
    """The cross-layer formula over the best hundred, as contexts use it by default."""
    rules = Assembly()

    def answer(talk: Talk, question: Question) -> Order:
        ranking = library.ranking(talk, question, weights)
        pool, scores = ranking.order[:POOL], ranking.scores_ppm[:POOL]
        moments = library.collected(talk).moments.astype(np.int64)
        span = int(moments.max() - moments.min())
        ages = moments.max() - moments[pool]
        best = max(int(scores.max(initial=0)), 1)
        total = [
            rules.coefficients.similarity_ppm * max(int(score), 0) // best
            + rules.coefficients.recency_ppm
            * cross_type_rank.recency_ppm(int(age), span, rules)
            // MILLION
            for score, age in zip(scores, ages, strict=True)
        ]
        first = pool[_sorted(total)]
        return np.concatenate([first, ranking.order[POOL:]])

    return lambda talk: lambda question: answer(talk, question)


def by_overlap(talk: Talk) -> Callable[[Question], Order]:
    """The share of a text's words that the question names."""

    def answer(question: Question) -> Order:
        wanted = frozenset(tokens(question.text))
        return _sorted([overlap_score(turn.text, wanted)[0] for turn in talk.turns])

    return answer


def by_fuzz(talk: Talk) -> Callable[[Question], Order]:
    lowered = [turn.text.lower() for turn in talk.turns]

    def answer(question: Question) -> Order:
        wanted = question.text.lower()
        return _sorted([fuzz.token_set_ratio(wanted, text) for text in lowered])

    return answer


def _sorted(scores: Sequence[float]) -> Order:
    return np.argsort(-np.array(scores), kind="stable")
