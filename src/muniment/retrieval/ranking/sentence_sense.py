"""Sentence sense: whether a text states, changes or only mentions something, by its vector.

"I bank with Arvo" states, "closed my Arvo account" changes it, "the queue at Arvo was long" does
neither. Rules know words for a change in each language, and people have others. Two directions in
the space of the default embedder tell these apart three times in four, also in languages that they
were not fitted to (`bench/recall/senses.py`). Vectors of another space have no sense.

All numbers are whole, so a text has the same sense on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Final, TypeAlias

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.retrieval import arrays as np
from muniment.retrieval.index import int8_vectors
from muniment.retrieval.index.collection import Collection

Numbers: TypeAlias = "np.NDArray[np.int64]"

FILE: Final = "sentence_sense.json"
SENSES: Final = ("changes", "states")
UNIT: Final = 127  # what 1 is, of a direction


class SenseTable(msgspec.Struct, frozen=True):
    """The directions, and the embedder in whose space they are."""

    space: str
    directions: Mapping[str, tuple[int, ...]]


@cache
def table() -> SenseTable:
    data = get_data(__package__, FILE)
    assert data is not None
    return msgspec.json.decode(data, type=SenseTable)


def senses_of(collection: Collection, numbers: Numbers, space: str) -> dict[str, Numbers]:
    """Of these documents how much each changes and states something, in millionths."""
    known = table()
    if space != known.space:
        return {name: np.zeros(len(numbers), np.int64) for name in SENSES}
    codes = collection.codes.take(numbers, axis=0).astype(np.int64)
    norms = np.maximum(collection.column("norms")[numbers], 1).astype(np.int64)
    unit = int8_vectors.NORM_UNIT * MILLION // UNIT
    return {
        name: (codes @ np.array(known.directions[name], np.int64)) * unit // norms
        for name in SENSES
    }
