"""What a text shows by itself: its words, what it asks, if it tells a time, if a person said it."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, Protocol

from muniment.model.characters import known
from muniment.retrieval import dates, sentences, words

ASKS: Final = 1
TELLS_TIME: Final = 2
BY_PERSON: Final = 4  # a user said it, not a machine
QUESTION_SHIFT: Final = 3  # above these: the number of its last sentence that asks, from 1 on

QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f")

TIME_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """today yesterday tomorrow tonight ago last next since recently week weeks weekend weekends
        month months year years day days morning afternoon evening night hour hours minute minutes
        spring summer autumn fall winter""",
    )
    + dates.MONTHS
    + dates.WEEKDAYS
)
_MARK = re.compile(f"[{''.join(QUESTION_MARKS)}]")
_YEAR = r"(?:19|20)\d\d"
_TIME = re.compile(rf"\b(?:{_YEAR}|{'|'.join(sorted(TIME_WORDS))})\b", re.IGNORECASE)
_RUN = re.compile(r"\w+")
_YEARS = re.compile(rf"\b{_YEAR}\b")


Words = Mapping[int, int]  # the number of a word, and how often it is there
Traits = tuple[Words, int]  # and the flags


class Said(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def role(self) -> str: ...


def of(said: Said) -> Traits:
    """The words of a document, by number, and its flags."""
    spelled = words.spelled(said.text)
    counted = Counter([words.number(each) for each in spelled if each not in words.STOP_WORDS])
    flags = 0
    if said.text.rstrip().endswith(QUESTION_MARKS):
        flags |= ASKS
    if _tells_time(said.text):
        flags |= TELLS_TIME
    if said.role == "user":
        flags |= BY_PERSON
    return counted, flags | _question(said.text) << QUESTION_SHIFT


def _question(text: str) -> int:
    """Which of its sentences asks, the last of them if several do; 0 if none does."""
    if not _MARK.search(text):
        return 0
    asking = [bool(_MARK.search(sentence)) for sentence in sentences.split(text)]
    return len(asking) - asking[::-1].index(True) if any(asking) else 0


def _tells_time(text: str) -> bool:
    if not text.isascii():
        return _TIME.search(known(text)) is not None
    # The same, several times faster: no letter of ASCII has a case that looks otherwise.
    return not TIME_WORDS.isdisjoint(_RUN.findall(text.lower())) or bool(_YEARS.search(text))
