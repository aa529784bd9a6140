"""Argument checks: a public method called with the wrong type answers with an input error."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from types import FunctionType, NoneType, UnionType
from typing import Final, Literal, TypedDict, TypeVar, Union, get_args, get_origin, get_type_hints

from muniment.model import canonical_json, ids
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern

Answer = TypeVar("Answer")
Checked = TypeVar("Checked")
Kinds = tuple[type, ...]

ANYTHING: Final = (object,)
TEXT: Final = "text was expected"
NUMBER: Final = "a whole number was expected"


def checks_arguments(cls: type[Checked]) -> type[Checked]:
    """Class decorator: public methods, also of subclasses, check arguments by their annotations.

    A check by hand in every method would be forgotten in one of them. What is inside a list or an
    object is checked where it is admitted.
    """
    _check_methods(cls)
    cls.__init_subclass__ = classmethod(_check_methods)  # type: ignore[assignment]
    return cls


def _check_methods(cls: type) -> None:
    for name, verb in list(vars(cls).items()):
        # What another class carries out is checked there.
        own = isinstance(verb, FunctionType) and verb.__qualname__ == f"{cls.__qualname__}.{name}"
        if own and not name.startswith("_"):
            setattr(cls, name, _checked(verb))


def _checked(verb: Callable[..., Answer]) -> Callable[..., Answer]:
    code = verb.__code__
    places = code.co_varnames[1 : code.co_argcount]

    @wraps(verb)
    def checked(self: object, *args: object, **named: object) -> Answer:
        wanted = _wanted(verb)
        for name, value in zip(places, args, strict=False):
            _check(name, value, wanted)
        for name, value in named.items():
            _check(name, value, wanted)
        return verb(self, *args, **named)

    return checked


def _check(name: str, value: object, wanted: dict[str, Kinds]) -> None:
    if not _fits(value, wanted.get(name, ANYTHING)):
        raise InputError(f"{name}: {_expected(wanted[name])}, not {type(value).__name__}")


def _fits(value: object, kinds: Kinds) -> bool:
    if isinstance(value, bool) and bool not in kinds:
        return object in kinds  # a yes or no is no number
    return isinstance(value, kinds)


def _expected(kinds: Kinds) -> str:
    known = {str: TEXT, int: NUMBER}
    named = [known.get(each, f"{each.__name__} was expected") for each in kinds]
    return " or ".join(each for each in named if each != "NoneType was expected")


@cache
def _wanted(verb: Callable[..., object]) -> dict[str, Kinds]:
    return {name: tuple(_kinds(hint)) for name, hint in get_type_hints(verb).items()}


def _kinds(hint: object) -> Iterator[type]:
    """The classes that an annotation lets in; what it says beyond that is checked inside."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        for each in get_args(hint):
            yield from _kinds(each)
    elif origin is Literal:
        yield from (type(each) for each in get_args(hint))
    elif hint is None:
        yield NoneType
    elif hint is float:
        yield from (float, int)
    else:
        known = origin or hint
        yield known if isinstance(known, type) else object


# A day, or a moment of it; only the day counts.
DAY: Final = lazy_pattern(
    r"(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?", re.ASCII
)

MONTHS: Final = 12


class Then(TypedDict):
    """Of when a read tells: as of an entry, and of a day."""

    at: int | None
    valid_at: str


def query_text(query: object) -> str:
    """A text, or terms, which are split by the same rule; both call forms end here."""
    if isinstance(query, list | tuple):
        return " ".join(canonical_json.admit_text(term) for term in query)
    return canonical_json.admit_text(query)


def check_count(number: object, what: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise InputError(f"{what} must be a whole number that is not negative")
    return min(number, canonical_json.INTEGER_MAX)


def check_window(window: object) -> tuple[str, str]:
    if not isinstance(window, list | tuple) or len(window) != 2:  # noqa: PLR2004 - from, until
        raise InputError("a time window has two moments: from and until, both included")
    return canonical_json.admit_text(window[0]), canonical_json.admit_text(window[1])


def check_day(valid_at: object) -> str:
    """A day as a caller spells it, or nothing."""
    day = canonical_json.admit_text(valid_at)
    if not day:
        return day
    spelled = DAY.fullmatch(day)
    if not spelled:
        raise InputError("a day is written as 2026-03-05")
    named = (int(spelled[1]), int(spelled[2]), int(spelled[3]))
    if not 1 <= named[1] <= MONTHS or ids.civil(ids.days(*named)) != named:
        raise InputError(f"there is no such day: {day[:10]}")
    return day


def check_named(given: object) -> None:
    """Documents are named by namespace and key; whatever else stands there is no name."""
    pair = 2
    if not isinstance(given, Mapping) or not all(
        isinstance(name, tuple) and len(name) == pair for name in given
    ):
        raise InputError("documents are named by a namespace and a key")
