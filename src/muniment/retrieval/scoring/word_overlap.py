"""Word overlap: the share of common words, in millionths, with one total order."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.model.kinds.episode import EpisodicEntry, Evidence
from muniment.model.text.tokens import tokens
from muniment.retrieval.ranking.sort_order import best_first

MILLION: Final = 1_000_000


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    entry: EpisodicEntry
    score_ppm: int
    overlap: int
    matched: tuple[str, ...]
    evidence: Evidence = Evidence()  # what a decision that uses it must cite


def ratio_ppm(part: int, whole: int) -> int:
    """A fraction in whole millionths, rounded half up; the only rounding in the house."""
    return (part * MILLION * 2 + whole) // (whole * 2)


def overlap_score(summary: str, query: frozenset[str]) -> tuple[int, int, tuple[str, ...]]:
    """How many of the summary's words the query names, over the summary's length."""
    words = tokens(summary)
    matched = [word for word in words if word in query]
    score = ratio_ppm(len(matched), max(1, len(words)))
    return score, len(matched), tuple(sorted(set(matched)))


def episodic(entries: Iterable[EpisodicEntry], query: frozenset[str]) -> list[Scored]:
    """Score descending, seeded time descending, id ascending: total, whatever order came in."""
    scored = []
    for entry in entries:
        score, overlap, matched = overlap_score(entry.summary, query)
        scored.append(Scored(entry=entry, score_ppm=score, overlap=overlap, matched=matched))
    return best_first(
        scored,
        lambda each: (each.score_ppm, each.entry.created_seeded_ts, each.entry.episodic_id),
    )
