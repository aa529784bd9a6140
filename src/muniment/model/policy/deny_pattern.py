"""Deny patterns: regular expressions that cannot be made to take long, whatever the text.

Python's matching tries every way in which a pattern may fit at a place before it gives up, and
nothing else runs meanwhile. A repetition without an end may fit in as many ways as a text is long,
and one inside another in more than there are atoms: whoever may write one sentence could stop
everything. So a pattern says how often at most, and has few ways to fit.
"""

import importlib
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

PATTERN_CHARACTERS_MAX: Final = 200
WAYS_MAX: Final = 1_000  # to fit at one place of a text
LENGTH_MAX: Final = 1_000  # of what it may match

# What `re.compile` itself reads a pattern with: the one description of what will be tried.
_parser: Final[Any] = importlib.import_module("re._parser")
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


class MatchCost(NamedTuple):
    """In how many ways a part may fit at one place, and over how many characters at most."""

    ways: int
    length: int


def check_pattern(pattern: str) -> None:
    """A pattern that nobody can compile, or that one text can keep busy, protects nobody."""
    if not pattern or len(pattern) > PATTERN_CHARACTERS_MAX:
        raise ValueError(
            f"Expected `deny_patterns` of 1 to {PATTERN_CHARACTERS_MAX} characters each"
        )
    try:
        re.compile(pattern)
        found = _sequence(_parser.parse(pattern, re.IGNORECASE))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"Expected `deny_patterns` to be regular expressions: {error}") from None
    if found.ways > WAYS_MAX or found.length > LENGTH_MAX:
        raise ValueError(
            f"Expected `deny_patterns` that fit a place in at most {WAYS_MAX} ways: "
            "say how often at most, as `.{0,80}` instead of `.*`, and repeat nothing inside of it"
        )


def _sequence(parts: Iterable[tuple[Any, Any]]) -> MatchCost:
    """One part after the other: each way of the first meets each way of the next."""
    ways, length = 1, 0
    for name, value in parts:
        found = _part(str(name), value)
        # Beyond the limit its size says nothing more, and would grow without one.
        ways = min(ways * found.ways, WAYS_MAX + 1)
        length = min(length + found.length, LENGTH_MAX + 1)
    return MatchCost(ways, length)


def _part(name: str, value: Any) -> MatchCost:  # noqa: ANN401 - as the parser has it
    if name in _REPEATS:
        return _repeated(*value)
    match name:
        case "BRANCH":
            return _either(value[1])
        case "SUBPATTERN":
            return _sequence(value[3])
        case "ASSERT" | "ASSERT_NOT":
            return _sequence(value[1])
        case "ATOMIC_GROUP":
            return _sequence(value)
        case "GROUPREF_EXISTS":
            return _either([each for each in value[1:] if each])
        case "GROUPREF":  # as long as what it repeats, which is not known here
            return MatchCost(1, LENGTH_MAX // 10)
        case _:
            return MatchCost(1, 1)


def _either(choices: Iterable[Iterable[tuple[Any, Any]]]) -> MatchCost:
    found = [_sequence(each) for each in choices]
    return MatchCost(sum(each.ways for each in found), max(each.length for each in found))


def _repeated(least: int, most: int, inner: Iterable[tuple[Any, Any]]) -> MatchCost:
    once = _sequence(inner)
    most = min(most, WAYS_MAX + 1)  # `*` and `+` have no end
    if once.ways == 1:
        return MatchCost(most - min(least, most) + 1, most * max(once.length, 1))
    ways, power = 0, once.ways ** min(least, 10)
    for _ in range(least, most + 1):
        ways, power = ways + power, power * once.ways
        if ways > WAYS_MAX:
            break
    return MatchCost(min(ways, WAYS_MAX + 1), most * max(once.length, 1))
