"""Which memos leave a place that is full: each policy is one pure choice."""

from collections.abc import Sequence
from heapq import heapify, heappop
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
    ranks = _ranks(held, gating, step=step, at=at)
    leaving: list[Memo] = []
    reason = ""
    # Mostly one leaves for one that comes: a heap gives the first without sorting the rest.
    heapify(ranks)
    while ranks:
        over_items = len(held) - len(leaving) + 1 > gating.working_items_max
        if not over_items and tokens <= gating.working_tokens_max:
            break
        reason = reason or ("items" if over_items else "tokens")
        leaving.append(held[heappop(ranks)[-1]])
        tokens -= leaving[-1].tokens_estimate
    return tuple(leaving), reason


def from_shelf(living: Sequence[Memo], items_max: int) -> tuple[Memo, ...]:
    """What leaves a shelf that holds too much: the least important, the oldest of these first."""
    room = items_max * ROOM_PERCENT // 100
    ranked = sorted(living, key=lambda memo: (memo.importance_ppm, memo.timestamp, memo.id))
    return tuple(ranked[: max(len(living) - room, 0)])


def _ranks(
    held: Sequence[Memo], gating: Gating, *, step: int, at: str
) -> list[tuple[bool, bool, bool, bool, int]]:
    """For each memo when it leaves: the least rank first; its position makes it the only one."""
    # Fixed-width moments compare as texts: what was written before this has had its hour.
    hour_ago = ids.time_text(ids.time_ms(at) - gating.working_ttl_seconds * 1000)
    last_step, recent = step - gating.working_ttl_steps, step - gating.working_recent_steps
    guard, low = gating.working_guard_ppm, gating.working_low_ppm
    return [
        (
            memo.step_index >= last_step
            and not (
                memo.timestamp < hour_ago if memo.ttl is None else _outlived(memo, memo.ttl, at)
            ),
            memo.importance_ppm >= guard,
            memo.importance_ppm >= low,
            memo.step_index > recent,
            position,
        )
        for position, memo in enumerate(held)
    ]


def _outlived(memo: Memo, ttl_seconds: int, at: str) -> bool:
    return ids.time_ms(at) - ids.time_ms(memo.timestamp) > ttl_seconds * 1000
