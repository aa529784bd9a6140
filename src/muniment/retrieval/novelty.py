"""Novelty: how much of a text is there already, and which of many texts are new."""

from collections.abc import Sequence

from muniment.model import sayings
from muniment.model.likeness import jaccard_ppm
from muniment.model.sayings import Saying


def duplication_ppm(one: Saying, held: Sequence[Saying]) -> int:
    """How much of a text is there already: its likeness to the nearest of these."""
    return max((jaccard_ppm(one.words, each.words) for each in held), default=0)


def keep(texts: Sequence[Saying], held: Sequence[Saying], least_ppm: int) -> tuple[list[int], int]:
    """The places of the texts that are new, best first; and how many only repeat what is held.

    Of near-duplicates among themselves the first is kept. Texts are compared within the same
    values alone, so a long list costs little more than its length.
    """
    known: dict[tuple[str, ...], list[Saying]] = {}
    for each in held:
        known.setdefault(each.values, []).append(each)
    kept: list[int] = []
    repeated = 0
    seen: dict[tuple[str, ...], list[Saying]] = {}
    for place, one in enumerate(texts):
        if any(sayings.same(one, each, least_ppm) for each in known.get(one.values, ())):
            repeated += 1
        elif not any(sayings.same(one, each, least_ppm) for each in seen.get(one.values, ())):
            seen.setdefault(one.values, []).append(one)
            kept.append(place)
    return kept, repeated
