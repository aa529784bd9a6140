"""Deny patterns: regular expressions with bounded matching time, whatever the text.

Python's `re` backtracks: it tries every way in which a pattern may match at a position, and holds
the interpreter meanwhile. An unbounded repetition matches in as many ways as a text is long, and
nested ones in exponentially many, so one sentence could stop the process. Here `*` and `+` are
bounded, and a pattern that can still match in too many ways is refused.

At the beginning and at the end of a pattern the end costs nothing: whether `sk-[0-9]+` is found
somewhere is decided by its first letter. Between two parts, as in `salary.*acme`, they reach over
`REACH` repetitions.
"""

import importlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from muniment.model.errors import PolicyError

PATTERN_CHARACTERS_MAX: Final = 200
WAYS_MAX: Final = 1_000  # to fit at one place of a text
LENGTH_MAX: Final = 1_000  # of what it may match
REACH: Final = 800  # repetitions of what says no end

# What `re.compile` itself reads and makes a pattern with: the one description of what is tried.
_parser: Final[Any] = importlib.import_module("re._parser")
_compiler: Final[Any] = importlib.import_module("re._compiler")
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_GIVE_BACK: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT"})
_REFERENCES: Final = frozenset({"GROUPREF", "GROUPREF_EXISTS"})


class MatchCost(NamedTuple):
    """In how many ways a part may fit at one place, and over how many characters at most."""

    ways: int
    length: int


def check_pattern(pattern: str) -> None:
    """A pattern that nobody can compile, or that one text can keep busy, protects nobody."""
    if not pattern or len(pattern) > PATTERN_CHARACTERS_MAX:
        raise PolicyError(
            f"Expected `deny_patterns` of 1 to {PATTERN_CHARACTERS_MAX} characters each"
        )
    try:
        re.compile(pattern)
        found = _sequence(_bounded(pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise PolicyError(f"Expected `deny_patterns` to be regular expressions: {error}") from None
    if found.ways > WAYS_MAX or found.length > LENGTH_MAX:
        raise PolicyError(
            f"Expected `deny_patterns` that match at one position in at most {WAYS_MAX} ways: "
            "limit each repetition, as `.{0,80}` instead of `.*`, and do not nest repetitions"
        )


@lru_cache(maxsize=256)
def bounded_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern that was checked, as it is looked for."""
    made: re.Pattern[str] = _compiler.compile(_bounded(pattern), re.IGNORECASE)
    return made


def _bounded(pattern: str) -> Any:  # noqa: ANN401 - as the parser has it
    """What a pattern says, each repetition with an end."""
    parts = _parser.parse(pattern, re.IGNORECASE)
    refers = _set_ends(parts)
    for at in (0, len(parts) - 1) if parts and not refers else ():
        name, value = parts[at]
        # Whatever it takes more than it must, it may as well leave: only whether is asked.
        if str(name) in _GIVE_BACK:
            parts[at] = (name, (value[0], value[0], value[2]))
    return parts


def _set_ends(parts: Any) -> bool:  # noqa: ANN401
    """Give each repetition without an end one; whether anything refers to a group before it."""
    refers = False
    for at, (name, value) in enumerate(parts):
        if str(name) in _REPEATS and value[1] == _parser.MAXREPEAT:
            parts[at] = (name, (value[0], value[0] + REACH, value[2]))
        refers |= str(name) in _REFERENCES
        for inner in _inner(value):
            refers |= _set_ends(inner)
    return refers


def _inner(value: Any) -> Iterable[Any]:  # noqa: ANN401
    """The parts inside of one, however the parser has put them."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _inner(each)


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
    most = min(most, WAYS_MAX + 1)
    if once.ways == 1:
        return MatchCost(most - min(least, most) + 1, most * max(once.length, 1))
    ways, power = 0, once.ways ** min(least, 10)
    for _ in range(least, most + 1):
        ways, power = ways + power, power * once.ways
        if ways > WAYS_MAX:
            break
    return MatchCost(min(ways, WAYS_MAX + 1), most * max(once.length, 1))
