"""Word pattern: a regular expression that is tried only where a text has the words that it needs.

A table has hundreds of phrases, and nearly every text has none of them. Which words a phrase needs,
and how it may begin, follows from its pattern; the words of a text are looked at once for all.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache, reduce
from operator import or_
from re import _parser  # type: ignore[attr-defined]  # the tree of a pattern, as `re` reads it
from typing import Any, Final

from muniment.model.languages.needed_words import (
    Node,
    Pieces,
    begins_with_capital,
    is_edge,
    letters_of,
    needs_of,
)
from muniment.model.languages.word_marks import RECENT, WORD_MARKS, plain
from muniment.model.lazy_pattern import lazy_pattern

TRIED_MIN: Final = 256  # texts, before it is worth to know all that it needs
HEAD_LETTERS: Final = 6  # of a beginning: it may reach into the next word
SIZES: Final = (2, 3, 4, HEAD_LETTERS)  # that beginnings are cut to: few, for each text is cut so
HEADS_MAX: Final = 500  # of more beginnings none is followed any further
ANYWHERE: Final = 0  # it may begin with any word, or inside one
CAPITAL: Final = -1  # or with any capital letter
EDGE: Final = "^"  # before the first letter of a word
_WORD = lazy_pattern(r"\w")

Heads = frozenset[str]


@lru_cache(maxsize=RECENT)
def _begun(text: str) -> tuple[str, Heads]:
    """A text of ASCII with nothing but gaps between its words, and how these begin."""
    small = f"{plain(text)} "
    return small, _heads_in(small)


def begun_words(small: str) -> list[str]:
    """How the words begin of a text that has nothing but gaps between them, and a last one."""
    begun: list[str] = []
    place = 0
    for word in small.split(" "):
        if word:
            begun.append(small[place : place + HEAD_LETTERS])
        place += len(word) + 1
    return begun


@lru_cache(maxsize=RECENT)  # a text and its folded form are mostly the same here
def _heads_in(small: str) -> Heads:
    longest = begun_words(small)
    return frozenset([each[:size] for size in SIZES for each in longest])


class WordPattern:
    """What it finds is what `re` finds without regard to case."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.needs = 0  # the bits of all that it needs, once they are known
        self._tried = 0  # a few texts cost less than to know what it needs

    def note(self) -> None:
        """It is asked for again."""
        if self._tried < TRIED_MIN:
            self._tried += 1
        else:
            _ = self._begin

    def search(self, text: str) -> re.Match[str] | None:
        if self._tried < TRIED_MIN:
            return next(self._tried_first(text), None)
        begin = self._begin
        read = WORD_MARKS.read(text)
        if read.mark & self.needs != self.needs:
            return None
        if begin == ANYWHERE:
            return self._compiled.search(text)
        for start in read.capitals if begin == CAPITAL else read.places(begin):
            if match := self._compiled.match(text, start):
                return match
        return None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        if self._tried < TRIED_MIN:
            return self._tried_first(text)
        begin = self._begin
        read = WORD_MARKS.read(text)
        if read.mark & self.needs != self.needs:
            return iter(())
        if begin == ANYWHERE:
            return self._compiled.finditer(text)
        return self._matches(text, read.capitals if begin == CAPITAL else read.places(begin))

    def sub(self, replacement: str, text: str) -> str:
        return self._compiled.sub(replacement, text) if self.search(text) else text

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._compiled.fullmatch(text)

    def _tried_first(self, text: str) -> Iterator[re.Match[str]]:
        self._tried += 1
        if not self._heads or not text.isascii():  # beyond ASCII case is no simple matter
            return self._compiled.finditer(text)
        small, heads = _begun(text)
        begun = self._heads & heads
        if not begun:
            return iter(())
        return self._matches(text, sorted({n for head in begun for n in _places(small, head)}))

    def _matches(self, text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
        """It is tried only at the words that begin so."""
        end = 0
        for start in places:
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

    @cached_property
    def _begin(self) -> int:
        """The bit for the words that it may begin with; all that it needs is known then."""
        tree = _parsed(self.source)
        needs, begin = needs_of(tree), begins_of(tree)
        bits = WORD_MARKS.add((*needs, begin) if begin else needs)
        self.needs = reduce(or_, bits, 0)
        if begin:
            return bits[-1]
        return CAPITAL if begins_with_capital(tree) else ANYWHERE


def possible(patterns: Iterable[WordPattern], text: str) -> list[WordPattern]:
    """Those that a text may have, told by its words at once."""
    read = WORD_MARKS.read
    mark = read(text).mark
    found = [each for each in patterns if mark & each.needs == each.needs]
    for each in found:
        each.note()
    # Whoever has told its needs meanwhile was not looked for.
    return found if WORD_MARKS.read is read else [*patterns]


def _places(small: str, head: str) -> Iterator[int]:
    """Where words begin so."""
    place = small.find(head)
    while place >= 0:
        if not place or small[place - 1] == " ":
            yield place
        place = small.find(head, place + 1)


def heads_of(source: str) -> Heads:
    """How the words that it may begin with begin, in small letters; none: in any way."""
    found = frozenset([_cut(each.removeprefix(EDGE)) for each in _begins(_parsed(source))])
    return frozenset() if "" in found else found


def begins_of(tree: Iterable[Node]) -> Pieces:
    """The pieces of words that it may begin with; none: with any word, or inside one."""
    begins = _begins(tree)
    if not all(each.startswith(EDGE) and each != EDGE for each in begins):
        return frozenset()
    return frozenset([f" {each[1:].partition(' ')[0]}{' ' * (' ' in each)}" for each in begins])


def _parsed(source: str) -> Iterable[Node]:
    tree: Iterable[Node] = _parser.parse(source, re.IGNORECASE)
    return tree


def _begins(tree: Iterable[Node]) -> set[str]:
    ended: set[str] = set()
    return _walked(tree, {""}, ended) | ended


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
            letters = letters_of([(op, told)] if op == "LITERAL" else told)
            # Else it may begin inside a word, or with what is none.
            if letters and "" not in begun and (EDGE not in begun or _are_of_words(letters)):
                return {start + letter for start in begun for letter in letters}
        case _:
            pass
    ended |= begun
    return set()


def _edges(op: str, told: Any) -> tuple[bool, bool]:  # noqa: ANN401
    """Whether a word may begin, and end, there."""
    found = is_edge(op, told)
    return found and (op == "AT" or told[0] < 0), found and (op == "AT" or told[0] > 0)


def _are_of_words(letters: Iterable[str]) -> bool:
    return all(map(_WORD.fullmatch, letters))
