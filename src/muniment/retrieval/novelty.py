"""Novelty: how much two texts say the same, and when they only look as if they did."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.text import tokens
from muniment.retrieval.fixed import MILLION, rounded

NEGATIONS: Final = frozenset(
    re.findall(
        r"\w+",
        "no not never none nobody nothing neither nor without cannot isnt arent wasnt werent dont "
        "doesnt didnt wont cant shouldnt wouldnt couldnt hasnt havent hadnt",
    )
)
# A capital at the beginning of a sentence makes no name of these.
OPENERS: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and also as at but by for from he her his i if in it its my of on or our she so that "
        "the their then there these they this those to we what when where which who why with yes "
        "you your remember please note",
    )
)
_APOSTROPHE = "\u2019"
_VALUE = re.compile(rf"[^\W\d_]+(?:['{_APOSTROPHE}][^\W\d_]+)*|\d+(?:[.,:/-]\d+)*%?")


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a text says, as far as repetition goes."""

    words: frozenset[str]
    values: tuple[str, ...]  # what it turns on, in its order: numbers, names and negations


def said(text: str) -> Said:
    return Said(words=frozenset(tokens(text)), values=tuple(_values(text)))


def _values(text: str) -> Iterable[str]:
    for found in _VALUE.findall(text):
        word = found.lower().replace(_APOSTROPHE, "'")
        if word.replace("'", "") in NEGATIONS or word.endswith("n't"):
            yield "not"
        elif found[0].isdigit() or (found[0].isupper() and word not in OPENERS):
            yield word


def likeness_ppm(one: Said, other: Said) -> int:
    """Of all the words of two texts, the share that both have."""
    whole = len(one.words | other.words)
    return rounded(len(one.words & other.words) * MILLION, whole) if whole else 0


def same(one: Said, other: Said, least_percent: int) -> bool:
    """Near-duplicates share nearly all their words, and differ in no number, name or negation."""
    alike = one.values == other.values
    return alike and likeness_ppm(one, other) * 100 >= least_percent * MILLION


def duplication_ppm(one: Said, held: Sequence[Said]) -> int:
    """How much of a text is there already: its likeness to the nearest of these."""
    return max((likeness_ppm(one, each) for each in held), default=0)


def keep(texts: Sequence[Said], held: Sequence[Said], least_percent: int) -> tuple[list[int], int]:
    """The places of the texts that are new, best first; and how many only repeat what is held.

    Of near-duplicates among themselves the first is kept. Texts are compared within the same
    values alone, so a long list costs little more than its length.
    """
    known: dict[tuple[str, ...], list[Said]] = {}
    for each in held:
        known.setdefault(each.values, []).append(each)
    kept: list[int] = []
    repeated = 0
    seen: dict[tuple[str, ...], list[Said]] = {}
    for place, one in enumerate(texts):
        if any(same(one, each, least_percent) for each in known.get(one.values, ())):
            repeated += 1
        elif not any(same(one, each, least_percent) for each in seen.get(one.values, ())):
            seen.setdefault(one.values, []).append(one)
            kept.append(place)
    return kept, repeated
