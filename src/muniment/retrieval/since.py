"""Since when a text holds: the day it tells of, counted from the day it was told on."""

import re
from typing import Final

from muniment.model import ids
from muniment.model.characters import known
from muniment.retrieval import dates, reckoning
from muniment.retrieval.dates import Named

UNKNOWN: Final = -(1 << 31)  # before every day
_AHEAD = re.compile(r"\b(?:will|shall|going to|plan(?:ning|s|ned)? to|next|upcoming)\b|'ll\b", re.I)


def day(text: str, ts: str) -> int:
    """The first day of what a text tells of; without one, the day it was told on."""
    if not ts:
        return UNKNOWN
    told = ids.day_number(ts)
    counted = reckoning.counted(text, ts)
    if counted:
        return min(counted)
    named = dates.named(text)
    return _resolved(named[0], told, ahead=bool(_AHEAD.search(known(text)))) if named else told


def _resolved(date: Named, told: int, *, ahead: bool) -> int:
    """A date without a year is the last one there was, or the next where the text looks ahead."""
    year, _, _ = ids.civil(told)
    first, last = date.span(year)
    if date.year:
        return first
    if ahead:
        return first if last >= told else date.span(year + 1)[0]
    return first if first <= told else date.span(year - 1)[0]
