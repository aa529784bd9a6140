"""BM25 over a window: a word counts where it is said, and less in what stands around it.

An answer rarely repeats the question's words; the turn before it does. The five fields (own text,
one and two before, one and two after) need no postings of their own: they are the own ones, moved.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval import words
from muniment.retrieval.collection import Collection
from muniment.retrieval.columns import NONE, Integers
from muniment.retrieval.fixed import MILLION, log2_ppm

Numbers = NDArray[np.int64]

# Tenths: what a word counts in the text itself, in the one before (next), in the two before (next).
OWN: Final = 20
BEFORE: Final = (10, 5)
AFTER: Final = (6, 3)
# BM25's k1 and b: how soon repeating stops to help, how much a long text has to make up for.
K1_TENTHS: Final = 12
B_PERCENT: Final = 75
UNIT: Final = 10
FINE: Final = 1000


class Statistics:
    """What BM25 needs to know of a collection, whatever is asked."""

    def __init__(self, collection: Collection) -> None:
        lengths = collection.column("lengths").astype(np.int64)
        before, after = collection.column("before"), collection.after
        further_before, further_after = _twice(before), _twice(after)
        # What is said before helps the one after it, and the other way round.
        self.near = (
            (BEFORE[0], after),
            (BEFORE[1], further_after),
            (AFTER[0], before),
            (AFTER[1], further_before),
        )
        window = lengths.copy()
        for _, moved in self.near:
            window += np.where(moved == NONE, 0, lengths[moved])
        self.narrow, self.wide = _penalty(lengths), _penalty(window)
        sessions = collection.column("sessions")
        self.sessions = int(sessions.max(initial=0))
        by_session = np.bincount(sessions, lengths, self.sessions + 1).astype(np.int64)
        self.session = _penalty(by_session[1:])


def scores(collection: Collection, stems: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
    """The sums over the words: for each document with its neighbours and by itself, by session."""
    known = collection.once(Statistics)
    count = collection.count
    window, own = np.zeros(count, np.int64), np.zeros(count, np.int64)
    by_session = np.zeros(known.sessions + 1, np.int64)
    held = np.zeros(count, np.int32)
    for stem in stems:
        documents, times = collection.postings.find(words.key(stem), count)
        if not len(documents):
            continue
        rarity = log2_ppm(2 * count + 2, 2 * len(documents) + 1)
        own[documents] += _saturated(OWN * times, known.narrow[documents], rarity)
        touched = _spread(held, documents, OWN * times, known)
        window[touched] += _saturated(held[touched].astype(np.int64), known.wide[touched], rarity)
        held[touched] = 0
        _add_sessions(by_session, collection.column("sessions")[documents], times, known)
    return window, own, by_session


def kin_scores(collection: Collection, kin: Sequence[tuple[str, int]]) -> Numbers:
    """The same for words that only mean nearly what was asked, each as far as it does."""
    known = collection.once(Statistics)
    window = np.zeros(collection.count, np.int64)
    held = np.zeros(collection.count, np.int32)
    for stem, closeness in kin:
        documents, times = collection.postings.find(words.key(stem), collection.count)
        if not len(documents):
            continue
        rarity = log2_ppm(2 * collection.count + 2, 2 * len(documents) + 1) * closeness // MILLION
        touched = _spread(held, documents, OWN * times, known)
        window[touched] += _saturated(held[touched].astype(np.int64), known.wide[touched], rarity)
        held[touched] = 0
    return window


def _spread(
    held: NDArray[np.int32], documents: Numbers, own: Numbers, known: Statistics
) -> Numbers:
    """How much of a word each document holds, counting what stands around it; who holds any."""
    held[documents] += own.astype(np.int32)
    for weight, moved in known.near:
        target = moved[documents]
        there = target != NONE
        target = target[there]
        held[target] += (own[there] * weight // OWN).astype(np.int32)
    return np.flatnonzero(held)


def _add_sessions(total: Numbers, sessions: Integers, times: Numbers, known: Statistics) -> None:
    """The same over whole sessions; the session that is none has 0."""
    if not known.sessions:
        return
    held = np.bincount(sessions, times, known.sessions + 1).astype(np.int64)[1:]
    here = np.flatnonzero(held)
    if len(here):
        rarity = log2_ppm(2 * known.sessions + 2, 2 * len(here) + 1)
        total[here + 1] += _saturated(held[here] * UNIT, known.session[here], rarity)


def _twice(moved: Integers) -> Integers:
    """A neighbour's neighbour."""
    return np.where(moved == NONE, NONE, moved[moved]).astype(np.int32)


def _penalty(lengths: Numbers) -> NDArray[np.int32]:
    """What is added below the fraction: BM25's k1 * (1 - b + b * length / mean length)."""
    total = max(int(lengths.sum()), 1)
    share = B_PERCENT * lengths * len(lengths) * FINE // total
    return np.minimum(K1_TENTHS * ((100 - B_PERCENT) * FINE + share) // 100, 1 << 30).astype(
        np.int32
    )


def _saturated(held: Numbers, penalty: Integers, rarity: int) -> Numbers:
    return rarity * (UNIT + K1_TENTHS) * FINE // UNIT * held // (FINE * held + penalty)


def shares(values: Numbers, best: int) -> Numbers:
    """Scores as millionths of the best one."""
    return values * MILLION // max(best, 1)
