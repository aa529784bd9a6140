"""Phrase patterns: regular expressions that are tried only if a text has one of their words."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from muniment.model.text import similarity
from muniment.model.unicode14 import known

LATIN_LAST: Final = "\xff"


class Cue:
    """A pattern, whatever the case, that is only tried where it could match at all.

    Many cues are looked for in one text, whose words are split once; most of them need a word
    that it does not have. Beyond Latin-1 letters have marks of their own and stranger cases: there
    the pattern itself is tried.
    """

    def __init__(self, pattern: str, needs: Iterable[str]) -> None:
        self._told = pattern
        self.needs = frozenset(needs)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled where it is first tried: most of them never are."""
        return re.compile(self._told, re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Where it stands; what stands there is to be read in the text itself."""
        return self.pattern.search(known(text)) if may_have(text, self.needs) else None


def may_have(text: str, needs: frozenset[str]) -> bool:
    """Whether one of these words stands in a text, as far as it can be told without looking."""
    return not _is_latin(text) or not needs.isdisjoint(similarity.words(text))


def _is_latin(text: str) -> bool:
    return text.isascii() or max(text) <= LATIN_LAST


def phrases(*told: str) -> Cue:
    """Any of these phrases, as words of their own."""
    needs = [phrase.partition(" ")[0] for phrase in told]
    return Cue(rf"\b(?:{'|'.join(told)})\b", needs)
