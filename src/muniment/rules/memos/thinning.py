"""Thinning: which memos leave first, by decayed value for size or by a seeded sample.

Time decay is exp(-λΔt) with λ = ln 2 / half-life. The reservoir keeps the items with the largest
u^(1/w); u comes from a keyed hash of the item's id, so a replay draws alike and the order of
arrival does not matter. Everything is compared in whole numbers.
"""

import hmac
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION, halved_ppm, log2_ppm

DRAW_BITS: Final = 64


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """An item as thinning sees it: what it costs, what it is worth, how old it is."""

    id: str
    tokens: int
    importance_ppm: int
    age: int  # in the unit that the half-life has


def decayed_ppm(age: int, half_life: int) -> int:
    """w(t) = exp(-λΔt) in millionths: whole now, a half after one half-life."""
    return halved_ppm(max(age, 0), half_life)


def utility_ppm(item: Weighed, half_life: int) -> int:
    """What an item is worth by now: importance, faded by age, never quite nothing."""
    return max(1, item.importance_ppm * decayed_ppm(item.age, half_life) // MILLION)


def reservoir(
    items: Iterable[Weighed], size: int, *, seed: str, half_life: int
) -> tuple[Weighed, ...]:
    """A sample of at most so many, in which what matters more is likelier to be; ids in order."""
    drawn = sorted(
        (_rank(item, seed, utility_ppm(item, half_life)), item.id, item) for item in items
    )
    return tuple(sorted((item for *_, item in drawn[:size]), key=lambda item: item.id))


def evicted(
    items: Sequence[Weighed],
    *,
    half_life: int,
    tokens_max: int | None = None,
    items_max: int | None = None,
) -> tuple[Weighed, ...]:
    """Who must leave so that the rest fits, least utility for its size first."""
    ranked = sorted(items, key=lambda item: (_density(item, half_life), -item.age, item.id))
    tokens, count = sum(item.tokens for item in items), len(items)
    leaving: list[Weighed] = []
    for item in ranked:
        if _fits(tokens, tokens_max) and _fits(count, items_max):
            break
        leaving.append(item)
        tokens, count = tokens - item.tokens, count - 1
    # Once there is room, whoever left and still fits comes back, most worth first.
    spared: set[str] = set()
    for item in reversed(leaving):
        if _fits(tokens + item.tokens, tokens_max) and _fits(count + 1, items_max):
            spared.add(item.id)
            tokens, count = tokens + item.tokens, count + 1
    return tuple(item for item in leaving if item.id not in spared)


def _fits(amount: int, limit: int | None) -> bool:
    return limit is None or amount <= limit


def _density(item: Weighed, half_life: int) -> int:
    return utility_ppm(item, half_life) * MILLION // max(item.tokens, 1)


def _rank(item: Weighed, seed: str, weight_ppm: int) -> int:
    """-log2(u) / w: the smallest of these is the largest u^(1/w)."""
    mac = hmac.digest(seed.encode(), b"muniment/v1/reservoir\x00" + item.id.encode(), "sha256")
    drawn = int.from_bytes(mac[: DRAW_BITS // 8], "big") + 1
    return log2_ppm(1 << DRAW_BITS, drawn) * MILLION // weight_ppm
