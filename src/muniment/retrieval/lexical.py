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


def scores(collection: Collection, stems: Sequence[str]) -> tuple[Numbers, Numbers]:
    """For each document the sum over the words, with its neighbours and by itself."""
    count = collection.count
    window, own = np.zeros(count, np.int64), np.zeros(count, np.int64)
    if not count:
        return window, own
    near = _neighbours(collection)
    wide = _penalty(collection.window_lengths)
    narrow = _penalty(collection.column("lengths").astype(np.int64))
    held = np.zeros(count, np.int32)
    for stem in stems:
        documents, times = collection.postings.find(words.key(stem), count)
        if not len(documents):
            continue
        rarity = log2_ppm(2 * count + 2, 2 * len(documents) + 1)
        own[documents] += _saturated(OWN * times, narrow[documents], rarity)
        held[documents] += (OWN * times).astype(np.int32)
        for weight, moved in near:
            target = moved[documents]
            there = target != NONE
            held[target[there]] += (weight * times[there]).astype(np.int32)
        touched = np.flatnonzero(held)
        window[touched] += _saturated(held[touched].astype(np.int64), wide[touched], rarity)
        held[touched] = 0
    return window, own


def session_scores(collection: Collection, stems: Sequence[str]) -> Numbers:
    """The same over whole sessions, one number for each; the session that is none has 0."""
    sessions = collection.column("sessions").astype(np.int64)
    count = int(sessions.max(initial=0)) + 1
    lengths = np.bincount(sessions, collection.column("lengths"), count).astype(np.int64)
    lengths[0] = 0
    total = np.zeros(count, np.int64)
    if count == 1:
        return total
    penalty = _penalty(lengths[1:])
    for stem in stems:
        documents, times = collection.postings.find(words.key(stem), collection.count)
        held = np.bincount(sessions[documents], times, count).astype(np.int64)[1:]
        holding = int(np.count_nonzero(held))
        if holding:
            rarity = log2_ppm(2 * count, 2 * holding + 1)
            total[1:] += _saturated(held * UNIT, penalty, rarity)
    return total


def _neighbours(collection: Collection) -> list[tuple[int, Integers]]:
    """Where a word said in a document counts too. What is said before helps the one after it."""
    before = collection.column("before")
    after = collection.after
    return [
        (BEFORE[0], after),
        (BEFORE[1], _twice(after)),
        (AFTER[0], before),
        (AFTER[1], _twice(before)),
    ]


def _twice(moved: Integers) -> Integers:
    return np.where(moved == NONE, NONE, moved[moved])


def _penalty(lengths: Numbers) -> Numbers:
    """What is added below the fraction: BM25's k1 * (1 - b + b * length / mean length)."""
    total = max(int(lengths.sum()), 1)
    share = B_PERCENT * lengths * len(lengths) * FINE // total
    return K1_TENTHS * ((100 - B_PERCENT) * FINE + share) // 100


def _saturated(held: Numbers, penalty: Numbers, rarity: int) -> Numbers:
    return rarity * (UNIT + K1_TENTHS) * FINE // UNIT * held // (FINE * held + penalty)


def shares(values: Numbers, best: int) -> Numbers:
    """Scores as millionths of the best one."""
    return values * MILLION // max(best, 1)
