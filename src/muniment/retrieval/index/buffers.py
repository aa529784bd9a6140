"""Arena: one piece of memory for several arrays.

A system gives out one large piece in far less time than many small ones, page by page.
"""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

ALIGNED: Final = 64  # bytes; where an array may begin
GROWTH_SHARE: Final = 8  # of what there is, added when an array is full
GROWTH_MIN: Final = 16

Shape = tuple[int, ...]


def arrays(wanted: Mapping[str, tuple[Shape, str]]) -> dict[str, NDArray[np.integer]]:
    """Arrays of these shapes and kinds of numbers; nothing is in them yet."""
    kinds = {name: np.dtype(kind) for name, (_, kind) in wanted.items()}
    sizes = {name: prod(shape) * kinds[name].itemsize for name, (shape, _) in wanted.items()}
    places = accumulate((size + -size % ALIGNED for size in sizes.values()), initial=0)
    spans = list(pairwise(places))
    whole = np.empty(spans[-1][1] if spans else 0, np.uint8)
    return {
        name: whole[start : start + sizes[name]].view(kinds[name]).reshape(shape)
        for (name, (shape, _)), (start, _) in zip(wanted.items(), spans, strict=True)
    }


def roomy(length: int) -> int:
    """So much room for so many rows that most additions need no other."""
    return length + length // GROWTH_SHARE + GROWTH_MIN
