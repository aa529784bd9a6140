"""What passes between a conversation and its log: messages, offers, mentions, borders, changes."""

from typing import Annotated

import msgspec

from muniment.model.kinds.conversation_item import EventType, Kind, Source, Space
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.handles import NONE, Handles


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message of an interaction, as its source gave it."""

    source: Source
    text: Annotated[str, msgspec.Meta(max_length=32_768)]


class Offer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item as it is wanted: everything but its id, its tick and its phase."""

    kind: Kind
    text: str
    source: Source
    importance: int
    event_type: EventType
    importance_reason: tuple[str, ...]
    dedup_key: str
    authority: Authority
    authority_reason: str
    policy_tags: tuple[str, ...]
    key: str = ""
    source_turn_ids: tuple[str, ...] = ()
    promoted_from: str = ""
    promotion_reason: str = ""
    intent: bool = False  # said by a person under their own credential
    replaces: str = ""  # the id of the item it declares itself to replace
    handles: Handles = NONE


class Mention(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One recalled item: its id and why it is there; its words stay where they are."""

    id: str
    kind: Kind
    space: Space
    reasons: tuple[str, ...]
    tags: tuple[str, ...] = ()
    score: int | None = None
    phase: str = ""


class Crossing(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a border check."""

    space: Space
    allowed: bool
    reason: str


class PhaseChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a diff between two phases."""

    change: str  # replaced, added, deleted
    kind: Kind
    id: str
    replaces: str = ""
    dedup_key: str = ""
