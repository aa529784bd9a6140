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
    equal = _episodes(now.shelves.named(episodes.SAYINGS, marks.same, COUNTED_MAX))
    worded_so = (each for each in equal if worded(each.summary) == said)
    same = [each for each in worded_so if _lives(now.shelves, each)]
    if same:
        return len(same) + 1, same[0].episodic_id
    # Compared first: to ask of each whether it lives costs more, and few are alike.
    alike = [
        (ppm, each)
        for mark in (marks.one, marks.other)
        for each in _episodes(now.shelves.under(episodes.SAYINGS, mark, LOOKED_AT_MAX))
        if (ppm := similarity.jaccard_ppm(words, similarity.words(each.summary))) >= ALIKE_PPM
    ]
    alike.sort(key=lambda pair: pair[0], reverse=True)  # of those that are equally so, the first
    living = (each.episodic_id for _, each in alike if _lives(now.shelves, each))
    return 1, next(living, "")


def _episodes(lines: Iterator[Line]) -> Iterator[EpisodeWritten]:
    return (line.event for line in lines if isinstance(line.event, EpisodeWritten))


def _lives(shelves: Shelves, told: EpisodeWritten) -> bool:
    return shelves.has(episodes.SHELF, told.episodic_id)
