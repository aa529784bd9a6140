"""Space borders: what may be read, written and promoted across them."""

from collections.abc import Collection
from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import EventType, Kind, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy.conversation import Spaces, Writing

ALLOWED: Final = "allowed"
AUTHORITY: Final = "promotion_authority"


def read(space: Space, policy: Spaces, present: Collection[Space]) -> str:
    """`allowed`, or why a space may not be read; one without an owner here is not there."""
    if space not in policy.read_order or space not in present:
        return "space_disabled"
    return ALLOWED


def write(to_space: Space, policy: Spaces, present: Collection[Space]) -> str:
    if to_space not in present:
        return "space_disabled"
    return ALLOWED if to_space in policy.write_spaces else "write_space_disallowed"


def promote(from_space: Space, to_space: Space, policy: Spaces, present: Collection[Space]) -> str:
    """Both spaces must be in use; whether this item may move is the promotion's own question."""
    for space in (from_space, to_space):
        if space not in present or space not in policy.read_order:
            return "space_disabled"
    return ALLOWED


class Traveller(msgspec.Struct, frozen=True, kw_only=True):
    """What counts of an item at a border."""

    kind: Kind
    event_type: EventType
    authority: Authority


def refusal(
    item: Traveller, from_space: Space, to_space: Space, policy: Spaces, writing: Writing
) -> str:
    """Why an item may not move from one space to another; empty when it may."""
    known = [
        each
        for each in policy.promotions
        if each.from_space is from_space and each.to_space is to_space
    ]
    if not known or item.kind is Kind.SHORT_TERM:
        return "promotion_disallowed"
    fitting = [each for each in known if item.event_type in each.event_types]
    if not fitting:
        return "promotion_event_type"
    rank = writing.authority_order.index
    if not any(rank(item.authority) <= rank(each.authority) for each in fitting):
        return AUTHORITY
    return ""
