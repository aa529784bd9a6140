"""Re-ranking across memory types: one formula, whole millionths, one total order.

score = a·similarity + b·recency + c·importance - d·duplication. What decides is the scale of the
four: similarity uses its whole range within its pool, recency is measured on the memory's own span
and importance on a narrow band, so that the last two tell near-equals apart and bury nothing.
"""

from collections.abc import Sequence
from typing import Final

from muniment.model.fixed_point import MILLION, halved_ppm, rounded
from muniment.model.policy.context import Assembly
from muniment.model.text import near_duplicates
from muniment.model.text.near_duplicates import TextSignature
from muniment.retrieval.context import duplicate_filter
from muniment.retrieval.context.candidates import ContextCandidate, RankedCandidate

HALF: Final = MILLION // 2


def rerank(
    candidates: Sequence[ContextCandidate], working: Sequence[TextSignature], rules: Assembly
) -> list[RankedCandidate]:
    """Best first; the same list whatever order the candidates came in."""
    best = _best(candidates)
    return ordered([_ranked(each, best.get(each.pool, 0), working, rules) for each in candidates])


def ordered(found: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """Score descending, youngest first, then by type and id: total."""
    return sorted(
        found,
        key=lambda each: (
            -each.score_ppm,
            each.candidate.age,
            each.candidate.type,
            each.candidate.id,
        ),
    )


def recency_ppm(age: int, span: int, rules: Assembly) -> int:
    """exp(-λ age) with λ = ln 2 / half-life, where the half-life is a multiple of the span."""
    half_life = max(span, 1) * rules.half_life_span_percent
    return halved_ppm(max(age, 0) * 100, half_life)


def calibrated_ppm(importance_ppm: int, rules: Assembly) -> int:
    """Importance on the band it may use, around the middle of its scale."""
    return HALF + (importance_ppm - HALF) * rules.importance_spread_percent // 100


def _ranked(
    candidate: ContextCandidate, best: int, working: Sequence[TextSignature], rules: Assembly
) -> RankedCandidate:
    weights = rules.coefficients
    similarity = _scaled(candidate, best)
    recency = recency_ppm(candidate.age, candidate.span, rules)
    importance = calibrated_ppm(candidate.importance_ppm, rules)
    # Working memory is what the others are compared with: it does not duplicate itself.
    held = () if candidate.place == "WM" else working
    saying = near_duplicates.saying(candidate.text)
    duplication = duplicate_filter.duplication_ppm(saying, held)
    weighed = (
        weights.similarity_ppm * similarity
        + weights.recency_ppm * recency
        + weights.importance_ppm * importance
        - weights.duplication_ppm * duplication
    )
    return RankedCandidate(
        candidate=candidate,
        score_ppm=rounded(weighed, MILLION) if weighed >= 0 else -rounded(-weighed, MILLION),
        similarity_ppm=similarity,
        recency_ppm=recency,
        importance_ppm=importance,
        duplication_ppm=duplication,
        saying=saying,
    )


def _scaled(candidate: ContextCandidate, best: int) -> int:
    """The native score on a scale from nothing to the best of its pool."""
    native = max(candidate.similarity_ppm, 0)
    if not candidate.pool:
        return min(native, MILLION)
    return rounded(native * MILLION, best) if best else 0


def _best(candidates: Sequence[ContextCandidate]) -> dict[str, int]:
    best: dict[str, int] = {}
    for each in candidates:
        best[each.pool] = max(best.get(each.pool, 0), each.similarity_ppm)
    return best
