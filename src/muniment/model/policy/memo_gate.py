"""Memo policy: gating, context assembly and compaction of a turn's memory."""

from typing import Annotated, Literal

import msgspec

from muniment.model.errors import PolicyError
from muniment.model.kinds.memo import MemoType, Ppm

Amount = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Limit = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]  # 0: no limit


RetentionName = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
DAY_SECONDS = 86_400


def _retentions() -> dict[RetentionName, Seconds]:
    """The classes of the second companion, each with its days."""
    days = {"user_data": 0, "tool_results": 30, "observations": 7, "errors": 7, "scratch": 8}
    return {name: count * DAY_SECONDS for name, count in days.items()}


class RoutingRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Memos of a type, or with a tag, go to these places instead of those their type has."""

    places: tuple[str, ...]
    type: MemoType | None = None
    tag: str = ""

    def __post_init__(self) -> None:
        if not self.places or (self.type is None and not self.tag):
            raise PolicyError("a routing rule needs places, and a type or a tag")


class TypeSetting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one registered memory type takes part."""

    name: str
    enabled: bool = True


class Gating(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of a turn, and where: redact, score, route, evict, index."""

    enable_tool_tracking: bool = True
    importance_min_ppm: Ppm = 300_000  # what lasts must matter more than this
    novelty_min_ppm: Ppm = 100_000  # what is distilled must be at least so new
    # What happened happened again: an occurrence counts even where it resembles another.
    novelty_exempt: tuple[MemoType, ...] = (
        MemoType.USER_MESSAGE,
        MemoType.TOOL_RESULT,
        MemoType.ACTION,
        MemoType.METRIC,
    )
    goal_weight_ppm: Ppm = 300_000
    user_weight_ppm: Ppm = 200_000
    confidence_weight_ppm: Ppm = 200_000
    novelty_weight_ppm: Ppm = 150_000
    actionability_weight_ppm: Ppm = 150_000
    routing: tuple[RoutingRule, ...] = ()
    memory_types: tuple[TypeSetting, ...] = ()
    turn_tokens_max: Amount = 1_000_000  # kept by one turn; beyond it only what matters most
    turn_milliseconds_max: Limit = 0
    working_policy: Literal["fifo_guarded"] = "fifo_guarded"
    working_items_max: Amount = 64
    working_tokens_max: Amount = 4_000
    working_low_ppm: Ppm = 300_000  # below this an item leaves first
    working_guard_ppm: Ppm = 700_000  # from this on it leaves last
    working_recent_steps: Limit = 5
    working_ttl_steps: Amount = 20
    working_ttl_seconds: Amount = 3_600
    working_tasks_max: Amount = 64  # bounded: the desk lives in memory
    # How long a memo is recalled whose `retention` has this name; 0, or another name: for good.
    retention_seconds: dict[RetentionName, Seconds] = msgspec.field(default_factory=_retentions)
    episodic_items_max: Limit = 0
    semantic_items_max: Limit = 10_000
    export_attempts: Annotated[int, msgspec.Meta(ge=1, le=8)] = 2
