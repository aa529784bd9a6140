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
    leaving: list[Memo] = []
    reason = ""
    waiting = sorted(
        enumerate(held), key=lambda each: _rank(each[0], each[1], gating, step=step, at=at)
    )
    tokens = sum(memo.tokens_estimate for memo in held) + incoming.tokens_estimate
    for _, memo in waiting:
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


def _rank(
    position: int, memo: Memo, gating: Gating, *, step: int, at: str
) -> tuple[bool, bool, bool, bool, int]:
    guarded = memo.importance_ppm >= gating.working_guard_ppm
    recent = step - memo.step_index < gating.working_recent_steps
    low = memo.importance_ppm < gating.working_low_ppm
    return (not _expired(memo, gating, step, at), guarded, not low, recent, position)


def _expired(memo: Memo, gating: Gating, step: int, at: str) -> bool:
    """By steps, by its own time to live, or by the hour; nothing leaves for age alone."""
    seconds = gating.working_ttl_seconds if memo.ttl is None else memo.ttl
    aged = ids.time_ms(at) - ids.time_ms(memo.timestamp) > seconds * 1000
    return aged or step - memo.step_index > gating.working_ttl_steps
