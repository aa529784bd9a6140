"""Token budget: minimum and maximum share of each memory type, and what it has used."""

from collections.abc import Sequence

import msgspec

from muniment.model.policy.context import Assembly, Share


class Allotment(msgspec.Struct, frozen=True, kw_only=True):
    """One memory type's part of a budget, in tokens."""

    type: str
    allocated: int  # what it is asked with, and sure of
    ceiling: int  # what it never exceeds, even where others leave something


def share(types: Sequence[str], budget_tokens: int, rules: Assembly) -> list[Allotment]:
    """Deterministic, in the order given; together never more than the budget.

    Every type gets its least share, scaled so that they add up to all there is. Asked of those
    alone that have something to offer, the shares of the others flow on to them.
    """
    shares = [rules.shares.get(each, rules.guest_share) for each in types]
    whole = max(sum(each.min_percent for each in shares), 1)
    return [
        Allotment(
            type=name,
            allocated=min(budget_tokens * its.min_percent // whole, _ceiling(its, budget_tokens)),
            ceiling=_ceiling(its, budget_tokens),
        )
        for name, its in zip(types, shares, strict=True)
    ]


def _ceiling(its: Share, budget_tokens: int) -> int:
    return budget_tokens * its.max_percent // 100
