"""Valid from: the day since which a statement holds, relative to the day it was said.

What lies ahead is a plan, and a plan stands since it was told: "the flight is on 15 May" is so in
March. Only what begins on a day ahead ("from May on", "ab April") is not so before it.
"""

from collections.abc import Iterable
from typing import Final

from muniment.model import ids
from muniment.retrieval.dates import date_mentions, relative_dates
from muniment.retrieval.dates.date_mentions import NamedDate
from muniment.retrieval.languages.detect_language import LanguageReading, detect_languages

UNKNOWN: Final = -(1 << 31)  # before every day


def day(text: str, ts: str) -> int:
    """The first day on which it was so; without one, the day it was told on."""
    return days(text, ts)[0]


def tells_of(text: str, ts: str) -> int:
    """The first day of what a text tells of, ahead or not; without one, the day it was told on."""
    return days(text, ts)[1]


def days(text: str, ts: str) -> tuple[int, int]:
    """Since when it was so, and the day it tells of: both at once, for each text is read once."""
    if not ts:
        return UNKNOWN, UNKNOWN
    read, told = detect_languages(text), ids.day_number(ts)
    of = _tells_of(read, ts)
    return (told if of > told and not _has(read, "begins") else of), of


def _tells_of(read: Iterable[LanguageReading], ts: str) -> int:
    told = ids.day_number(ts)
    counted = relative_dates.counted(read, ts)
    if counted:
        return min(counted)
    found = date_mentions.first(read)
    if found is None:
        return told
    date, around = found
    ahead = _has(read, "looks_ahead") or _has([around], "announces")
    return _resolved(date, told, ahead=ahead)


def _has(read: Iterable[LanguageReading], row: str) -> bool:
    return any(
        pattern.search(text)
        for language, text in read
        for pattern in language.patterns(getattr(language, row))
    )


def _resolved(date: NamedDate, told: int, *, ahead: bool) -> int:
    """A date without a year is the last one there was, or the next where the text looks ahead."""
    year, _, _ = ids.civil(told)
    first, last = date.span(year)
    if date.year:
        return first
    if ahead:
        return first if last >= told else date.span(year + 1)[0]
    return first if first <= told else date.span(year - 1)[0]
