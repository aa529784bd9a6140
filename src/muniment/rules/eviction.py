"""Who leaves a full working memory: first in, first out, with a guard for what matters."""

from collections.abc import Sequence
from typing import Final

import msgspec

EXPENDABLE: Final = 0
ORDINARY: Final = 1
PROTECTED: Final = 2


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One item of working memory as eviction sees it; position 0 is the oldest."""

    id: str
    position: int
    step: int
    tokens: int
    importance_ppm: int
    kept_ms: int = 0


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a working memory, and whom it favours."""

    items_max: int
    tokens_max: int
    expendable_below_ppm: int = 300_000
    protected_from_ppm: int = 700_000
    recent_steps: int = 5
    step_ttl: int = 20
    wall_ttl_ms: int = 3_600_000


def leaving(seats: Sequence[Seat], guard: Guard, *, step: int, now_ms: int = 0) -> tuple[Seat, ...]:
    """Who must go so that the rest fits, in that order; while there is room, nobody."""
    tokens, count = sum(each.tokens for each in seats), len(seats)
    gone: list[Seat] = []
    for each in sorted(seats, key=lambda seat: _turn(seat, guard, step, now_ms)):
        if count <= guard.items_max and tokens <= guard.tokens_max:
            break
        gone.append(each)
        tokens, count = tokens - each.tokens, count - 1
    return tuple(gone)


def is_expired(seat: Seat, guard: Guard, *, step: int, now_ms: int) -> bool:
    """Whether its time is over; it leaves when its place is needed, and not before."""
    too_old = bool(now_ms and seat.kept_ms) and now_ms - seat.kept_ms > guard.wall_ttl_ms
    return step - seat.step > guard.step_ttl or too_old


def band(importance_ppm: int, guard: Guard) -> int:
    if importance_ppm < guard.expendable_below_ppm:
        return EXPENDABLE
    return PROTECTED if importance_ppm >= guard.protected_from_ppm else ORDINARY


def _turn(seat: Seat, guard: Guard, step: int, now_ms: int) -> tuple[int, int, int, int, str]:
    """Expired before living, less before more important, old before recent, first before last."""
    alive = int(not is_expired(seat, guard, step=step, now_ms=now_ms))
    recent = int(step - seat.step < guard.recent_steps)
    return (alive, band(seat.importance_ppm, guard), recent, seat.position, seat.id)
