"""Lazy numpy: loaded with the first array, not with the first import; `arrays.pyi` has its types.

Whoever writes `from muniment.retrieval import arrays as np` uses `np` as ever. Names of numpy in
annotations must stay unread: `from __future__ import annotations`, and aliases in quotes.
"""

from importlib import import_module


def __getattr__(name: str) -> object:
    found: object = getattr(import_module("numpy.typing" if name == "NDArray" else "numpy"), name)
    globals()[name] = found
    return found
