"""Word pattern: a regular expression that is tried only where a text has a word that begins so.

A table has hundreds of phrases, and nearly every text has none of them. How a phrase may begin
follows from its pattern; how the words of a text begin is looked at once for all patterns.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from re import _parser  # type: ignore[attr-defined]  # the tree of a pattern, as `re` reads it
from typing import Any, Final

from muniment.model.lazy_pattern import lazy_pattern

HEAD_LETTERS: Final = 6  # of a beginning: it may reach into the next word
SIZES: Final = (2, 3, 4, HEAD_LETTERS)  # that beginnings are cut to: few, for each text is cut so
HEADS_MAX: Final = 500  # of more beginnings none is followed any further
DIGITS: Final = "0123456789"
EDGE: Final = "^"  # before the first letter of a word
RECENT: Final = (
    256  # texts: patterns are tried on one after the other, for words and then for dates
)
CLASS_MAX: Final = 12  # letters of a class, each a beginning of its own
_WORD = lazy_pattern(r"\w")
# Whatever is no letter of a word parts words; where a pattern asks for the end of one, it ends so.
_GAPS: Final = {code: " " for code in range(128) if not f"_{chr(code)}".isidentifier()}
_SMALL: Final = bytes(ord(_GAPS.get(code, chr(code).lower())) for code in range(128)) + bytes(128)

_ANY_LETTER: Final = "[(IN, [(CATEGORY, CATEGORY_WORD)"  # as a tree spells it

Heads = frozenset[str]
Node = tuple[Any, Any]


@lru_cache(maxsize=RECENT)
def _begun(text: str) -> tuple[str, Heads]:
    """A text of ASCII with nothing but gaps between its words, and how these begin."""
    plain = f"{text.encode('ascii').translate(_SMALL).decode('ascii')} "
    return plain, _heads_in(plain)


@lru_cache(maxsize=RECENT)  # a text and its folded form are mostly the same here
def _heads_in(plain: str) -> Heads:
    longest: list[str] = []
    place = 0
    for word in plain.split(" "):
        if word:
            longest.append(plain[place : place + HEAD_LETTERS])
        place += len(word) + 1
    return frozenset([each[:size] for size in SIZES for each in longest])


class WordPattern:
    """What it finds is what `re` finds without regard to case."""

    def __init__(self, source: str) -> None:
        self.source = source

    def search(self, text: str) -> re.Match[str] | None:
        return next(self.finditer(text), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        if not self._heads or not text.isascii():  # beyond ASCII case is no simple matter
            return self._compiled.finditer(text)
        plain, heads = _begun(text)
        begun = self._heads & heads
        return self._matches(text, plain, begun) if begun else iter(())

    def sub(self, replacement: str, text: str) -> str:
        return self._compiled.sub(replacement, text) if self.search(text) else text

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._compiled.fullmatch(text)

    def _matches(self, text: str, plain: str, heads: Heads) -> Iterator[re.Match[str]]:
        """It is tried only at the words that begin so."""
        end = 0
        for start in sorted({place for head in heads for place in _places(plain, head)}):
            match = self._compiled.match(text, start) if start >= end else None
            if match:
                yield match
                end = match.end()

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)

    @cached_property
    def _heads(self) -> Heads:
        return heads_of(self.source)


def _places(plain: str, head: str) -> Iterator[int]:
    """Where words begin so."""
    place = plain.find(head)
    while place >= 0:
        if not place or plain[place - 1] == " ":
            yield place
        place = plain.find(head, place + 1)


def heads_of(source: str) -> Heads:
    """How the words that it may begin with begin, in small letters; none: in any way."""
    ended: set[str] = set()
    begun = _walked(_parser.parse(source, re.IGNORECASE), {""}, ended)
    found = frozenset([_cut(each.removeprefix(EDGE)) for each in begun | ended])
    return frozenset() if "" in found else found


def _cut(head: str) -> str:
    return head[: max([size for size in SIZES if size <= len(head)], default=0)]


def _walked(tree: Iterable[Node], begun: set[str], ended: set[str]) -> set[str]:
    """What each beginning goes on with behind a part of a pattern; some have ended in it."""
    for op, told in tree:
        begun = _next(str(op), told, begun, ended)
        ended |= {each for each in begun if len(each) == len(EDGE) + HEAD_LETTERS}
        if len(begun) > HEADS_MAX:
            ended |= begun
        begun = begun - ended
        if not begun:
            break
    return begun


def _next(op: str, told: Any, begun: set[str], ended: set[str]) -> set[str]:  # noqa: ANN401
    """Behind one node; one that is not known here ends what was begun, which is never wrong."""
    match op:
        case "ASSERT" | "ASSERT_NOT" | "AT":
            begins, ends = _edges(op, told)
            begun = {each or EDGE for each in begun} if begins else begun
            whole = {each for each in begun if ends and _WORD.match(each[-1:])}
            ended |= {f"{each} " for each in whole}
            return begun - whole
        case "BRANCH":
            return set().union(*[_walked(each, begun, ended) for each in told[1]])
        case "SUBPATTERN":
            return _walked(told[-1], begun, ended)
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, part = told
            once = _walked(part, begun, ended)
            if most > 1:  # it goes on with itself, or with what follows
                ended |= once
            return once if least else once | begun
        case "LITERAL" | "IN":
            letters = _letters([(op, told)] if op == "LITERAL" else told)
            # Else it may begin inside a word, or with what is none.
            if letters and "" not in begun and (EDGE not in begun or _are_of_words(letters)):
                return {start + letter for start in begun for letter in letters}
        case _:
            pass
    ended |= begun
    return set()


def _edges(op: str, told: Any) -> tuple[bool, bool]:  # noqa: ANN401
    """Whether a word may begin, and end, there: at an edge, or where no letter stands."""
    if op == "AT":
        return str(told) == "AT_BOUNDARY", str(told) == "AT_BOUNDARY"
    way, part = told
    no_letter = op == "ASSERT_NOT" and str(part).startswith(_ANY_LETTER) and len(part) == 1
    return no_letter and way < 0, no_letter and way > 0


def _letters(members: Iterable[Node]) -> set[str]:
    """The letters of a class, in small; none where they are too many."""
    codes: list[int] = []
    for op, told in members:
        match str(op):
            case "LITERAL":
                codes.append(told)
            case "RANGE" if told[1] - told[0] < CLASS_MAX:
                codes += range(told[0], told[1] + 1)
            case "CATEGORY" if str(told) == "CATEGORY_DIGIT":
                codes += map(ord, DIGITS)
            case _:
                return set()
    return {chr(code).lower().translate(_GAPS) for code in codes}


def _are_of_words(letters: Iterable[str]) -> bool:
    return all(map(_WORD.fullmatch, letters))
