"""Since when a text holds: the day it tells of, counted from the day it was told on."""

from collections.abc import Iterable
from typing import Final

from muniment.model import ids
from muniment.retrieval import dates, reckoning
from muniment.retrieval.dates import Named
from muniment.retrieval.spoken import Heard, heard

UNKNOWN: Final = -(1 << 31)  # before every day


def day(text: str, ts: str) -> int:
    """The first day of what a text tells of; without one, the day it was told on."""
    if not ts:
        return UNKNOWN
    told = ids.day_number(ts)
    read = heard(text)
    counted = reckoning.counted(read, ts)
    if counted:
        return min(counted)
    named = dates.named(read)
    return _resolved(named[0], told, ahead=_looks_ahead(read)) if named else told


def _looks_ahead(read: Iterable[Heard]) -> bool:
    return any(
        pattern.search(text)
        for language, text in read
        for pattern in language.patterns(language.looks_ahead)
    )


def _resolved(date: Named, told: int, *, ahead: bool) -> int:
    """A date without a year is the last one there was, or the next where the text looks ahead."""
    year, _, _ = ids.civil(told)
    first, last = date.span(year)
    if date.year:
        return first
    if ahead:
        return first if last >= told else date.span(year + 1)[0]
    return first if first <= told else date.span(year - 1)[0]
