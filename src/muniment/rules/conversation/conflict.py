"""Conflict resolution: authority, correction, recency, importance, in that order."""

from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import EventType, MemoryItem
from muniment.model.kinds.episode import Authority
from muniment.model.policy.conversation import Writing

AUTHORITY: Final = "authority"
CORRECTION: Final = "correction"
RECENCY: Final = "recency"
IMPORTANCE: Final = "importance"


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What counts of an item in a conflict."""

    id: str
    authority: Authority
    event_type: EventType
    created_at: int
    importance: int
    intent: bool = False  # said by a person under their own credential, just now

    @property
    def corrects(self) -> bool:
        return self.event_type is EventType.CORRECTION


class ConflictVerdict(msgspec.Struct, frozen=True, kw_only=True):
    new_wins: bool
    rule: str


def claim(item: MemoryItem, *, intent: bool = False) -> Claim:
    return Claim(
        id=item.id,
        authority=item.meta.authority or Authority.AI_INFERRED,
        event_type=item.meta.event_type or EventType.CONTEXT,
        created_at=item.created_at,
        importance=item.importance,
        intent=intent,
    )


def settle(new: Claim, old: Claim, writing: Writing) -> ConflictVerdict:
    """Deterministic and total: one of the two wins, by exactly one rule."""
    mine, others = rank(new.authority, writing), rank(old.authority, writing)
    if mine != others:
        if mine < others and _overrides(new, old, writing):
            return ConflictVerdict(new_wins=True, rule=CORRECTION)
        return ConflictVerdict(new_wins=mine > others, rule=AUTHORITY)
    if new.corrects != old.corrects:
        return ConflictVerdict(new_wins=new.corrects, rule=CORRECTION)
    if new.created_at != old.created_at:
        return ConflictVerdict(new_wins=new.created_at > old.created_at, rule=RECENCY)
    mine_first = (new.importance, new.id) > (old.importance, old.id)
    return ConflictVerdict(new_wins=mine_first, rule=IMPORTANCE)


def rank(authority: Authority, writing: Writing) -> int:
    """The policy names the highest first."""
    return -writing.authority_order.index(authority)


def _overrides(new: Claim, old: Claim, writing: Writing) -> bool:
    """A correction may beat a higher authority when a person meant it, or a tool stands behind it.

    A policy may keep what the system imposed out of their reach.
    """
    least = rank(Authority.USER_ASSERTED, writing)
    if not new.corrects or rank(new.authority, writing) < least:
        return False
    if new.authority is Authority.USER_ASSERTED and not new.intent:
        return False
    return old.authority is not Authority.SYSTEM_IMPOSED or writing.correction_overrides_system
