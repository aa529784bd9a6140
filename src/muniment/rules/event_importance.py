"""Importance of an event: by kind, raised by a correction, lowered by repetition."""

import re
from typing import Final

from muniment.model.kinds.loop import EventKind
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known

IMPORTANCE_MIN: Final = 1
IMPORTANCE_MAX: Final = 7
CORRECTION: Final = 2
REPETITION_MAX: Final = 3

BY_KIND: Final = {
    EventKind.USER_INPUT: 4,
    EventKind.ERROR: 4,
    EventKind.ACTOR_OUTPUT: 3,
    EventKind.SUBCONSCIOUS_OUTPUT: 3,
    EventKind.TOOL_RESULT: 2,
    EventKind.SUBCONSCIOUS_PROMPT: 2,
    EventKind.TOOL_CALL: 1,
    EventKind.SYSTEM_EVENT: 1,
}

_CORRECTS = lazy_pattern(
    r"\bactually\b|\bcorrection\b|\bnot\b.+\bbut\b|\bno, |\binstead of\b", re.I
)


def initial(kind: EventKind) -> int:
    return BY_KIND[kind]


def grade(kind: EventKind, text: str, *, others_alike: int) -> tuple[int, tuple[str, ...]]:
    """The importance of an event among all of its collection, and the reasons for it."""
    reasons = [f"kind:{kind}"]
    importance = initial(kind)
    if is_correction(kind, text):
        importance += CORRECTION
        reasons.append("user_correction")
    if others_alike:
        reasons.append("repetition")
    return lowered(importance, others_alike), tuple(reasons)


def lowered(importance: int, others_alike: int) -> int:
    """The importance of an event that others say as well."""
    left = importance - min(others_alike, REPETITION_MAX)
    return max(IMPORTANCE_MIN, min(IMPORTANCE_MAX, left))


def is_correction(kind: EventKind, text: str) -> bool:
    return kind is EventKind.USER_INPUT and bool(_CORRECTS.search(known(text)))
