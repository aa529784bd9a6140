"""The structural matcher: exact keys, exact values, presence of a key; never likeness."""

from collections.abc import Mapping
from typing import Final

from muniment.model.errors import InputError

EXISTS: Final = "$exists"


def matches(item: Mapping[str, object], predicate: Mapping[str, object]) -> bool:
    """Whether every path of the predicate is there with exactly that value.

    A path may go down with dots (`value.colour`). A value is compared exactly, or is
    `{"$exists": true}` to ask for the presence of the key alone.
    """
    return all(_holds(item, path, wanted) for path, wanted in predicate.items())


def check(predicate: object) -> Mapping[str, object]:
    if not isinstance(predicate, Mapping) or not all(isinstance(key, str) for key in predicate):
        raise InputError("a predicate is a mapping from paths to exact values")
    return predicate


def _holds(item: Mapping[str, object], path: str, wanted: object) -> bool:
    found, value = _follow(item, path.split("."))
    if isinstance(wanted, Mapping) and wanted.keys() == {EXISTS}:
        return found is bool(wanted[EXISTS])
    # True is not 1 here, although Python thinks so.
    return found and value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _follow(value: object, path: list[str]) -> tuple[bool, object]:
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value
