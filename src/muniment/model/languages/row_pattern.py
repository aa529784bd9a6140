"""Row pattern: forms that "|" parts, as whole words, compiled for the first text that may have one.

How a form must begin is read of the row without compiling it. In most texts no form begins so.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern

_BEGINNING = lazy_pattern(r"[^\W_](?:[\w \-]*[^\W_])?")
_OPTIONAL: Final = ("?", "*", "{")  # behind a letter: it may be missing
_LIKE_ASCII: Final = frozenset("\u0130\u0131\u017f\u212a")  # without regard to case: i, s and k


class RowPattern:
    """What it finds is what `re` finds without regard to case."""

    def __init__(self, row: str) -> None:
        self._row = row

    def search(self, text: str) -> re.Match[str] | None:
        return self._compiled.search(text) if self._may_be_in(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._compiled.fullmatch(text) if self._may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._compiled.finditer(text) if self._may_be_in(text) else iter(())

    def _may_be_in(self, text: str) -> bool:
        if not text.isascii():  # beyond ASCII case is no simple matter
            return True
        small = text.lower()
        return any(each in small for each in self._beginnings)

    @cached_property
    def _beginnings(self) -> tuple[str, ...]:
        return tuple(map(_beginning, self._row.split("|")))

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{self._row})(?!\w)", re.IGNORECASE)


def _beginning(form: str) -> str:
    """What every match of a form begins with, in small letters; nothing where that is not plain."""
    plain = _BEGINNING.match(form)
    if plain is None or not _LIKE_ASCII.isdisjoint(plain[0]):
        return ""
    found = plain[0][:-1] if form[plain.end() :].startswith(_OPTIONAL) else plain[0]
    return found.lower()
