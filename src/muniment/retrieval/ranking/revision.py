"""Revisions: what the same person said later of the value that an older answer gives.

A question leads to "I bank with Santander"; what leads from there to "Closed my Santander account
and went to Monzo" is the value, which only the older answer names. So the words of the best
answers are looked for once more, among what says that they are over.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.index import document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import COUNTS, TELLS_CHANGE, Mask
from muniment.retrieval.languages import ended_values
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.text import tokenizer

READ: Final = 4  # best answers whose words are looked for
OFTEN: Final = 20  # a word that one text in so many has is nobody's value

Numbers = NDArray[np.int64]
Texts = Callable[[Numbers], Sequence[str | None]]  # what documents say; None: erased meanwhile
Revised = Sequence[tuple[int, int]]  # a newer document, and an older one that it revises


def find_revisions(collection: Collection, asked: Query, best: Numbers, texts: Texts) -> Revised:
    """What revises the best answers, each with the one that it revises."""
    best = best[stated(collection, asked, best)]
    if asked.of_then or asked.codes or not len(best):
        return ()
    return [
        (newer, older)
        for older, text in zip(best.tolist(), texts(best), strict=True)
        for newer in _revising(collection, asked, older, text or "")
        if _is_newer(collection, newer, older)
    ]


def _revising(collection: Collection, asked: Query, older: int, text: str) -> Iterator[int]:
    """What says that a value of an answer is over, and what gives another number of the same."""
    words = [each for each in tokenizer.spelled(text) if not tokenizer.is_stop(each)]
    beyond = sorted({each for each in words if tokenizer.stem(each) not in asked.words})
    yield from _having(collection, asked, map(ended_values.term, beyond)).tolist()
    plain = not (asked.own_letters or any(asked.names))
    if asked.wants_amount and plain and _has(collection, older, COUNTS):
        for newer in _having(collection, asked, map(tokenizer.stem, beyond)).tolist():
            if _has(collection, newer, COUNTS) and _has(collection, newer, TELLS_CHANGE):
                yield newer


def _has(collection: Collection, number: int, flag: int) -> bool:
    return bool(collection.column("flags")[number] & flag)


def stated(collection: Collection, asked: Query, numbers: Numbers) -> Mask:
    """Which of these a person states, in few words: who says more does not state one value."""
    short: Mask = collection.column("lengths")[numbers] <= asked.statement_words
    return short & document_features.are_stated(collection.column("flags")[numbers])


def _having(collection: Collection, asked: Query, terms: Iterable[str]) -> Numbers:
    """The statements that have one of these terms, as far as few have it."""
    keys = list(map(tokenizer.key, terms))
    held = [documents for documents, _ in collection.postings.find(keys, collection.count)]
    rare = [each for each in held if len(each) * OFTEN <= max(collection.count, OFTEN * OFTEN)]
    found: Numbers = np.unique(np.concatenate([np.zeros(0, np.int64), *rare])).astype(np.int64)
    return found[stated(collection, asked, found)]


def _is_newer(collection: Collection, newer: int, older: int) -> bool:
    """Of the same voice, and said later."""
    speakers, moments = collection.column("speakers"), collection.moments
    return bool(speakers[newer] == speakers[older] and moments[newer] > moments[older])
