"""Near-duplicates: texts that say the same in almost the same words, and differ in no value."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.model.text import tokens

SHARED_PERCENT: Final = 80  # of all their words together
# The "t" is what is left of "don't" once it is split.
NEGATIONS: Final = frozenset(
    {"no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "t"}
)
DATE_WORDS: Final = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "yesterday",
        "tomorrow",
        "last",
        "next",
        "ago",
    ]
)
TELLING: Final = DATE_WORDS | NEGATIONS
_WORD = re.compile(r"[^\W_]+")
_ENDS: Final = frozenset(".!?…")


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """What decides whether two texts are one saying: their words, and the values among them."""

    words: frozenset[str]
    values: tuple[str, ...]  # numbers, dates, negations and names, in their order
    names: frozenset[str]  # capitals, also where a sentence begins and any word has one


def saying(text: str) -> Saying:
    values: list[str] = []
    names: set[str] = set()
    last = 0
    for found in _WORD.finditer(text):
        word = found[0]
        is_name, plain = word[0].isupper(), word.lower()
        if is_name:
            names.add(plain)
        if (
            plain in TELLING
            or not word.isalpha()
            or (is_name and plain != "i" and not _begins(text, last, found.start()))
        ):
            values.append(plain)
        last = found.end()
    return Saying(words=frozenset(tokens(text)), values=tuple(values), names=frozenset(names))


def _begins(text: str, last: int, start: int) -> bool:
    """Whether a sentence begins between the end of one word and the start of the next."""
    return not last or any(mark in _ENDS for mark in text[last:start])


def are_alike(one: Saying, other: Saying) -> bool:
    """Almost the same words, and no number, name, date or negation in only one of them."""
    if one.values != other.values:
        return False
    apart = one.words ^ other.words
    if apart & (one.names | other.names):
        return False
    whole = len(one.words | other.words)
    return (whole - len(apart)) * 100 >= whole * SHARED_PERCENT


def collapse(texts: Sequence[str]) -> list[int | None]:
    """For each text, best first, the place of the earlier one that already says it, or None."""
    kept: list[tuple[int, Saying]] = []
    found: list[int | None] = []
    for place, text in enumerate(texts):
        told = saying(text)
        twin = next((at for at, each in kept if are_alike(told, each)), None)
        found.append(twin)
        if twin is None:
            kept.append((place, told))
    return found
