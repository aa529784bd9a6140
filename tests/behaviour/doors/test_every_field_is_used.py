"""A field that a request has is one that its route acts on: none is taken and left lying."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, get_type_hints

import msgspec
import pytest

from muniment.adapters.http import routes
from muniment.adapters.http.routes import memory
from muniment.adapters.requests.verb_request import VerbRequest

# What reads several fields at once, by the name of the function.
TOGETHER = {
    "options": {"source", "tags", "metadata", "happened_at", "expires"},
    "getattr": {*memory.KEPT_AS_SAID},
}
# Read on the way in, before any route: which agent and for whom, and the key of the call.
BEFORE = {"agent", "user", "persona", "key"}


def modules() -> Iterator[ModuleType]:
    for each in pkgutil.walk_packages(routes.__path__, f"{routes.__name__}."):
        yield importlib.import_module(each.name)


def handlers() -> dict[str, list[tuple[Callable[..., Any], str, type[msgspec.Struct]]]]:
    """By request, the functions that are given it, each with its name for it."""
    found: dict[str, list[tuple[Callable[..., Any], str, type[msgspec.Struct]]]] = {}
    for module in modules():
        for _, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ != module.__name__:
                continue
            for argument, kind in get_type_hints(function).items():
                if (
                    argument != "return"
                    and isinstance(kind, type)
                    and issubclass(kind, VerbRequest)
                ):
                    found.setdefault(kind.__name__, []).append((function, argument, kind))
    return found


HANDLERS = handlers()


def reads(function: Callable[..., Any], argument: str, kind: type[msgspec.Struct]) -> set[str]:
    """The fields that a function reads of its request, itself or by handing it on."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name == argument:
                own = inspect.getattr_static(kind, field)
                whole = isinstance(own, property) and own.fget
                found |= reads(whole, "self", kind) if whole else {field}
            case ast.Call(func=called, args=given) if any(
                isinstance(each, ast.Name) and each.id == argument for each in given
            ):
                found |= _handed_on(function, called, given, argument, kind)
    return found


def _handed_on(
    function: Callable[..., Any],
    called: ast.expr,
    given: list[ast.expr],
    argument: str,
    kind: type[msgspec.Struct],
) -> set[str]:
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name in TOGETHER:
        return TOGETHER[name]
    other = function.__globals__.get(name)
    assert inspect.isfunction(other), f"{function.__name__} hands its request on to {name}"
    place = next(
        n for n, each in enumerate(given) if isinstance(each, ast.Name) and each.id == argument
    )
    return reads(other, list(inspect.signature(other).parameters)[place], kind)


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_a_route_reads_every_field_of_its_request(name: str) -> None:
    fields = set(HANDLERS[name][0][2].__struct_fields__) - BEFORE
    read = set().union(*(reads(*each) for each in HANDLERS[name]))

    assert fields - read == set()
