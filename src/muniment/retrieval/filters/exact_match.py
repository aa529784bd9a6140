"""Exact match: equal keys, equal values, presence of a key; no similarity."""

from collections.abc import Mapping
from typing import Final, TypeGuard

from muniment.model import canonical_json
from muniment.model.errors import InputError

EXISTS: Final = "$exists"


def matches(item: Mapping[str, object], predicate: Mapping[str, object]) -> bool:
    """Whether every path of the predicate is there with exactly that value.

    A path may go down with dots (`value.colour`). A value is compared exactly, or is
    `{"$exists": true}` to ask for the presence of the key alone.
    """
    return all(_holds(item, path, wanted) for path, wanted in predicate.items())


def check(predicate: object) -> Mapping[str, object]:
    """A predicate in the spelling in which values are kept."""
    if not isinstance(predicate, Mapping) or not all(isinstance(key, str) for key in predicate):
        raise InputError("a predicate is a mapping from paths to exact values")
    return {canonical_json.admit_text(path): _check(wanted) for path, wanted in predicate.items()}


def _holds(item: Mapping[str, object], path: str, wanted: object) -> bool:
    found, value = _follow(item, path.split("."))
    if _asks_presence(wanted):
        return found is wanted[EXISTS]
    # Compared as they are kept: there True is not 1, however deep, although Python thinks so.
    return found and canonical_json.encode(canonical_json.admit(value)) == canonical_json.encode(
        canonical_json.admit(wanted)
    )


def _check(wanted: object) -> object:
    if _asks_presence(wanted):
        if not isinstance(wanted[EXISTS], bool):
            raise InputError(f"{EXISTS} is true or false")
        return wanted
    return canonical_json.release(canonical_json.admit(wanted))


def _asks_presence(wanted: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(wanted, Mapping) and wanted.keys() == {EXISTS}


def _follow(value: object, path: list[str]) -> tuple[bool, object]:
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value
