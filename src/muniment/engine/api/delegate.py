"""Delegation: a public method that a part carries out, with its signature and help."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Part = TypeVar("Part")
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def delegated(
    part: str, method: Callable[Concatenate[Part, Given], Answer]
) -> Callable[Concatenate[object, Given], Answer]:
    """The method of the part that is held under this name; types and docstring stay its own."""

    @wraps(method)
    def call(self: object, /, *args: Given.args, **named: Given.kwargs) -> Answer:
        return method(getattr(self, part), *args, **named)

    return call
