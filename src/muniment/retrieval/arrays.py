"""Lazy numpy: loaded with the first array, not with the first import; `arrays.pyi` has its types.

Whoever writes `from muniment.retrieval import arrays as np` uses `np` as ever. Names of numpy in
annotations must stay unread: `from __future__ import annotations`, and aliases in quotes.
"""

from importlib import import_module
from typing import Any, Final

TABLE_SHARE: Final = 6  # of how many numbers a table may be, for each that is looked at


def isin(found: Any, wanted: Any) -> Any:  # noqa: ANN401 - arrays, which are not loaded yet
    """Which of some numbers are among others; for numbers far apart numpy loads masked arrays."""
    numpy = import_module("numpy")
    held = numpy.asarray(wanted)
    if found.dtype.kind not in "iu" or held.dtype.kind not in "iu" or not held.size:
        return numpy.isin(found, wanted)
    ordered = numpy.sort(held)
    if int(ordered[-1]) - int(ordered[0]) <= TABLE_SHARE * (found.size + held.size):
        return numpy.isin(found, held, kind="table")
    places = numpy.searchsorted(ordered, found)
    return ordered[numpy.minimum(places, ordered.size - 1)] == found


def __getattr__(name: str) -> object:
    found: object = getattr(import_module("numpy.typing" if name == "NDArray" else "numpy"), name)
    globals()[name] = found
    return found
