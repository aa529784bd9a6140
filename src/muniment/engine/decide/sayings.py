"""Repeated sentences: how often the same was said, and near-duplicates."""

from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import episodes
from muniment.model.text import similarity
from muniment.model.text.near_duplicates import worded

COUNTED_MAX: Final = 64  # sayings of the same words that are counted
LOOKED_AT_MAX: Final = 8  # likely twins of each mark: bounded, whatever was kept
COMPARED_MAX: Final = 8  # of these, those that share most marks
ALIKE_PPM: Final = 700_000  # shared words of all words: enough to be told of it


def before(now: DecisionContext, text: str) -> tuple[int, str]:
    """How often these words have been said, this time included; and what says them, or nearly."""
    words, shelves = similarity.words(text), now.shelves
    marks = similarity.marks(words)
    if marks is None:
        return 1, ""
    equal, likely = shelves.likely(
        episodes.SAYINGS,
        same=marks.same,
        keys=(marks.one, marks.other),
        each=LOOKED_AT_MAX,
        opened=COMPARED_MAX,
        named=COUNTED_MAX,
    )
    said = worded(text) if equal else ""
    worded_so = [each for each, _ in shelves.compared(equal) if worded(each.text) == said]
    born = shelves.born(episodes.SHELF, [each.id for each in worded_so])
    same = [each for each, place in zip(worded_so, born, strict=True) if place]
    if same:
        return len(same) + 1, same[0].id
    # Compared first: to ask of each whether it lives costs more, and few are alike.
    alike = [
        (ppm, each)
        for each, _ in shelves.compared(likely)
        if (ppm := similarity.jaccard_ppm(words, each.words)) >= ALIKE_PPM
    ]
    alike.sort(key=lambda pair: pair[0], reverse=True)  # of those that are equally so, the first
    living = (each.id for _, each in alike if shelves.has(episodes.SHELF, each.id))
    return 1, next(living, "")
