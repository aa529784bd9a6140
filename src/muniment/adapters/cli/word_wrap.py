"""Word wrap: texts cut to a number of columns, where wide letters take two and marks none."""

import unicodedata
from typing import Final

WIDE: Final = frozenset({"W", "F"})
ELLIPSIS: Final = "…"


def width(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_letter_width, text))


def wrapped(text: str, columns: int) -> list[tuple[int, int]]:
    """Where each line of a text begins and ends; a word wider than a line is cut."""
    lines: list[tuple[int, int]] = []
    start = 0
    while width(text[start:]) > columns:
        room = start + max(_fitting(text[start:], columns), 1)
        blank = text.rfind(" ", start, room + 1)
        end = blank if blank > start and text[start:blank].strip() else room
        lines.append((start, start + len(text[start:end].rstrip(" "))))
        start = end + (len(text[end:]) - len(text[end:].lstrip(" ")))
    return [*lines, (start, len(text))] if start < len(text) or not lines else lines


def cut(text: str, columns: int) -> str:
    """The text, or as much of it as fits before a sign that more was there."""
    if width(text) <= columns:
        return text
    return text[: _fitting(text, columns - 1)] + ELLIPSIS


def _fitting(text: str, columns: int) -> int:
    """How many letters fit."""
    taken = 0
    for place, letter in enumerate(text):
        taken += _letter_width(letter)
        if taken > columns:
            return place
    return len(text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 1 + (unicodedata.east_asian_width(letter) in WIDE)
