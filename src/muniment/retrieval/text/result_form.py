"""Result form: what results of a machine, or days told alike, share beside their values."""

import re
from typing import Final

LETTERS_MAX: Final = 160  # of a form; what begins so long alike is of one form
_VALUE = re.compile(r'(?<=:)\s*"[^"]*"|\d+(?:[.,]\d+)*')


def form_of(text: str) -> str:
    """A result without its numbers and the values of its fields."""
    return " ".join(_VALUE.sub("#", text[: 4 * LETTERS_MAX]).casefold().split())[:LETTERS_MAX]
