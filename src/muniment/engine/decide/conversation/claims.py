"""Conflict claims: what an item brings to a conflict, and what the winner inherits."""

import msgspec

from muniment.model.kinds.conversation_item import EventType, MemoryItem
from muniment.model.kinds.episode import Authority
from muniment.rules.conversation import conflict, importance


def of(item: MemoryItem) -> conflict.Claim:
    return conflict.Claim(
        id=item.id,
        authority=item.meta.authority or Authority.AI_INFERRED,
        event_type=item.meta.event_type or EventType.CONTEXT,
        created_at=item.created_at,
        importance=item.importance,
    )


def merged(item: MemoryItem, rival: MemoryItem) -> MemoryItem:
    had = item.meta.importance_reason
    total, reasons = importance.merged(item.importance, had, rival.importance)
    meta = msgspec.structs.replace(item.meta, importance_reason=reasons)
    return msgspec.structs.replace(item, importance=total, meta=meta)
