"""Retention rules: legal retention in days, time to live of items in ticks."""

from muniment.model import ids
from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem
from muniment.model.policy import Governance, Policy
from muniment.model.policy.conversation import ForgetMode, RetentionRule, retention_rule


def held(newest_at: str, now_at: str, policy: Governance) -> bool:
    """Whether the retention still runs for the newest record; without an observed day it does."""
    if not newest_at or not now_at:
        return True
    return ids.day_number(now_at) - ids.day_number(newest_at) < policy.retention_epochs


def rule(policy: Policy, kind: Kind, event_type: EventType) -> RetentionRule:
    return retention_rule(policy.writing, policy.retention, kind, event_type)


def forgets(policy: Policy, kind: Kind) -> bool:
    """Whether any item of a kind can ever expire: where none can, nobody needs to look."""
    return any(rule(policy, kind, each).mode is not ForgetMode.NEVER for each in EventType)


def expires_at(created_at: int, its: RetentionRule) -> int | None:
    """The tick at which a ttl ends, as the rule has it that an item is made under."""
    return created_at + its.ticks if its.mode is ForgetMode.TTL else None


def expiry(item: MemoryItem, now: int, policy: Policy) -> str:
    """Why an item must go at this tick; empty while it may stay.

    The rule in force decides, also for what was kept under another one: who shortens a retention
    means what is there already, and who lengthens it means to keep it.
    """
    its = rule(policy, item.kind, item.meta.event_type or EventType.CONTEXT)
    ends = expires_at(item.created_at, its)
    if ends is not None and now >= ends:
        return "ttl_expired"
    if its.mode is ForgetMode.DECAY and now - item.created_at > its.ticks:
        return "decay"
    return ""
