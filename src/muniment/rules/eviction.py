"""Which memos leave a place that is full: each policy is one pure choice."""

from collections.abc import Sequence
from typing import Final

from muniment.model import ids
from muniment.model.memo import Memo
from muniment.model.orchestration import Gating

FIFO_GUARDED: Final = "fifo_guarded"
LEAST_IMPORTANT: Final = "least_important"
GONE: Final = 16  # above every rank
ROOM_PERCENT: Final = 90  # a full shelf is cleared to this, so that not every write clears it


def from_working(
    held: Sequence[Memo], incoming: Memo, gating: Gating, *, tokens: int, step: int
) -> tuple[tuple[Memo, ...], str]:
    """What must leave a scratchpad of so many tokens for one more, and which limit asked for it.

    What has had its time leaves first, then the unimportant, then the rest, oldest first; what
    matters most and what the last steps brought leaves last.
    """
    tokens += incoming.tokens_estimate
    if len(held) < gating.working_items_max and tokens <= gating.working_tokens_max:
        return (), ""
    ranks = _ranks(held, gating, step=step, at=incoming.timestamp)
    leaving: list[Memo] = []
    reason = ""
    # Mostly one leaves for one that comes: the least is found without sorting the rest.
    while len(leaving) < len(held):
        over_items = len(held) - len(leaving) + 1 > gating.working_items_max
        if not over_items and tokens <= gating.working_tokens_max:
            break
        reason = reason or ("items" if over_items else "tokens")
        position = ranks.index(min(ranks))
        ranks[position] = GONE
        leaving.append(held[position])
        tokens -= leaving[-1].tokens_estimate
    return tuple(leaving), reason


def from_shelf(living: Sequence[Memo], items_max: int) -> tuple[Memo, ...]:
    """What leaves a shelf that holds too much: the least important, the oldest of these first."""
    room = items_max * ROOM_PERCENT // 100
    ranked = sorted(living, key=lambda memo: (memo.importance_ppm, memo.timestamp, memo.id))
    return tuple(ranked[: max(len(living) - room, 0)])


def _ranks(held: Sequence[Memo], gating: Gating, *, step: int, at: str) -> list[int]:
    """For each memo when it leaves: the least rank first, and of equal ones the oldest.

    That its time is not over counts most, then that it matters most, or at all, then its step.
    """
    # Fixed-width moments compare as texts: what was written before this has had its hour.
    hour_ago = ids.time_text(ids.time_ms(at) - gating.working_ttl_seconds * 1000)
    last_step, recent = step - gating.working_ttl_steps, step - gating.working_recent_steps
    guard, low = gating.working_guard_ppm, gating.working_low_ppm
    return [
        (
            8
            if memo.step_index >= last_step
            and (memo.timestamp >= hour_ago if memo.ttl is None else _lasts(memo, memo.ttl, at))
            else 0
        )
        + (4 if memo.importance_ppm >= guard else 0)
        + (2 if memo.importance_ppm >= low else 0)
        + (1 if memo.step_index > recent else 0)
        for memo in held
    ]


def _lasts(memo: Memo, ttl_seconds: int, at: str) -> bool:
    return ids.time_ms(at) - ids.time_ms(memo.timestamp) <= ttl_seconds * 1000
