"""Conversation policy: how a conversation's memory conducts itself, section by section."""

from enum import StrEnum
from functools import cache
from typing import Annotated, Final, Literal

import msgspec

from muniment.model.errors import PolicyError
from muniment.model.kinds.conversation_item import EventType, Kind, Space
from muniment.model.kinds.episode import Authority

EVERY_TYPE: Final = tuple(EventType)
LASTING: Final = (
    EventType.PREFERENCE,
    EventType.DECISION,
    EventType.FACT,
    EventType.CORRECTION,
)

# What `forget_policy` means for semantic items where no rule of their own is given.
DECAY_TICKS: Final = {
    EventType.CONTEXT: 12,
    EventType.EXECUTION: 18,
    EventType.DECISION: 40,
    EventType.PREFERENCE: 40,
    EventType.CORRECTION: 45,
    EventType.FACT: 60,
}
TTL_TICKS: Final = 25


class WritePolicy(StrEnum):
    NONE = "none"
    MINIMAL = "minimal"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


class ForgetMode(StrEnum):
    NEVER = "never"
    TTL = "ttl"
    DECAY = "decay"


# What `write_policy` lets into semantic and profile memory.
ADMITTED: Final = {
    WritePolicy.NONE: (),
    WritePolicy.MINIMAL: LASTING,
    WritePolicy.NORMAL: (*LASTING, EventType.EXECUTION),
    WritePolicy.AGGRESSIVE: EVERY_TYPE,
}


class RetentionRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long an item stays, in ticks of its stream's own clock."""

    mode: ForgetMode = ForgetMode.NEVER
    ticks: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0

    def __post_init__(self) -> None:
        if (self.mode is ForgetMode.NEVER) != (self.ticks == 0):
            raise PolicyError("Expected `ticks` >= 1 with ttl or decay, and none with never")


class Writing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written down of a conversation, and who wins when two items disagree."""

    write_policy: WritePolicy = WritePolicy.NORMAL
    forget_policy: ForgetMode = ForgetMode.DECAY
    allow_event_types: tuple[EventType, ...] = ()
    deny_event_types: tuple[EventType, ...] = ()
    dedupe_enabled: bool = True
    # What leaves the window or decays is archived: no longer at hand, still found by recall.
    # Without it what leaves ends, and every refused copy is an entry, as seed 001 says literally.
    archive: bool = True
    authority_order: tuple[Authority, ...] = (
        Authority.SYSTEM_IMPOSED,
        Authority.TOOL_VERIFIED,
        Authority.USER_ASSERTED,
        Authority.AI_INFERRED,
    )
    correction_overrides_system: bool = True  # of a person who meant it, or of a tool

    def __post_init__(self) -> None:
        if sorted(self.authority_order) != sorted(Authority):
            raise PolicyError("Expected `authority_order` to name each authority exactly once")


class Retention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules that differ from what `forget_policy` gives, by kind and event type."""

    short_term: dict[EventType, RetentionRule] = {}
    semantic: dict[EventType, RetentionRule] = {}
    profile: dict[EventType, RetentionRule] = {}


class Promotion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which event types may be written to which kind."""

    short_term: tuple[EventType, ...] = EVERY_TYPE
    semantic: tuple[EventType, ...] = EVERY_TYPE
    profile: tuple[EventType, ...] = (EventType.FACT, EventType.CORRECTION)


class SpaceRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From one space to another, for these event types, with at least this authority."""

    from_space: Space
    to_space: Space
    authority: Authority
    event_types: tuple[EventType, ...] = LASTING


class Spaces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which spaces are read, in which order; which may be written; what may move between them."""

    read_order: tuple[Space, ...] = tuple(Space)
    write_spaces: tuple[Space, ...] = (Space.SESSION,)
    promotions: tuple[SpaceRule, ...] = (
        SpaceRule(from_space=Space.SESSION, to_space=Space.USER, authority=Authority.USER_ASSERTED),
        SpaceRule(
            from_space=Space.SESSION,
            to_space=Space.PROJECT,
            authority=Authority.USER_ASSERTED,
            event_types=(EventType.DECISION,),
        ),
        SpaceRule(
            from_space=Space.SESSION,
            to_space=Space.PROJECT,
            authority=Authority.TOOL_VERIFIED,
            event_types=(EventType.PREFERENCE, EventType.FACT, EventType.CORRECTION),
        ),
        SpaceRule(from_space=Space.USER, to_space=Space.PROJECT, authority=Authority.USER_ASSERTED),
    )

    def __post_init__(self) -> None:
        for name in ("read_order", "write_spaces"):
            told = getattr(self, name)
            if len(set(told)) != len(told):
                raise PolicyError(f"Expected `{name}` to name each space at most once")


class Phasing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Chapters of a space, and whether recall looks beyond the current one."""

    enabled: bool = True
    mode: Literal["current_only", "current_plus_history"] = "current_only"
    allow_cross_phase_recall: bool = False
    max_phases: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    diff_enabled: bool = True

    @property
    def reads_history(self) -> bool:
        return self.mode == "current_plus_history" or self.allow_cross_phase_recall


Rules = dict[EventType, RetentionRule]


def retention_rules(writing: Writing, retention: Retention) -> dict[Kind, Rules]:
    """Every rule there is: what `forget_policy` gives, and what was said beside it."""
    return {
        kind: {each: retention_rule(writing, retention, kind, each) for each in EventType}
        for kind in Kind
    }


def retention_rule(
    writing: Writing, retention: Retention, kind: Kind, event_type: EventType
) -> RetentionRule:
    """One of them; a turn asks for that of every item there is, so no others are made."""
    said: Rules = getattr(retention, kind)
    if event_type in said:
        return said[event_type]
    return _given(writing.forget_policy if kind is Kind.SEMANTIC else ForgetMode.NEVER, event_type)


@cache
def _given(forget: ForgetMode, event_type: EventType) -> RetentionRule:
    if forget is ForgetMode.TTL:
        return RetentionRule(mode=forget, ticks=TTL_TICKS)
    if forget is ForgetMode.DECAY:
        return RetentionRule(mode=forget, ticks=DECAY_TICKS[event_type])
    return RetentionRule()
