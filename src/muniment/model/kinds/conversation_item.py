"""Conversation item: its kinds, its spaces, its meta fields, and its ledger."""

from enum import StrEnum
from typing import Annotated, Final, Literal

import msgspec

from muniment.model.canonical_json import digest, encode
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.scope import unescaped

ANONYMOUS: Final = "anonymous"
ITEM_PARTS: Final = 4
ROLLING: Final = "summary:rolling"  # the tag of a summary whose messages are archived
WISHED: Final = "forget_wish"  # the rule by which an item left that somebody asked to forget
WISH: Final = "wish:to_forget"  # the tag of a wish to forget: it is kept, and answers nothing


class Kind(StrEnum):
    SHORT_TERM = "short_term"
    SEMANTIC = "semantic"
    PROFILE = "profile"


class Source(StrEnum):
    USER = "user"
    AI = "ai"
    TOOL = "tool"
    SYSTEM = "system"


class EventType(StrEnum):
    PREFERENCE = "preference"
    DECISION = "decision"
    FACT = "fact"
    CORRECTION = "correction"
    EXECUTION = "execution"
    CONTEXT = "context"


class Space(StrEnum):
    """Whose memory it is; the session's lies in the agent's own stream, the others are shared."""

    SESSION = "session"
    USER = "user"
    PROJECT = "project"
    SYSTEM = "system"


class Meta(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known about an item besides itself; every field is optional."""

    event_type: EventType | None = None
    importance_reason: tuple[str, ...] = ()
    recall_reason: tuple[str, ...] = ()
    space: Space | None = None
    owner: str = ""
    summary_of: tuple[str, ...] = ()
    dedup_key: str = ""
    score: int | None = None
    key: str = ""
    source_turn_ids: tuple[str, ...] = ()
    authority: Authority | None = None
    authority_reason: str = ""
    promoted_from: str = ""
    promotion_reason: str = ""
    policy_tags: tuple[str, ...] = ()
    expires_at: int | None = None
    phase_id: str = ""
    phase_name: str = ""
    phase_started_at: int | None = None
    phase_reason: str = ""
    handles: Handles = NONE  # as a caller gave them


class MemoryItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a conversation left behind."""

    id: str
    kind: Kind
    text: str
    source: Source
    created_at: Annotated[int, msgspec.Meta(ge=0)]  # of the stream's own clock, never of the wall
    importance: Annotated[int, msgspec.Meta(ge=0)]
    scope: Literal["session"] = "session"
    meta: Meta = Meta()

    @property
    def told(self) -> str:
        """What it says by itself: of a profile fact, whose text is a value, also which one."""
        key = self.meta.key.replace("_", " ") if self.kind is Kind.PROFILE else ""
        return f"{key}: {self.text}" if key else self.text


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter of a space: recall shows the current one unless policy says more."""

    n: int
    name: str = ""
    started_at: int = 0
    reason: str = ""

    @property
    def id(self) -> str:
        return phase_id(self.n)


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """What a space of one owner counts and holds at hand: bounded, whatever its length."""

    number: int
    space: Space
    owner: str
    subject: str
    counts: dict[str, int] = {}  # items ever attempted, by kind: an id is never given twice
    phase: Phase | None = None
    window: tuple[str, ...] = ()  # the short-term messages still at hand, oldest first
    summary: str = ""  # the id of what stands for the messages that have left the window
    unsummarised: tuple[str, ...] = ()  # archived messages that no summary tells of yet
    used_seq: int = 0


def item_id(space: Space, owner: str, kind: Kind, n: int) -> str:
    return f"{space}:{owner}:{kind}:{n}"


def session_of(item_id: str) -> str:
    """The session that an id names as its owner; empty for an id of another kind or space."""
    parts = item_id.split(":")
    return ":".join(parts[1:-2]) if is_item(item_id) and parts[0] == Space.SESSION else ""


def owner_name(item: MemoryItem) -> str:
    """The session, person or project of an item as it was named; ids spell it escaped."""
    return unescaped(item.meta.owner)


def is_item(item_id: str) -> bool:
    """Whether an id is spelled as one of a conversation's items: `<space>:<owner>:<kind>:<n>`."""
    parts = item_id.split(":")
    return len(parts) >= ITEM_PARTS and parts[0] in set(Space) and parts[-2] in set(Kind)


def phase_id(n: int) -> str:
    return f"phase-{n}"


def store_key(space: Space, owner: str) -> str:
    return f"{space}:{owner}"


def rival_key(space: Space, owner: str, kind: Kind, dedup_key: str) -> str:
    """Under which an item is found by those it may conflict with."""
    return f"{store_key(space, owner)}\x00{kind}\x00{dedup_key}"


def deterministic_hash(items: tuple[MemoryItem, ...]) -> str:
    """One hash over the (kind, id) pairs of a recall, in their order."""
    pairs = [[item.kind, item.id] for item in items]
    return digest("muniment/v1/recalled", encode(pairs)).hex()


def as_dict(item: MemoryItem) -> dict[str, object]:
    """The item as JSON has it; its meta holds only what is there."""
    shown: dict[str, object] = msgspec.json.decode(encode(item))
    return shown


def from_dict(raw: object) -> MemoryItem:
    """A memory item from parsed JSON; a wrong or missing field is named by its path."""
    return msgspec.convert(raw, MemoryItem, strict=True)
