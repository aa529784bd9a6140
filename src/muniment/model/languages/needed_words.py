"""Needed words: pieces of words without which a regular expression matches nowhere in a text.

They are read from the tree of the pattern. A piece is part of one word, with a space where the word
begins or ends: " no " is the word, " retir" how one begins, "ed " how one ends. A need is a set of
pieces, and every text that the pattern matches has a word with one of them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

EDGE: Final = " "  # where a word begins or ends
STRINGS_MAX: Final = 150  # of more beginnings none is followed any further
NEEDS_MAX: Final = 3  # of one pattern: the rarest
RARITY: Final = 4  # how many times as rare a piece is with a letter more
LETTERS_MAX: Final = 10  # of a piece: more make it no rarer
RARE: Final = 4  # as rare as so many letters more: a number
COMMON_MAX: Final = RARITY**8  # of a need: more would be fulfilled by nearly every text
CLASS_MAX: Final = 12  # letters of a class, each a string of its own
CAPITALS: Final = ("RANGE", (ord("A"), ord("Z")))
DIGITS: Final = range(ord("0"), ord("9") + 1)

_ANY_LETTER: Final = "[(IN, [(CATEGORY, CATEGORY_WORD)"  # as a tree spells it

Pieces = frozenset[str]
Node = tuple[Any, Any]


class _LetterForms(dict[int, int]):
    """Each letter in the one form of all that are the same without regard to case; gaps as spaces.

    Letters that fold to several are known by the first of them: too many are the same then, but
    none too few.
    """

    def __missing__(self, code: int) -> int:
        letter = chr(code)
        self[code] = ord(_small(letter)) if letter.isalnum() or letter == "_" else ord(EDGE)
        return self[code]


def _small(letter: str) -> str:
    if letter.isdecimal():
        return str(int(letter))
    folded = letter.lower()[0].casefold()[0].lower()[0]
    return "i" if folded == "\u0131" else folded


LETTERS: Final = _LetterForms()


class _Walk(NamedTuple):
    """What a part of a pattern has matched: strings that go on, and the needs found so far."""

    strings: frozenset[str]
    needs: tuple[Pieces, ...] = ()


def needs_of(tree: Iterable[Node]) -> tuple[Pieces, ...]:
    """The rarest needs of a parsed pattern."""
    walk = _sequence(tree, frozenset([""]))
    found = {each for each in (*walk.needs, pieces_of(walk.strings)) if each}
    rare = sorted((_commonness(need), sorted(need)) for need in found)
    return tuple(frozenset(need) for common, need in rare[:NEEDS_MAX] if common <= COMMON_MAX)


def begins_with_capital(tree: Iterable[Node], *, cased: bool = False) -> bool:
    """Whether every match begins with one of A to Z, and with no small letter."""
    for op, told in tree:
        match str(op):
            case "AT" | "ASSERT" | "ASSERT_NOT":
                continue
            case "SUBPATTERN":
                _, added, taken, part = told
                cased = (cased or bool(taken & re.IGNORECASE)) and not added & re.IGNORECASE
                return begins_with_capital(part, cased=cased)
            case "BRANCH":
                return all(begins_with_capital(each, cased=cased) for each in told[1])
            case "IN":
                return cased and [(str(kind), of) for kind, of in told] == [CAPITALS]
            case _:
                return False
    return False


def _sequence(tree: Iterable[Node], strings: frozenset[str]) -> _Walk:
    needs: tuple[Pieces, ...] = ()
    for op, told in tree:
        walk = _node(str(op), told, strings)
        strings, needs = walk.strings, needs + walk.needs
        if len(strings) > STRINGS_MAX:
            strings, needs = _ends(strings), (*needs, pieces_of(strings))
    return _Walk(strings, needs)


def _node(op: str, told: Any, strings: frozenset[str]) -> _Walk:  # noqa: ANN401
    match op:
        case "LITERAL" | "IN":
            letters = letters_of([(op, told)] if op == "LITERAL" else told)
            if letters:
                return _Walk(frozenset([_joined(s, c) for s in strings for c in letters]))
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return _Walk(frozenset(map(_edged, strings)) if is_edge(op, told) else strings)
        case "SUBPATTERN":
            return _sequence(told[-1], strings)
        case "BRANCH":
            return _branch([_sequence(each, strings) for each in told[1]])
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, part = told
            return _repeat(least, most, part, strings)
        case _:
            pass
    return _Walk(frozenset([""]), (pieces_of(strings),))


def _branch(walks: list[_Walk]) -> _Walk:
    """Of each branch the rarest need, if not all are open still."""
    strings = frozenset().union(*[each.strings for each in walks])
    if not any(each.needs for each in walks):
        return _Walk(strings)
    best = [_rarest((*each.needs, pieces_of(each.strings))) for each in walks]
    return _Walk(_ends(strings), (frozenset().union(*best),) if all(best) else ())


def _repeat(least: int, most: int, part: Iterable[Node], strings: frozenset[str]) -> _Walk:
    walk = _sequence(part, strings)
    if most == 1 and not walk.needs:
        return walk if least else _Walk(walk.strings | strings)
    if least:
        need = _rarest((*walk.needs, pieces_of(walk.strings)))
        return _Walk(_ends(walk.strings), (need,))
    return _Walk(_ends(walk.strings | strings), (pieces_of(strings),))


def _ends(strings: frozenset[str]) -> frozenset[str]:
    """What is known behind strings that are followed no further: whether a word begins."""
    return frozenset([EDGE if all(each.endswith(EDGE) for each in strings) else ""])


def _joined(string: str, letter: str) -> str:
    return string if letter == EDGE and string.endswith(EDGE) else string + letter


def _edged(string: str) -> str:
    """At the edge of a word: behind letters it ends, and behind nothing it begins."""
    return string if string.endswith(EDGE) else string + EDGE


def is_edge(op: str, told: Any) -> bool:  # noqa: ANN401
    """Whether a word begins or ends there: at an edge, or where no letter stands."""
    if op == "AT":
        return str(told) == "AT_BOUNDARY"
    _, part = told
    return op == "ASSERT_NOT" and str(part).startswith(_ANY_LETTER) and len(part) == 1


def letters_of(members: Iterable[Node]) -> set[str]:
    """The letters of a class; none where they are too many."""
    codes: list[int] = []
    for op, told in members:
        match str(op):
            case "LITERAL":
                codes.append(told)
            case "RANGE" if told[1] - told[0] < CLASS_MAX:
                codes += range(told[0], told[1] + 1)
            case "CATEGORY" if str(told) == "CATEGORY_DIGIT":
                codes += DIGITS
            case "CATEGORY" if str(told) == "CATEGORY_SPACE":
                codes.append(ord(EDGE))
            case _:
                return set()
    return {chr(LETTERS[code]) for code in codes}


def pieces_of(strings: Iterable[str]) -> Pieces:
    """The rarest piece of each string; none where one of them has none."""
    found = [min(_words_of(each), key=lambda piece: -len(piece), default="") for each in strings]
    return frozenset(found) if all(found) else frozenset()


def _words_of(string: str) -> Iterator[str]:
    words = string.split(EDGE)
    last = len(words) - 1
    for n, word in enumerate(words):
        if word:
            begun = EDGE * (n > 0) + word
            yield begun + EDGE * (n < last)


def _rarest(needs: Iterable[Pieces]) -> Pieces:
    return min(filter(None, needs), key=_commonness, default=frozenset())


def _commonness(pieces: Iterable[str]) -> int:
    """About in how many of so many texts there is one of these."""
    sizes = (len(each) + RARE * each[-1].isdigit() for each in pieces)
    return sum(RARITY ** max(0, LETTERS_MAX - size) for size in sizes)
