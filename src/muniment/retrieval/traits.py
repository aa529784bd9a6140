"""What a text shows by itself: its words, whether it asks, tells a time, was said by a person."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, Protocol

from muniment.retrieval import dates, words

ASKS: Final = 1
TELLS_TIME: Final = 2
BY_PERSON: Final = 4  # a user said it, not a machine

_TIME_WORDS = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|ago|last|next|since|recently|week(?:end)?s?|months?|"
    r"years?|days?|morning|afternoon|evening|night|hours?|minutes?|spring|summer|autumn|fall|"
    rf"winter|(?:19|20)\d\d|{'|'.join(dates.MONTHS)}|{'|'.join(dates.WEEKDAYS)})\b",
    re.IGNORECASE,
)


Words = Mapping[int, int]  # the number of a word, and how often it is there


class Said(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def role(self) -> str: ...


def of(said: Said) -> tuple[Words, int]:
    """The words of a document, by number, and its flags."""
    spelled = words.spelled(said.text)
    counted = Counter(words.key(words.stem(each)) for each in spelled if not words.is_stop(each))
    flags = 0
    if said.text.rstrip().endswith(("?", "\uff1f", "\u061f")):
        flags |= ASKS
    if _TIME_WORDS.search(said.text):
        flags |= TELLS_TIME
    if said.role == "user":
        flags |= BY_PERSON
    return counted, flags
