"""The days that a text counts to from the day it was told on: two weeks ago, next month."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from muniment.model import ids
from muniment.model.characters import known
from muniment.retrieval import dates
from muniment.retrieval.dates import DECEMBER, MONDAY, NUMBERS, WEEKDAYS

Rule = tuple[re.Pattern[str], Callable[[re.Match[str], int], int]]

DAYS: Final = {"day": 1, "week": 7, "fortnight": 14}
MONTHS: Final = {"month": 1, "year": 12}
HALF: Final = "half a"  # of a year
NEAR: Final = {
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "day after tomorrow": 2,
}

_UNIT = rf"(?P<unit>{'|'.join([*DAYS, *MONTHS])})s?"
_AMOUNT = rf"(?P<amount>half a|an?|\d{{1,3}}|{'|'.join(NUMBERS)}|couple of|few)"
_NEXT = rf"next (?P<unit>week|weekend|month|year|{'|'.join(WEEKDAYS)})\b"
_NEAR = r"(?P<near>(?:day before )?yesterday|(?:day after )?tomorrow|last night)"
# Most texts count to no day at all.
_COUNTED = re.compile(
    r"\b(?:ago|next|last|past|this|today|yesterday|tomorrow|from (?:now|today))\b"
    rf"|\bin (?:\d|an? |half |{'|'.join(NUMBERS)})",
    re.IGNORECASE,
)
# Until when something goes on, or before what it was, says not since when it is so; and the next
# week of a story is counted from the week before it in the story.
_LEFT_ALONE = re.compile(
    r"\b(?:(?<!day )(?:before|after|until|till|by) (?:last|next|tomorrow|yesterday)|the next)\b",
    re.IGNORECASE,
)
_AGO = re.compile(rf"\b(?:a )?{_AMOUNT} {_UNIT} ago\b", re.IGNORECASE)
_FROM_NOW = re.compile(rf"\b(?:a )?{_AMOUNT} {_UNIT} from (?:now|today)\b", re.IGNORECASE)
# "I wrote it in two days" tells how long it took.
_IN = re.compile(rf"\bin (?:a )?{_AMOUNT} {_UNIT}\b(?! of\b)", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|did|had|got|took|went|made|came|wrote|ran|built|read|\w{2,}ed)\b", re.IGNORECASE
)
_AHEAD = re.compile(rf"\b{_NEXT}", re.IGNORECASE)
_WORD = re.compile(rf"\b{_NEAR}\b", re.IGNORECASE)


def counted(text: str, ts: str) -> list[int]:
    """The first day of each time that a text counts to; it is counted as it is said, to the day."""
    text = known(text)
    if not _COUNTED.search(text):
        return []
    told = ids.day_number(ts)
    rest = _LEFT_ALONE.sub("#", text)
    found: list[int] = []
    for pattern, reckon in _rules(past=bool(_PAST.search(text))):
        if here := [reckon(match, told) for match in pattern.finditer(rest)]:
            found += here
            rest = pattern.sub("#", rest)  # each piece of it is read once
    return found + [span.first for span in dates.counted_back(rest, ts)]


def _rules(*, past: bool) -> Iterator[Rule]:
    yield _WORD, lambda match, told: told + NEAR[match["near"].lower()]
    yield _AGO, lambda match, told: _moved(match, told, -1)
    yield _FROM_NOW, lambda match, told: _moved(match, told, 1)
    yield _AHEAD, lambda match, told: _next(match["unit"].lower(), told)
    if not past:
        yield _IN, lambda match, told: _moved(match, told, 1)


def _moved(match: re.Match[str], told: int, way: int) -> int:
    amount, unit = match["amount"].lower(), match["unit"].lower()
    if unit in DAYS and amount != HALF:
        return told + way * dates.amount(amount) * DAYS[unit]
    months = MONTHS.get(unit, 0)
    count = months // 2 if amount == HALF else dates.amount(amount) * months
    return _months_on(told, way * count)


def _months_on(told: int, months: int) -> int:
    """The same day of another month, or its last one where it is shorter."""
    year, month, day = ids.civil(told)
    place = year * DECEMBER + month - 1 + months
    first = ids.days(place // DECEMBER, place % DECEMBER + 1, 1)
    after = ids.days((place + 1) // DECEMBER, (place + 1) % DECEMBER + 1, 1)
    return min(first + day - 1, after - 1)


def _next(unit: str, told: int) -> int:
    """Its first day; a weekday is the first one to come, as the last one is the last there was."""
    monday = told - (told - MONDAY) % 7 + 7
    if unit in WEEKDAYS:
        return told + 1 + (WEEKDAYS.index(unit) - (told + 1 - MONDAY)) % 7
    if unit in {"week", "weekend"}:
        return monday if unit == "week" else monday + 5
    year, month, _ = ids.civil(told)
    return ids.days(year + 1, 1, 1) if unit == "year" else _months_on(ids.days(year, month, 1), 1)
