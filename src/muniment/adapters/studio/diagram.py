"""Diagrams: boxes in columns with arrows, as numbers for a template."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

ROWS_MAX: Final = 12  # of one column; the list beside the picture has them all
BOX_WIDTH: Final = 216
BOX_HEIGHT: Final = 46
GAP_ACROSS: Final = 34  # five columns stand beside each other on a small desktop
GAP_DOWN: Final = 14
MARGIN: Final = 8
BAR_WIDTH: Final = 1000
OTHER: Final = "other"
LABEL_CHARACTERS_MAX: Final = 27
WIDE: Final = frozenset("WF")


class Box(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    label: str
    note: str
    where: str  # an address, or empty
    column: int


class Arrow(msgspec.Struct, frozen=True, kw_only=True):
    start: str
    end: str


class DiagramNode(msgspec.Struct, frozen=True, kw_only=True):
    box: Box
    x: int
    y: int
    label: str


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    path: str


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a bar."""

    name: str
    points: int
    family: str
    x: int
    width: int


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    width: int
    height: int
    boxes: tuple[DiagramNode, ...]
    curves: tuple[Curve, ...]
    box_width: int = BOX_WIDTH
    box_height: int = BOX_HEIGHT


def draw(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> Drawing:
    """Columns from left to right, each centred on its height; the same input, the same picture."""
    columns: dict[int, list[Box]] = {}
    for box in boxes:
        columns.setdefault(box.column, []).append(box)
    tallest = max((len(column) for column in columns.values()), default=0)
    height = 2 * MARGIN + tallest * (BOX_HEIGHT + GAP_DOWN)
    placed: dict[str, DiagramNode] = {}
    for number, (_, column) in enumerate(sorted(columns.items())):
        top = (height - len(column) * (BOX_HEIGHT + GAP_DOWN) + GAP_DOWN) // 2
        for place, box in enumerate(column):
            placed[box.name] = DiagramNode(
                box=box,
                x=MARGIN + number * (BOX_WIDTH + GAP_ACROSS),
                y=top + place * (BOX_HEIGHT + GAP_DOWN),
                label=_short(box.label),
            )
    width = 2 * MARGIN + len(columns) * (BOX_WIDTH + GAP_ACROSS) - GAP_ACROSS
    curves = tuple(_curve(placed[each.start], placed[each.end]) for each in arrows)
    return Drawing(width=max(width, 0), height=height, boxes=tuple(placed.values()), curves=curves)


def sliced(
    parts: Sequence[tuple[str, int]], families: Mapping[str, str], *, most: int
) -> list[Slice]:
    """What adds up to something, as a bar: `most` fills it. What takes away has no length."""
    found, end = list[Slice](), 0
    for name, points in parts:
        width = max(points, 0) * BAR_WIDTH // max(most, 1)
        family = families.get(name, OTHER)
        found.append(Slice(name=name, points=points, family=family, x=end, width=width))
        end += width
    return found


def _curve(start: DiagramNode, end: DiagramNode) -> Curve:
    x1, y1 = start.x + BOX_WIDTH, start.y + BOX_HEIGHT // 2
    x2, y2 = end.x, end.y + BOX_HEIGHT // 2
    bend = (x1 + x2) // 2
    return Curve(path=f"M {x1} {y1} C {bend} {y1}, {bend} {y2}, {x2 - 6} {y2}")


def _short(text: str) -> str:
    """As much of a text as a box is wide; Chinese and Japanese letters take two places each."""
    room = LABEL_CHARACTERS_MAX
    for place, letter in enumerate(text):
        room -= 2 if unicodedata.east_asian_width(letter) in WIDE else 1
        if room < 0:
            return f"{text[: place - 1]}…"
    return text
