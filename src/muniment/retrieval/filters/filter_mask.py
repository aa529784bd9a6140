"""Filter mask: documents of an index that pass a record filter, computed before ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from muniment.model.kinds.handles import Handles
from muniment.model.moments import span_ms
from muniment.retrieval import arrays as np
from muniment.retrieval.filters.record_filter import (
    TIMES,
    Condition,
    Either,
    Every,
    Neither,
    Where,
    is_handle,
    of_handles,
)
from muniment.retrieval.index import index_feed
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_status import Mask, Register

UNKNOWN_MS: Final = -(2**63)  # before every moment there is
Times: TypeAlias = "np.NDArray[np.int64]"


class Indexed(msgspec.Struct, frozen=True):
    """An index as a filter looks at it."""

    collection: Collection
    register: Register
    # The handles of some documents, by their numbers; they lie in the log.
    handles: Callable[[np.NDArray[np.int64]], Sequence[Handles]]


def mask(where: Where, index: Indexed) -> Mask:
    """True for each document that the filter lets in."""
    match where:
        case Every(parts=parts):
            return _joined(np.logical_and, parts, index)
        case Either(parts=parts):
            return _joined(np.logical_or, parts, index)
        case Neither(part=part):
            return ~mask(part, index)
        case Condition(field=field) if field in TIMES:
            return _at(where, _times(field, index))
        case Condition(field=field) if is_handle(field):
            return _labelled(where, index)
        case Condition():
            return _named(where, index)


def _joined(how: np.ufunc, parts: Sequence[Where], index: Indexed) -> Mask:
    found: Mask = how.reduce([mask(each, index) for each in parts])
    return found


def _named(asked: Condition, index: Indexed) -> Mask:
    """A field whose documents share few names: each name is asked once."""
    collection, register = index.collection, index.register
    names: Sequence[str]
    match asked.field:
        case "kind":
            names, column = index_feed.LAYERS, register.column("layer")
        case "origin":
            names, column = tuple(map(str, index_feed.ORIGINS)), register.column("origin")
        case "session":
            names = ("", *collection.columns.sessions_of(collection.count))
            column = collection.column("sessions")
        case _:
            names, column = ("", *collection.speakers), collection.column("speakers")
    table = np.array([asked.holds((name,) if name else ()) for name in names], dtype=bool)
    found: Mask = table[column]
    return found


def _labelled(asked: Condition, index: Indexed) -> Mask:
    """By what the log says of each document that has handles at all."""
    numbers = np.flatnonzero(index.register.column("labelled"))
    found = np.full(index.register.count, asked.holds(()), dtype=bool)
    told = index.handles(numbers)
    found[numbers] = [asked.holds(of_handles(each, asked.field)) for each in told]
    return found


def _times(field: str, index: Indexed) -> Times:
    said = index.collection.moments.astype(np.int64)
    if field == "expires":
        until = index.register.column("until").astype(np.int64)
        return np.where(until == 0, UNKNOWN_MS, until)
    found = np.where(said < 0, UNKNOWN_MS, said)
    if field == "said_at":
        return found
    if field == "happened_at":
        found = np.full(index.register.count, UNKNOWN_MS, dtype=np.int64)
    numbers = np.flatnonzero(index.register.column("labelled"))
    for number, each in zip(numbers, index.handles(numbers), strict=True):
        if each.happened_at:
            found[number] = span_ms(each.happened_at)[0]
    return found


def _at(asked: Condition, times: Times) -> Mask:
    known: Mask = times != UNKNOWN_MS
    if asked.op == "exists":
        return known if asked.value else ~known
    within = np.zeros(len(times), dtype=bool)
    for lo, hi in asked.spans:
        within |= (times >= lo) & (times <= hi)
    within &= known
    return ~within if asked.op == "ne" else within
