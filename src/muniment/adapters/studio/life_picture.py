"""A life as a picture: lanes of dots and bars over time, as numbers for a template."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

WIDTH: Final = 1000
LEFT: Final = 8
ROW: Final = 22
BAR: Final = 14
LANE: Final = 26
AXIS: Final = 26
TICKS: Final = 6
BARS_MAX: Final = 60  # of one picture; a shorter span shows the others
DOTS_MAX: Final = 400  # of one lane
LABEL_MIN: Final = 90  # a bar that is shorter has its words beside it
CHARACTER: Final = 7  # as wide as a letter of a bar's words is at most


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    x: int
    words: str
    where: str
    tone: str


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    x: int
    y: int
    width: int
    words: str
    label: str
    label_x: int
    is_before: bool  # the words stand to the left of the bar's end
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
    ticks: list[tuple[int, str]]
    now: int  # where the moment stands
    hidden: int  # bars that are not drawn
    width: int = WIDTH


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

    def x_of(when: str) -> int:
        share = (_seconds(when) - start) / (end - start)
        return LEFT + round(min(max(share, 0), 1) * (WIDTH - 2 * LEFT))

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


def _bar(each: Span, x: int, end: int, y: int) -> Bar:
    width = max(end - x, 4)
    room = width if width >= LABEL_MIN else WIDTH - end
    is_before = width < LABEL_MIN and x > WIDTH - end
    many = max((x if is_before else room) // CHARACTER - 2, 4)
    label = each.words if len(each.words) <= many else f"{each.words[: many - 1]}…"
    inside = x + 6 if width >= LABEL_MIN else x - 6 if is_before else end + 6
    return Bar(
        x=x,
        y=y,
        width=width,
        words=each.words,
        label=label,
        label_x=inside,
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
