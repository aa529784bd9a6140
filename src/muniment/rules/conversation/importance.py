"""Importance of an item: a small integer, and the rules that gave it."""

from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import EventType, MemoryItem, Source
from muniment.model.text.phrase_pattern import phrases

FIRST: Final = {
    EventType.FACT: 4,
    EventType.CORRECTION: 4,
    EventType.PREFERENCE: 3,
    EventType.DECISION: 3,
    EventType.EXECUTION: 2,
    EventType.CONTEXT: 1,
}
IMPORTANCE_MAX: Final = 7
MERGED: Final = "conflict_merge"
SUMMARY: Final = "summary"

_EMPHASIS = phrases("always", "never", "must", "avoid")


def weigh(event_type: EventType, source: Source, text: str) -> tuple[int, tuple[str, ...]]:
    """From 1 to 7: what it is, who said it, how strongly, and whether it puts something right."""
    importance, reasons = FIRST[event_type], [f"event:{event_type}"]
    if source is Source.USER:
        importance, reasons = importance + 1, [*reasons, "source:user"]
    if _EMPHASIS.search(text):
        importance, reasons = importance + 1, [*reasons, "emphasis"]
    if event_type is EventType.CORRECTION:
        importance, reasons = importance + 1, [*reasons, "corrective"]
    return min(importance, IMPORTANCE_MAX), tuple(reasons)


def merged(mine: int, reasons: tuple[str, ...], others: int) -> tuple[int, tuple[str, ...]]:
    """The winner of a semantic conflict keeps the larger importance of the two."""
    return (mine, reasons) if mine >= others else (others, (*reasons, MERGED))


def inherited(winner: MemoryItem, loser: MemoryItem) -> MemoryItem:
    """The winner of a semantic conflict, with the importance that it keeps."""
    had = winner.meta.importance_reason
    total, reasons = merged(winner.importance, had, loser.importance)
    meta = msgspec.structs.replace(winner.meta, importance_reason=reasons)
    return msgspec.structs.replace(winner, importance=total, meta=meta)
