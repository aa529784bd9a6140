"""Date mentions: the days that a text or a question names, absolute or relative."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.languages.language_table import WEEKEND, Language, take_matches
from muniment.retrieval.languages.detect_language import LanguageReading

MONDAY: Final = 4  # the first day number that is a Monday: 1970 began on a Thursday
WEEK_DAYS: Final = 7
# The longer ago, the less exactly is it meant.
DAYS: Final = {"day": 1, "week": WEEK_DAYS, "fortnight": 14, "month": 30, "year": 365}
SLACK: Final = {"day": 1, "week": 3, "fortnight": 3, "month": 15, "year": 180}
DECEMBER: Final = 12
MONTH_DAYS_MAX: Final = 31


class NamedDate(msgspec.Struct, frozen=True, kw_only=True):
    """A date as far as it was named: 0 where it was not."""

    year: int = 0
    month: int = 0
    day: int = 0

    def span(self, year: int) -> tuple[int, int]:
        """Its first and its last day, in the given year if it names none."""
        year = self.year or year
        if not self.month:
            return ids.days(year, 1, 1), ids.days(year, DECEMBER, 31)
        first = ids.days(year, self.month, 1)
        after = ids.days(year + self.month // DECEMBER, self.month % DECEMBER + 1, 1)
        if not self.day:
            return first, after - 1
        day = min(first + self.day - 1, after - 1)
        return day, day


class DayRange(msgspec.Struct, frozen=True, kw_only=True):
    """Days counted back from another: from the first to the last, both included."""

    first: int
    last: int
    today: int  # the day they are counted from


Days = tuple[int, int]  # the first and the last of them


def find_dates(heard: Iterable[LanguageReading]) -> tuple[NamedDate, ...]:
    """The dates in a text, each piece of it read once, the fullest reading first."""
    found: dict[NamedDate, None] = {}
    for language, text in heard:
        if not language.dated.search(text):
            continue
        years = {date.year for date in found}
        for date in _named(language, text):
            # The year of a date that another language has read in full is no date of its own.
            if date.month or date.year not in years:
                found[date] = None
    return tuple(found)


def first(heard: Iterable[LanguageReading]) -> tuple[NamedDate, LanguageReading] | None:
    """The date that a text names, of several the first, and the text with a "#" in its place."""
    for language, text in heard:
        for match in _matches(language, text) if language.dated.search(text) else ():
            if date := _date(language, match.groupdict()):
                before, behind = match.string[: match.start()], match.string[match.end() :]
                return date, LanguageReading(language, f"{before}#{behind}")
    return None


def without_dates(language: Language, text: str) -> str:
    """A text with a "#" in place of each date."""
    for pattern in language.all_dates if language.dated.search(text) else ():
        text = pattern.sub("#", text)
    return text


def months_of_days(heard: Iterable[LanguageReading]) -> Iterator[str]:
    """The names of months as they stand beside a day of theirs: of "4 March" the "March"."""
    for language, text in heard:
        for match in _matches(language, text):
            parts = match.groupdict()
            if parts.get("day") and parts.get("month"):
                yield match["month"]


def counted_back(heard: Iterable[LanguageReading], as_of: str) -> tuple[DayRange, ...]:
    """What "two weeks ago" or "last Friday" means on the day the question is asked."""
    counting = [each for each in heard if each.language.counted.search(each.text)]
    if not as_of or not counting:
        return ()
    today = ids.day_number(as_of)
    return tuple(
        DayRange(first=first, last=last, today=today)
        for language, text in counting
        for first, last in back(language, text, today)
    )


def back(language: Language, text: str, today: int) -> Iterator[Days]:
    """Every time that a text of one language counts back to."""
    rest = text
    for pattern in language.patterns(language.lately):
        found, rest = take_matches(pattern, rest)
        yield from ((today - _days(language, match)[0], today) for match in found)
    for pattern in language.patterns(language.weekday_last):
        found, rest = take_matches(pattern, rest)
        yield from (weekday(language, match, today, -1) for match in found)
    for pattern in language.patterns(language.ago):
        yield from (_ago(language, match, today) for match in pattern.finditer(rest))
    for pattern in language.patterns(language.last):
        yield from (_last(language, match, today) for match in pattern.finditer(rest))
    yield from _near(language, rest, today)


def so_long(language: Language, match: re.Match[str]) -> tuple[int, str]:
    """How many of which unit; a half counts for none."""
    parts = match.groupdict()
    if whole := parts.get("whole"):
        return language.whole_of[whole]
    return _amount(language, parts.get("amount") or ""), unit(language, match)


def is_half(language: Language, match: re.Match[str]) -> bool:
    return language.word(match.groupdict().get("amount") or "") in language.halves


def unit(language: Language, match: re.Match[str]) -> str:
    return language.unit_of[language.word(match["unit"])]


def period(unit: str, shift: int, today: int) -> Days:
    """The week, weekend, month or year that lies so many of them from this one."""
    if unit in {"week", WEEKEND}:
        monday = today - (today - MONDAY) % WEEK_DAYS + shift * WEEK_DAYS
        return monday + (5 if unit == WEEKEND else 0), monday + 6
    year, month, _ = ids.civil(today)
    if unit == "year":
        return ids.days(year + shift, 1, 1), ids.days(year + shift + 1, 1, 1) - 1
    return month_first(year, month + shift), month_first(year, month + shift + 1) - 1


def month_first(year: int, month: int) -> int:
    """The first day of a month, which may be counted beyond its year."""
    place = year * DECEMBER + month - 1
    return ids.days(place // DECEMBER, place % DECEMBER + 1, 1)


def _named(language: Language, text: str) -> Iterator[NamedDate]:
    dates = (_date(language, match.groupdict()) for match in _matches(language, text))
    yield from (date for date in dates if date is not None)


def _matches(language: Language, text: str) -> Iterator[re.Match[str]]:
    rest = text
    for pattern in language.all_dates:
        found, rest = take_matches(pattern, rest)
        yield from found


def _date(language: Language, parts: Mapping[str, str | None]) -> NamedDate | None:
    month = int(parts.get("number") or 0)
    if name := parts.get("month"):
        month = language.month_of[language.word(name)]
    day = _monthday(language, parts.get("day") or "0")
    if month > DECEMBER or day > MONTH_DAYS_MAX:
        return None
    return NamedDate(year=int(parts.get("year") or 0), month=month, day=day)


def _monthday(language: Language, word: str) -> int:
    return int(word) if word.isdecimal() else language.monthday_of[language.word(word)]


def _ago(language: Language, match: re.Match[str], today: int) -> Days:
    days, slack = _days(language, match)
    return today - days - slack, min(today, today - days + slack)


def _days(language: Language, match: re.Match[str]) -> tuple[int, int]:
    """About so many days, and how many more or less it may have been."""
    count, unit = so_long(language, match)
    if is_half(language, match):
        return DAYS[unit] // 2, SLACK[unit] // 2
    return count * DAYS[unit], SLACK[unit]


def _amount(language: Language, word: str) -> int:
    word = language.word(word)
    return int(word) if word.isdecimal() else language.number_of.get(word, 1)


def _last(language: Language, match: re.Match[str], today: int) -> Days:
    word = language.word(match["unit"])
    if word in language.weekday_of:
        day = today - ((today - MONDAY - language.weekday_of[word] - 1) % WEEK_DAYS + 1)
        return day, day
    return period(language.unit_of[word], -1, today)


def weekday(language: Language, match: re.Match[str], today: int, shift: int) -> Days:
    """A day of the week before this one or of the next."""
    monday, _ = period("week", shift, today)
    day = monday + language.weekday_of[language.word(match["unit"])]
    return day, day


def _near(language: Language, rest: str, today: int) -> Iterator[Days]:
    pattern, shifts = language.near
    for match in pattern.finditer(rest):
        day = today + shifts[match.lastgroup or ""]
        yield day, day
    for pattern in language.patterns(language.this):
        for match in pattern.finditer(rest):
            yield period(unit(language, match), 0, today)[0], today
    for pattern, named in language.whole_periods:
        if named.shift <= 0 and pattern.search(rest):
            first, last = period(named.unit, named.shift, today)
            yield first, min(last, today)
