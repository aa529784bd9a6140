"""Promotion rules: moves between working and consolidated memory, and eviction there."""

from muniment.model.kinds.episode import ConsolidatedItem, WorkingEntry
from muniment.model.policy import Brainstate


def recent(referenced_at: tuple[int, ...], tick: int, window_ticks: int) -> int:
    """References within the sliding window that ends with this tick."""
    return sum(1 for at in referenced_at if tick - window_ticks < at <= tick)


def due(
    entries: tuple[WorkingEntry, ...], tick: int, constants: Brainstate
) -> tuple[WorkingEntry, ...]:
    """Entries to promote, oldest first: the order in which they were noticed."""
    return tuple(
        entry
        for entry in reversed(entries)
        if recent(entry.referenced_at, tick, constants.promotion_window_ticks)
        >= constants.promotion_references
    )


def returning(
    items: tuple[ConsolidatedItem, ...], tick: int, constants: Brainstate
) -> tuple[ConsolidatedItem, ...]:
    """Consolidated items so heavily used that they belong in working memory again."""
    return tuple(
        item
        for item in items
        if recent(item.referenced_at, tick, constants.return_window_ticks)
        >= constants.return_references
    )


def keep(
    items: tuple[ConsolidatedItem, ...], token_cap: int
) -> tuple[tuple[ConsolidatedItem, ...], tuple[ConsolidatedItem, ...]]:
    """Most used first, newest of equals first, whole items within the cap; and what leaves."""
    ranked = sorted(
        items, key=lambda item: (-item.references, -item.promoted_at_tick, item.cwm_id_item)
    )
    kept: list[ConsolidatedItem] = []
    dropped: list[ConsolidatedItem] = []
    used = 0
    for item in ranked:
        fits = used + item.token_estimate <= token_cap
        (kept if fits else dropped).append(item)
        used += item.token_estimate if fits else 0
    assert used <= token_cap
    return tuple(kept), tuple(dropped)


def worth_an_episode(entries: tuple[WorkingEntry, ...]) -> tuple[WorkingEntry, ...]:
    """What working memory leaves behind at job end: facts and context that were used, in order."""
    return tuple(
        entry
        for entry in reversed(entries)
        if entry.type in {"fact", "context"} and entry.references >= 1
    )
