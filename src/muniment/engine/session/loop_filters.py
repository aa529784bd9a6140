"""Filters of `rag_query`: they only narrow a search of the mirror."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.retrieval import arrays as np
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_status import Mask, Register
from muniment.retrieval.index.index_feed import IMPORTANCE_PPM, KINDS, MIRROR
from muniment.retrieval.ranking.sort_order import Numbers, Order
from muniment.rules import event_importance

MOMENTS: Final = range(253_402_300_800_000)  # the milliseconds from 1970 to the year 9999
# How much an event matters: by itself, and by how many others say the same.
GRADES: Final = [
    [event_importance.lowered(own, others) for others in range(event_importance.REPETITION_MAX + 1)]
    for own in range(event_importance.IMPORTANCE_MAX + 1)
]


class LoopFilters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kinds: tuple[EventKind, ...] = ()
    visibility: Visibility | None = None
    loop_id: str = ""
    since: str = ""
    until: str = ""
    importance_min: int = 0
    top_k: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 8

    @staticmethod
    def read(filters: Mapping[str, object]) -> LoopFilters:
        try:
            return msgspec.convert(dict(filters), LoopFilters)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise InputError(f"filters: {error}") from None

    def among(self, collection: Collection, register: Register) -> Mask:
        """The documents of an index that pass, before anything is ranked."""
        found = np.ones(register.count, bool)
        if self.kinds:
            found &= register.of_kind(self.kinds)
        if self.visibility is not None:
            found &= register.of_visibility(self.visibility)
        if self.loop_id:
            found &= collection.of_session(self.loop_id)
        # Moments are compared as the texts that they are written as.
        if self.since:
            found &= collection.moments >= bisect_left(MOMENTS, self.since, key=ids.time_text)
        if self.until:
            found &= collection.moments < bisect_right(MOMENTS, self.until, key=ids.time_text)
        if self.importance_min:
            found &= importances(collection, register) >= self.importance_min
        return found


def mirrored(register: Register, day: int | None) -> Mask:
    """The mirror entries that may be shown; of a day, those that were so by then."""
    found: Mask = register.of_layer((MIRROR,)) & ~register.ended(valid_at=day)
    return found if day is None else found & register.holding(day)


def importances(collection: Collection, register: Register) -> np.NDArray[np.int64]:
    """How much each event matters among all others; what is repeated matters less."""
    said = register.column("said") * len(KINDS) + register.column("kind")
    _, which, often = np.unique(said, return_inverse=True, return_counts=True)
    own = np.minimum(collection.column("importance") // IMPORTANCE_PPM, len(GRADES) - 1)
    others = np.minimum(often[which] - 1, event_importance.REPETITION_MAX)  # more change nothing
    found: np.NDArray[np.int64] = np.array(GRADES)[own, others]
    return found


def best(order: Order, register: Register, count: int) -> tuple[Numbers, Numbers]:
    """So many events, best first, each by the part of it that answers best; and their scores."""
    _, first = np.unique(register.column("seq")[order.numbers], return_index=True)
    kept = np.sort(first)[:count]
    return order.numbers[kept], order.scores[kept]
