"""Search in one collection: words by BM25 and vectors by their angle, in whole millionths.

Every statistic (how many entries, how long, how many hold a word) is taken over the collection
that is given and over nothing else: a number shared with another would tell about it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isqrt
from operator import mul
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION, log2_ppm, rounded
from muniment.model.text.tokens import tokens
from muniment.retrieval.ranking.sort_order import best_first

# Words are sure where letters only resemble, so they weigh twice as much.
SPARSE_WEIGHT: Final = 2
DENSE_WEIGHT: Final = 1
LIKENESS_MIN_PPM: Final = 250_000  # unrelated texts resemble each other less than this


class HybridDocument(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    ts: str
    words: tuple[str, ...]
    vector: bytes = b""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    ts: str
    score_ppm: int
    sparse_ppm: int  # of the best of its collection
    dense_ppm: int
    matched: tuple[str, ...]


def search(query: str, vector: bytes, documents: Sequence[HybridDocument]) -> list[Match]:
    """What matches, best first: score descending, time descending, id ascending."""
    words = sorted(set(tokens(query)))
    sparse = _bm25(words, documents)
    best = max(sparse.values(), default=0)
    found: list[Match] = []
    for document in documents:
        share = rounded(sparse[document.id] * MILLION, best) if document.id in sparse else 0
        likeness = cosine_ppm(vector, document.vector)
        if share or likeness >= LIKENESS_MIN_PPM:
            score = SPARSE_WEIGHT * share + DENSE_WEIGHT * likeness
            matched = tuple(word for word in words if word in document.words)
            found.append(
                Match(
                    id=document.id,
                    ts=document.ts,
                    score_ppm=rounded(score, SPARSE_WEIGHT + DENSE_WEIGHT),
                    sparse_ppm=share,
                    dense_ppm=likeness,
                    matched=matched,
                )
            )
    return best_first(found, lambda each: (each.score_ppm, each.ts, each.id))


def cosine_ppm(one: bytes, other: bytes) -> int:
    """The cosine of two int8 vectors in millionths; unlike ones count as nothing."""
    if not one or len(one) != len(other):
        return 0
    left, right = memoryview(one).cast("b"), memoryview(other).cast("b")
    product = sum(map(mul, left, right))
    lengths = _square(one) * _square(other)
    return product * MILLION // max(isqrt(lengths), 1) if product > 0 else 0


@lru_cache(maxsize=65_536)
def _square(vector: bytes) -> int:
    values = memoryview(vector).cast("b")
    return sum(map(mul, values, values))


def _bm25(words: Sequence[str], documents: Sequence[HybridDocument]) -> Mapping[str, int]:
    """With k1 = 1.2 and b = 0.75, multiplied out so that only whole numbers remain."""
    count = len(documents)
    total = sum(len(document.words) for document in documents) or 1
    counted = {each.id: Counter(word for word in each.words if word in words) for each in documents}
    holding = Counter(word for each in counted.values() for word in each)
    scores: dict[str, int] = {}
    for document in documents:
        length = 3 * total + 9 * len(document.words) * count
        score = sum(
            rounded(
                log2_ppm(2 * count + 2, 2 * holding[word] + 1) * 22 * often * total,
                10 * often * total + length,
            )
            for word, often in sorted(counted[document.id].items())
        )
        if score:
            scores[document.id] = score
    return scores
