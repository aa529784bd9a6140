"""Corrections: what a person says directly behind an answer to take it back.

"No sorry, 14:30" has no word of "The sprint review is Thursdays at 14:00", so no search finds it
for the question about the review. That it follows directly is what tells what it corrects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from muniment.model.languages.phrases import correction_words
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_features import BY_PERSON, UNREAL
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking.revision import Numbers, Revised, Texts

CORRECTS: Final = "corrects"
BEHIND: Final = 6  # documents behind an answer, among which its correction is looked for
FOUND_MAX: Final = 16


def find_corrections(collection: Collection, best: Numbers, texts: Texts) -> Revised:
    """What takes one of the best answers back, with the answer, and what takes that back again."""
    waiting, found = best.tolist(), dict[tuple[int, int], None]()
    while waiting and len(found) < FOUND_MAX:
        older = waiting.pop(0)
        pairs = [(newer, older) for newer in _correcting(collection, older, texts)]
        waiting += [newer for newer, _ in pairs if newer not in waiting]
        found |= dict.fromkeys(pairs)
    return tuple(found)


def _correcting(collection: Collection, older: int, texts: Texts) -> Iterator[int]:
    """The next thing that the same person says in the same talk, wherever it is kept."""
    near = np.arange(older, min(older + 1 + BEHIND, collection.count))
    for name in ("sessions", "speakers"):
        column = collection.column(name)
        near = near[column[near] == column[older]]
    near = near[collection.column("flags")[near] & (BY_PERSON | UNREAL) == BY_PERSON]
    if older not in near:  # a machine's word, or a dream
        return
    (told,) = texts(near[:1])
    bare = ""
    for number in near[1:].tolist():  # one by one: the first that tells something decides
        (text,) = texts(np.array([number]))
        if bare:
            if text == bare:
                yield number
        elif text != told and not small_talk.is_all(text or ""):
            if not correction_words.is_bare(text or ""):
                return
            bare = text or ""
            yield number
