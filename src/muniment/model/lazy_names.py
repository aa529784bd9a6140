"""Lazy imports (PEP 562): the names of a module are imported with their first use."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    module: str, where: Mapping[str, str], *, what: str, whole_modules: bool = False
) -> Callable[[str], object]:
    """The `__getattr__` of a module that gives out these names, each from the module it is in.

    With `whole_modules` a name stands for the module itself.
    """

    def find(name: str) -> object:
        if name not in where:
            raise AttributeError(f"there is no {what} {name!r}")
        found: object = import_module(where[name])
        if not whole_modules:
            found = getattr(found, name)
        setattr(sys.modules[module], name, found)
        return found

    return find
