"""Moments: ISO 8601 dates, times and durations as fixed-width UTC text and whole milliseconds."""

import re
from typing import Final

from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern

SECOND_MS: Final = 1_000
DAY_MS: Final = 86_400 * SECOND_MS
SECONDS_MAX: Final = 10_000 * 366 * 86_400  # no calendar that is spelled in four digits reaches on
LATER: Final = "+"  # and so many seconds: a moment that is counted from when something is told
DAY_LETTERS: Final = len("2026-03-05")
HOURS: Final = 24
SIXTY: Final = 60
MONTHS: Final = 12

_ISO: Final = lazy_pattern(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)
_DURATION: Final = lazy_pattern(
    r"P(?=.)(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?=.)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,11})S)?)?",
    re.ASCII,
)
_UNITS: Final = (7 * 86_400, 86_400, 3_600, 60, 1)


def moment(text: str) -> str:
    """A date as it is, or a time of a day in UTC, spelled like 2026-03-05T14:30:00.000Z."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise InputError(
            f"{text[:40]!r} is not a date or time like 2026-03-05 or 2026-03-05T14:30Z"
        )
    named = (int(found[1]), int(found[2]), int(found[3]))
    if not 1 <= named[1] <= MONTHS or ids.civil(ids.days(*named)) != named:
        raise InputError(f"there is no such day: {text[:DAY_LETTERS]}")
    if found[4] is None:
        return text.strip()
    hour, minute, second = int(found[4]), int(found[5]), int(found[6] or 0)
    if hour >= HOURS or minute >= SIXTY or second >= SIXTY:
        raise InputError(f"there is no such time: {text[DAY_LETTERS:][:24]!r}")
    within = ((hour * 60 + minute) * 60 + second) * SECOND_MS + int(f"{found[7] or 0:0<3}"[:3])
    told = ids.days(*named) * DAY_MS + within - _offset_ms(found[8])
    if not ids.days(1, 1, 1) * DAY_MS <= told < ids.days(9999, 12, 31) * DAY_MS:
        raise InputError("the time is outside the years 1 to 9999")
    return ids.time_text(told)


def span_ms(text: str) -> tuple[int, int]:
    """The first and the last millisecond of a moment; a date is all of its day."""
    if len(text) == DAY_LETTERS:
        start = ids.day_number(text) * DAY_MS
        return start, start + DAY_MS - 1
    told = ids.time_ms(text)
    return told, told


def duration_seconds(text: str) -> int:
    """The seconds of a duration like P30D, PT12H or P1DT6H."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is not a duration like P30D or PT12H")
    return sum(int(each or 0) * unit for each, unit in zip(found.groups(), _UNITS, strict=True))


def later(text: str, told_at: str) -> str:
    """The moment that an expiry means, for what was told then; a date lasts until it has passed."""
    if text.startswith(LATER):
        return ids.time_text(ids.time_ms(told_at) + int(text[len(LATER) :]) * SECOND_MS)
    return ids.time_text(span_ms(text)[1] + 1) if len(text) == DAY_LETTERS else text


def _offset_ms(zone: str | None) -> int:
    if zone in (None, "", "Z"):
        return 0
    assert zone is not None
    digits = zone[1:].replace(":", "")
    ahead = (int(digits[:2]) * 60 + int(digits[2:])) * 60 * SECOND_MS
    return -ahead if zone[0] == "-" else ahead
