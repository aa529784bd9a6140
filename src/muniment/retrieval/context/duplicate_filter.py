"""Duplicate filter: the overlap of a text with others, and which of many texts are new."""

from collections.abc import Sequence

from muniment.model.text.near_duplicates import TextSignature, ToldTexts
from muniment.model.text.similarity import jaccard_ppm


def duplication_ppm(one: TextSignature, held: Sequence[TextSignature]) -> int:
    """How much of a text is there already: its likeness to the nearest of these."""
    return max((jaccard_ppm(one.words, each.words) for each in held), default=0)


def keep(
    texts: Sequence[TextSignature], held: Sequence[TextSignature], least_ppm: int
) -> tuple[list[int], list[int]]:
    """The places of the texts that are new, best first; and of those that repeat what is held.

    Of near-duplicates among themselves the first is kept.
    """
    known, seen = ToldTexts(least_ppm), ToldTexts(least_ppm)
    for each in held:
        known.add(each)
    kept: list[int] = []
    repeated: list[int] = []
    for place, one in enumerate(texts):
        if known.twin(one) >= 0:
            repeated.append(place)
        elif seen.twin(one) < 0:
            seen.add(one)
            kept.append(place)
    return kept, repeated
