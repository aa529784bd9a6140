"""A life as a picture: lanes of dots and bars over time, as numbers for a template.

Across, everything is in percent of the picture's width, down in pixels: so it fits every screen,
and its words are as large on each.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

ROW: Final = 24
LANE: Final = 26
AXIS: Final = 26
TICKS: Final = 6
EDGE: Final = 1.5  # percent: what begins or ends at the border is seen whole
BARS_MAX: Final = 60  # of one picture; a shorter span shows the others
DOTS_MAX: Final = 400  # of one lane
WORDS_MIN: Final = 35  # percent: a bar that is shorter has its words beside it


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    x: float
    words: str
    where: str
    tone: str


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    x: float
    y: int
    width: float
    words: str
    words_x: float  # where the room for the words begins
    words_width: float
    is_before: bool  # the words stand to the left of the bar, and end there
    where: str
    tone: str


class LifeLane(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    y: int
    dots: list[Dot]


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    height: int
    lanes: list[LifeLane]
    bars: list[Bar]
    ticks: list[tuple[float, str]]
    now: float  # where the moment stands
    hidden: int  # bars that are not drawn


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Something that lasted: from a time until another, empty: until now."""

    since: str
    until: str
    words: str
    where: str
    tone: str


class PicturedEvent(msgspec.Struct, frozen=True, kw_only=True):
    when: str
    words: str
    where: str
    tone: str


def draw(
    spans: Sequence[Span],
    lanes: Sequence[tuple[str, Sequence[PicturedEvent]]],
    *,
    first: str,
    last: str,
    moment: str,
) -> Picture:
    """Lanes above, bars below, oldest first; all on one scale of time."""
    start, end = _seconds(first), max(_seconds(last), _seconds(first) + 1)

    def x_of(when: str) -> float:
        share = (_seconds(when) - start) / (end - start)
        return round(EDGE + min(max(share, 0), 1) * (100 - 2 * EDGE), 2)

    drawn, top = list[LifeLane](), AXIS
    for name, events in lanes:
        dots = [
            Dot(x=x_of(each.when), words=each.words, where=each.where, tone=each.tone)
            for each in events[:DOTS_MAX]
            if first <= each.when <= last
        ]
        if dots:
            drawn.append(LifeLane(name=name, y=top + LANE // 2 + 8, dots=dots))
            top += LANE + 14
    inside = [
        each for each in spans if each.since <= last and (not each.until or each.until >= first)
    ]
    bars = [
        _bar(each, x_of(each.since), x_of(each.until or last), top + place * ROW)
        for place, each in enumerate(inside[-BARS_MAX:])
    ]
    return Picture(
        height=top + len(bars) * ROW + 8,
        lanes=drawn,
        bars=bars,
        ticks=[(x_of(when), when[:10]) for when in _ticks(start, end)],
        now=x_of(moment),
        hidden=max(len(inside) - BARS_MAX, 0),
    )


def _bar(each: Span, x: float, end: float, y: int) -> Bar:
    """Words stand in a bar that has room for them, else beside it, where there is more room."""
    width = max(end - x, 0.4)
    is_inside = width >= WORDS_MIN
    is_before = not is_inside and x > 100 - end
    begins, ends = (x, end) if is_inside else (0, x) if is_before else (x + width, 100)
    return Bar(
        x=x,
        y=y,
        width=round(width, 2),
        words=each.words,
        words_x=round(begins, 2),
        words_width=round(ends - begins, 2),
        is_before=is_before,
        where=each.where,
        tone=each.tone,
    )


def _ticks(start: float, end: float) -> list[str]:
    step = (end - start) / TICKS
    found = [datetime.fromtimestamp(start + step * place, tz=_UTC) for place in range(1, TICKS)]
    return [each.isoformat()[:19] + "Z" for each in found]


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


_UTC = datetime.fromisoformat("2000-01-01T00:00:00+00:00").tzinfo
