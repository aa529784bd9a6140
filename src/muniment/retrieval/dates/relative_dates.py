"""Relative dates: "two weeks ago" resolved against the day on which it was said."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from muniment.model import ids
from muniment.model.languages.language_table import Language, take_matches
from muniment.model.languages.word_pattern import WordPattern
from muniment.retrieval.dates import date_mentions
from muniment.retrieval.dates.date_mentions import MONDAY, WEEK_DAYS
from muniment.retrieval.languages.detect_language import LanguageReading

Reckon = Callable[[re.Match[str]], int]
Rule = tuple[WordPattern, Reckon]

MONTHS: Final = {"month": 1, "year": 12}


def counted(heard: Iterable[LanguageReading], ts: str) -> list[int]:
    """The first day of each time that a text counts to; it is counted as it is said, to the day."""
    return [
        day
        for language, text in heard
        if language.counted.search(text)
        for day in _counted(language, text, ids.day_number(ts))
    ]


def _counted(language: Language, text: str, told: int) -> list[int]:
    rest = text
    for pattern in language.patterns(language.left_alone):
        rest = pattern.sub("#", rest)
    found: list[int] = []
    for pattern, reckon in _rules(language, text, told):
        here, rest = take_matches(pattern, rest)
        found += map(reckon, here)
    return found + [first for first, _ in date_mentions.back(language, rest, told)]


def _rules(language: Language, text: str, told: int) -> Iterator[Rule]:
    yield from _days(language, told)
    yield from _amounts(language, told, -1, language.ago)
    yield from _amounts(language, told, 1, language.from_now)
    yield from _periods(language, told)
    # "I wrote it in two days" tells how long it took.
    if not any(pattern.search(text) for pattern in language.patterns(language.tells_past)):
        yield from _amounts(language, told, 1, language.within)


def _days(language: Language, told: int) -> Iterator[Rule]:
    for shift, phrases in ((-1, language.weekday_last), (1, language.weekday_next)):
        yield from _weekdays(language, told, shift, phrases)
    near, shifts = language.told_near
    yield near, lambda match: told + shifts[match.lastgroup or ""]


def _weekdays(
    language: Language, told: int, shift: int, phrases: tuple[str, ...]
) -> Iterator[Rule]:
    for pattern in language.patterns(phrases):
        yield pattern, lambda match: date_mentions.weekday(language, match, told, shift)[0]


def _amounts(language: Language, told: int, way: int, phrases: tuple[str, ...]) -> Iterator[Rule]:
    for pattern in language.patterns(phrases):
        yield pattern, lambda match: _moved(language, match, told, way)


def _periods(language: Language, told: int) -> Iterator[Rule]:
    for pattern in language.patterns(language.next):
        yield pattern, lambda match: _next(language, match, told)
    for pattern, named in language.whole_periods:
        if named.shift > 0:
            first, _ = date_mentions.period(named.unit, named.shift, told)
            yield pattern, partial(_always, first)


def _always(day: int, _: re.Match[str]) -> int:
    return day


def _moved(language: Language, match: re.Match[str], told: int, way: int) -> int:
    count, unit = date_mentions.so_long(language, match)
    months = MONTHS.get(unit, 0)
    if date_mentions.is_half(language, match):
        return _months_on(told, way * (months // 2))
    if months:
        return _months_on(told, way * count * months)
    return told + way * count * date_mentions.DAYS[unit]


def _months_on(told: int, months: int) -> int:
    """The same day of another month, or its last one where it is shorter."""
    year, month, day = ids.civil(told)
    first = date_mentions.month_first(year, month + months)
    after = date_mentions.month_first(year, month + months + 1)
    return min(first + day - 1, after - 1)


def _next(language: Language, match: re.Match[str], told: int) -> int:
    """Its first day; a weekday is the first one to come, as the last one is the last there was."""
    word = language.word(match["unit"])
    if word in language.weekday_of:
        return told + 1 + (language.weekday_of[word] - (told + 1 - MONDAY)) % WEEK_DAYS
    return date_mentions.period(language.unit_of[word], 1, told)[0]
