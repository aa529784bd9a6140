"""Delegation: a public method that a part carries out, with its signature and help.

The part is loaded with the first use of the method: most processes use a few of eighty.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Concatenate, ParamSpec, TypeVar, cast

Part = TypeVar("Part")
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def delegated(
    part: str, find: Callable[[], Callable[Concatenate[Part, Given], Answer]]
) -> Callable[Concatenate[object, Given], Answer]:
    """The method of the part that is held under this name; types and docstring stay its own."""
    return cast("Callable[Concatenate[object, Given], Answer]", _Delegated(part, find))


class _Delegated:
    """Stands in a class for a method, and puts the method in its own place when it is looked up."""

    def __init__(self, part: str, find: Callable[[], Callable[..., object]]) -> None:
        self._part = part
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> object:
        found = _calling(self._part, self._find())
        setattr(self._owner, self._name, found)
        return found.__get__(instance, owner)


def _calling(part: str, method: Callable[..., object]) -> FunctionType:
    @wraps(method)
    def call(self: object, /, *args: object, **named: object) -> object:
        return method(getattr(self, part), *args, **named)

    return cast("FunctionType", call)
