"""Timeline window: from years down to the turns of an hour, and what lies before and after."""

import calendar
from datetime import datetime, timedelta
from typing import Final

import msgspec

from muniment.adapters.studio.known.catalogue_items import DAY
from muniment.adapters.studio.page_request import link
from muniment.model.errors import InputError

MINUTE: Final = len("2026-03-04T10:25")
LEVELS: Final = ("year", "month", "week", "day", "hour")
STEP: Final = timedelta(minutes=1)


class LifeWindow(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of time as an address tells it: days, or minutes of a day."""

    start: str
    end: str

    @property
    def first(self) -> str:
        return _bound(self.start, "T00:00:00.000Z", ":00.000Z")

    @property
    def last(self) -> str:
        return _bound(self.end, "T23:59:59.999Z", ":59.999Z")


class Zoom(msgspec.Struct, frozen=True, kw_only=True):
    """A way to look closer, further away, before or after."""

    name: str
    where: str
    is_here: bool = False


def around(level: str, moment: str) -> LifeWindow:
    """The year, month, week, day or hour that a moment stands in."""
    at = datetime.fromisoformat(moment)
    day = at.date()
    if level == "hour":
        hour = f"{day}T{at.hour:02}"
        return LifeWindow(start=f"{hour}:00", end=f"{hour}:59")
    start = end = day
    if level == "week":
        start = day - timedelta(days=day.weekday())
        end = start + timedelta(days=6)
    if level == "month":
        start, end = (day.replace(day=each) for each in (1, calendar.monthrange(*_month(at))[1]))
    if level == "year":
        start, end = day.replace(month=1, day=1), day.replace(month=12, day=31)
    return LifeWindow(start=str(start), end=str(end))


def zooms(user: str, here: LifeWindow, moment: str) -> list[Zoom]:
    """The whole life and each level around a moment."""
    whole = Zoom(name="all", where=link("/life", user=user), is_here=not (here.start or here.end))
    found = [(level, around(level, moment)) for level in LEVELS] if moment else []
    return [whole] + [
        Zoom(name=level, where=_link(user, each, moment), is_here=each == here)
        for level, each in found
    ]


def beside(user: str, here: LifeWindow, times: list[str]) -> list[Zoom]:
    """As long a stretch before and after, where there is anything."""
    level = next((each for each in LEVELS if here.first and around(each, here.first) == here), "")
    if not level or not times:
        return []
    found = list[Zoom]()
    if times[0] < here.first:
        before = _moved(here.first, -STEP)
        found.append(Zoom(name="earlier", where=_link(user, around(level, before), before)))
    if times[-1] > here.last:
        after = _moved(here.last, STEP)
        found.append(Zoom(name="later", where=_link(user, around(level, after), after)))
    return found


def _link(user: str, window: LifeWindow, moment: str) -> str:
    return link("/life", user=user, at_time=moment, **{"from": window.start, "to": window.end})


def _moved(moment: str, by: timedelta) -> str:
    return f"{(datetime.fromisoformat(moment) + by).isoformat()[:MINUTE]}:00.000Z"


def _month(at: datetime) -> tuple[int, int]:
    return at.year, at.month


def _bound(told: str, of_a_day: str, of_a_minute: str) -> str:
    """A moment of the log out of an address; empty where nothing was said."""
    if not told:
        return ""
    try:
        datetime.fromisoformat(told)
    except ValueError:
        raise InputError("a day is written as 2026-03-04, a minute as 2026-03-04T10:25") from None
    if len(told) not in {DAY, MINUTE}:
        raise InputError("a day is written as 2026-03-04, a minute as 2026-03-04T10:25")
    return told + (of_a_day if len(told) == DAY else of_a_minute)
