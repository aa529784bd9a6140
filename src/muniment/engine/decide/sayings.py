"""Repeated sentences: how often the same has been said, and what says nearly the same."""

from collections.abc import Iterator
from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import episodes
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events import EpisodeWritten
from muniment.model.text import similarity
from muniment.model.text.near_duplicates import worded

COUNTED_MAX: Final = 64  # sayings of the same words that are counted
LOOKED_AT_MAX: Final = 8  # likely twins of each mark: bounded, whatever was kept
ALIKE_PPM: Final = 700_000  # shared words of all words: enough to be told of it


def before(now: DecisionContext, text: str) -> tuple[int, str]:
    """How often these words have been said, this time included; and what says them, or nearly."""
    words = similarity.words(text)
    marks = similarity.marks(words)
    if marks is None:
        return 1, ""
    said = worded(text)
    equal = _living(now.shelves, now.shelves.named(episodes.SAYINGS, marks.same, COUNTED_MAX))
    same = [each for each in equal if worded(each.summary) == said]
    if same:
        return len(same) + 1, same[0].episodic_id
    alike = [
        (similarity.jaccard_ppm(words, frozenset(similarity.words(each.summary))), each)
        for mark in (marks.one, marks.other)
        for each in _living(now.shelves, now.shelves.under(episodes.SAYINGS, mark, LOOKED_AT_MAX))
    ]
    best = max(alike, key=lambda pair: pair[0], default=None)
    return 1, best[1].episodic_id if best and best[0] >= ALIKE_PPM else ""


def _living(shelves: Shelves, lines: Iterator[Line]) -> Iterator[EpisodeWritten]:
    for line in lines:
        told = line.event
        if isinstance(told, EpisodeWritten) and shelves.has(episodes.SHELF, told.episodic_id):
            yield told
