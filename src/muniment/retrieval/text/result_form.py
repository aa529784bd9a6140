"""Result form: the template that machine results share apart from their values."""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern

LETTERS_MAX: Final = 160  # of a form; what begins so long alike is of one form
_VALUE = lazy_pattern(r'(?<=:)\s*"[^"]*"|\d+(?:[.,]\d+)*')


def form_of(text: str) -> str:
    """A result without its numbers and the values of its fields."""
    return " ".join(_VALUE.sub("#", text[: 4 * LETTERS_MAX]).casefold().split())[:LETTERS_MAX]
