"""Deferred docstrings: numpy attaches them when it is imported; a brief command shows none.

`LazyLoader` of the standard library loads such a module at the first use of anything in it. So a
version of numpy that takes something from one of them loads it as ever, and in a version that has
no module of that name nothing is deferred.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final

NAMES: Final = frozenset({"numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars"})


class _Deferring:
    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name in NAMES else None
        if found and found.loader:
            found.loader = LazyLoader(found.loader)
        return found


def defer() -> None:
    """From here on, for this process."""
    if not any(each is _Deferring for each in sys.meta_path):
        sys.meta_path.insert(0, _Deferring)
