"""Which memos leave a place that is full: each policy is one pure choice."""

from collections.abc import Sequence
from typing import Final

from muniment.model import ids
from muniment.model.memo import Memo
from muniment.model.orchestration import Gating

FIFO_GUARDED: Final = "fifo_guarded"
LEAST_IMPORTANT: Final = "least_important"
ROOM_PERCENT: Final = 90  # a full shelf is cleared to this, so that not every write clears it


def from_working(
    held: Sequence[Memo], incoming: Memo, gating: Gating, *, step: int, at: str
) -> tuple[tuple[Memo, ...], str]:
    """What must leave a scratchpad before one more fits, and which limit asked for it.

    What has had its time leaves first, then the unimportant, then the rest, oldest first; what
    matters most and what the last steps brought leaves last.
    """
    tokens = sum([memo.tokens_estimate for memo in held]) + incoming.tokens_estimate
    if len(held) < gating.working_items_max and tokens <= gating.working_tokens_max:
        return (), ""
    leaving: list[Memo] = []
    reason = ""
    for memo in _first_to_leave(held, gating, step=step, at=at):
        over_items = len(held) - len(leaving) + 1 > gating.working_items_max
        if not over_items and tokens <= gating.working_tokens_max:
            break
        reason = reason or ("items" if over_items else "tokens")
        leaving.append(memo)
        tokens -= memo.tokens_estimate
    return tuple(leaving), reason


def from_shelf(living: Sequence[Memo], items_max: int) -> tuple[Memo, ...]:
    """What leaves a shelf that holds too much: the least important, the oldest of these first."""
    room = items_max * ROOM_PERCENT // 100
    ranked = sorted(living, key=lambda memo: (memo.importance_ppm, memo.timestamp, memo.id))
    return tuple(ranked[: max(len(living) - room, 0)])


def _first_to_leave(held: Sequence[Memo], gating: Gating, *, step: int, at: str) -> list[Memo]:
    # Fixed-width moments compare as texts: what was written before this has had its hour.
    hour_ago = ids.time_text(ids.time_ms(at) - gating.working_ttl_seconds * 1000)

    def rank(each: tuple[int, Memo]) -> tuple[bool, bool, bool, bool, int]:
        position, memo = each
        age = step - memo.step_index
        old = memo.timestamp < hour_ago if memo.ttl is None else _outlived(memo, memo.ttl, at)
        return (
            not (old or age > gating.working_ttl_steps),
            memo.importance_ppm >= gating.working_guard_ppm,
            memo.importance_ppm >= gating.working_low_ppm,
            age < gating.working_recent_steps,
            position,
        )

    return [memo for _, memo in sorted(enumerate(held), key=rank)]


def _outlived(memo: Memo, ttl_seconds: int, at: str) -> bool:
    return ids.time_ms(at) - ids.time_ms(memo.timestamp) > ttl_seconds * 1000
