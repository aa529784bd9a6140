"""Eviction policies: which memos leave a full place; each policy is a pure function."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final

from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import ids
from muniment.model.kinds.memo import Memo
from muniment.model.policy.memo_gate import Gating

FIFO_GUARDED: Final = "fifo_guarded"
LEAST_IMPORTANT: Final = "least_important"
RECENT, MATTERS, MATTERS_MOST, LASTS, GONE = 1, 2, 4, 8, 16  # a rank is their sum
ROOM_PERCENT: Final = 90  # a full shelf is cleared to this, so that not every write clears it


def from_working(
    pad: Scratchpad, incoming: Memo, gating: Gating, *, step: int
) -> tuple[tuple[Memo, ...], str]:
    """What must leave a scratchpad for one more, and which limit asked for it.

    What has had its time leaves first, then the unimportant, then the rest, oldest first; what
    matters most and what the last steps brought leaves last.
    """
    held, tokens = pad.held, pad.tokens + incoming.tokens_estimate
    if len(held) < gating.working_items_max and tokens <= gating.working_tokens_max:
        return (), ""
    ranks = (_quickly if pad.in_order else thorough)(pad, gating, step=step, at=incoming.timestamp)
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
        leaving.append(held[position].memo)
        tokens -= leaving[-1].tokens_estimate
    return tuple(leaving), reason


def from_shelf(living: Sequence[Memo], items_max: int) -> tuple[Memo, ...]:
    """What leaves a shelf that holds too much: the least important, the oldest of these first."""
    room = items_max * ROOM_PERCENT // 100
    ranked = sorted(living, key=lambda memo: (memo.importance_ppm, memo.timestamp, memo.id))
    return tuple(ranked[: max(len(living) - room, 0)])


def thorough(pad: Scratchpad, gating: Gating, *, step: int, at: str) -> list[int]:
    """For each memo when it leaves: the least rank first, and of equal ones the oldest.

    That its time is not over counts most, then that it matters most, or at all, then its step.
    """
    hour_ago, last_step, recent = _bounds(gating, step, at)
    guard, low = gating.working_guard_ppm, gating.working_low_ppm
    return [
        (
            LASTS
            if memo.step_index >= last_step
            and (memo.timestamp >= hour_ago if memo.ttl is None else _lasts(memo, memo.ttl, at))
            else 0
        )
        + (MATTERS_MOST if memo.importance_ppm >= guard else 0)
        + (MATTERS if memo.importance_ppm >= low else 0)
        + (RECENT if memo.step_index > recent else 0)
        for memo in (each.memo for each in pad.held)
    ]


def _quickly(pad: Scratchpad, gating: Gating, *, step: int, at: str) -> list[int]:
    """The same order of memos that came in the order of their time.

    Whose time is over stands first. What is recent came last, and of equal ones the last stays.
    """
    hour_ago, last_step, _ = _bounds(gating, step, at)
    guard, low, most = gating.working_guard_ppm, gating.working_low_ppm, MATTERS + MATTERS_MOST
    ranks = [most if it >= guard else MATTERS if it >= low else 0 for it in pad.weights]
    over = _first(pad, lambda memo: memo.timestamp >= hour_ago and memo.step_index >= last_step)
    if over:
        ranks[over:] = [rank + LASTS for rank in ranks[over:]]
    return ranks


def _first(pad: Scratchpad, holds: Callable[[Memo], bool]) -> int:
    """From where on something holds that, once it holds, holds of all that came later."""
    if holds(pad.held[0].memo):
        return 0  # nearly always
    return bisect_left(pad.held, 1, key=lambda each: holds(each.memo))


def _bounds(gating: Gating, step: int, at: str) -> tuple[str, int, int]:
    """Before which moment and step a memo has had its time, and after which it is recent."""
    # Fixed-width moments compare as texts: what was written before this has had its hour.
    hour_ago = ids.time_text(ids.time_ms(at) - gating.working_ttl_seconds * 1000)
    return hour_ago, step - gating.working_ttl_steps, step - gating.working_recent_steps


def _lasts(memo: Memo, ttl_seconds: int, at: str) -> bool:
    return ids.time_ms(at) - ids.time_ms(memo.timestamp) <= ttl_seconds * 1000
