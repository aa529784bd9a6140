"""The days that a question names: a day, a month, a year, or so long ago."""

import re
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.characters import known

MONTHS: Final = re.findall(
    r"\w+",
    "january february march april may june july august september october november december",
)
WEEKDAYS: Final = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
NUMBERS: Final = re.findall(
    r"\w+", "zero one two three four five six seven eight nine ten eleven twelve"
)
MONDAY: Final = 4  # the first day number that is a Monday: 1970 began on a Thursday
YEAR_DAYS: Final = 365
MONTH_DAYS: Final = 30
DAYS: Final = {"day": 1, "week": 7, "month": MONTH_DAYS, "year": YEAR_DAYS}
DECEMBER: Final = 12

_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_PATTERNS = (
    re.compile(rf"\b{_YEAR}[-/](?P<number>[01]?\d)[-/](?P<day>[0-3]?\d)\b"),
    re.compile(rf"\b{_DAY}(?: of)? (?P<month>{_MONTH})\b\.?(?:,? {_YEAR})?", re.IGNORECASE),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.? {_DAY}\b(?:,? {_YEAR})?", re.IGNORECASE),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.?,? (?:of )?{_YEAR}", re.IGNORECASE),
    # A month alone is a name only with a capital: "may" and "march" are mostly verbs.
    re.compile(r"\b(?P<month>" + "|".join(month.title() for month in MONTHS) + r")\b"),
    re.compile(rf"\b{_YEAR}\b"),
)
# What every date, and every way of counting back, has in it: most questions have nothing of it.
_DATED = re.compile(r"\d|" + "|".join(month.title() for month in MONTHS))
_COUNTED = re.compile(r"\b(?:last|past|today|yesterday|this)|ago\b", re.IGNORECASE)
_SEVERAL = rf"\d{{1,3}}|{'|'.join(NUMBERS)}|couple of|few"
_UNIT = rf"(?P<unit>{'|'.join(DAYS)})"
_AGO = re.compile(rf"\b(?:a )?(?P<amount>an?|{_SEVERAL}) {_UNIT}s? ago\b", re.IGNORECASE)
# "Last month" is the one before this one; "in the last month" goes on until today.
_PAST = re.compile(
    rf"\b(?:past|last(?= (?:{_SEVERAL}) )|(?:in|over|during|within|for) the last)"
    rf"(?: (?P<amount>{_SEVERAL}))? {_UNIT}s?\b(?! of\b)",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"\blast (?P<unit>week|weekend|month|year|{'|'.join(WEEKDAYS)})\b(?! of\b)", re.IGNORECASE
)
# Tonight lies ahead of whoever speaks of it.
_NEAR = re.compile(r"\b(?P<word>today|yesterday|this (?:week|month|year))\b", re.IGNORECASE)


class Named(msgspec.Struct, frozen=True, kw_only=True):
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


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Days counted back from another: from the first to the last, both included."""

    first: int
    last: int
    today: int  # the day they are counted from


def named(text: str) -> tuple[Named, ...]:
    """The dates in a text, each piece of it read once, the fullest reading first."""
    if not _DATED.search(text):
        return ()
    found: dict[Named, None] = {}
    rest = known(text)
    for pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            date = _date(match.groupdict())
            if date is not None:
                found[date] = None
        rest = pattern.sub(lambda match: "#" * len(match.group()), rest)
    return tuple(found)


def counted_back(text: str, as_of: str) -> tuple[Span, ...]:
    """What "two weeks ago" or "last Friday" means on the day the question is asked."""
    text = known(text)
    if not as_of or not _COUNTED.search(text):
        return ()
    today = ids.day_number(as_of)
    found = [_past(match.groupdict(), today) for match in _PAST.finditer(text)]
    rest = _PAST.sub("#", text) if found else text
    found += [_ago(match.groupdict(), today) for match in _AGO.finditer(rest)]
    found += [_last(match.group("unit").lower(), today) for match in _LAST.finditer(rest)]
    found += [_near(match.group("word").lower(), today) for match in _NEAR.finditer(rest)]
    return tuple(Span(first=first, last=last, today=today) for first, last in found)


def _date(parts: dict[str, str | None]) -> Named | None:
    month = int(parts.get("number") or 0)
    if name := parts.get("month"):
        month = next(n for n, full in enumerate(MONTHS, 1) if full.startswith(name.lower()[:3]))
    day = int(parts.get("day") or 0)
    if month > DECEMBER or day > 31:  # noqa: PLR2004
        return None
    return Named(year=int(parts.get("year") or 0), month=month, day=day)


def _past(parts: dict[str, str | None], today: int) -> tuple[int, int]:
    return today - _so_long(parts), today


def _ago(parts: dict[str, str | None], today: int) -> tuple[int, int]:
    middle = today - _so_long(parts)
    # The longer ago, the less exactly is it meant.
    slack = {"day": 1, "week": 3, "month": 15, "year": 180}[str(parts["unit"]).lower()]
    return middle - slack, min(today, middle + slack)


def _so_long(parts: dict[str, str | None]) -> int:
    """In days."""
    return amount((parts["amount"] or "").lower()) * DAYS[str(parts["unit"]).lower()]


def amount(word: str) -> int:
    if word.isdecimal():
        return int(word)
    if word in NUMBERS:
        return NUMBERS.index(word)
    return {"couple of": 2, "few": 3}.get(word, 1)


def _last(unit: str, today: int) -> tuple[int, int]:
    monday = today - (today - MONDAY) % 7
    if unit in WEEKDAYS:
        day = today - ((today - MONDAY - WEEKDAYS.index(unit) - 1) % 7 + 1)
        return day, day
    if unit == "weekend":
        return monday - 2, monday - 1
    if unit == "week":
        return monday - 7, monday - 1
    year, month, _ = ids.civil(today)
    if unit == "year":
        return ids.days(year - 1, 1, 1), ids.days(year, 1, 1) - 1
    first = ids.days(year, month, 1)
    before = ids.civil(first - 1)
    return ids.days(before[0], before[1], 1), first - 1


def _near(word: str, today: int) -> tuple[int, int]:
    year, month, _ = ids.civil(today)
    first = {
        "yesterday": today - 1,
        "this week": today - (today - MONDAY) % 7,
        "this month": ids.days(year, month, 1),
        "this year": ids.days(year, 1, 1),
    }.get(word, today)
    return first, today - 1 if word == "yesterday" else today
