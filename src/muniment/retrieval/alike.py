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
        word, between, last = found[0], text[last : found.start()], found.end()
        begins = found.start() == len(between) or bool(_ENDS & set(between))
        plain = word.lower()
        if word[0].isupper():
            names.add(plain)
        telling = plain in DATE_WORDS or plain in NEGATIONS or any(map(str.isdigit, word))
        if telling or (word[0].isupper() and not begins and plain != "i"):
            values.append(plain)
    return Saying(words=frozenset(tokens(text)), values=tuple(values), names=frozenset(names))


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
