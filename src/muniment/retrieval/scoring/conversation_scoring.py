"""Conversation scoring: rank of items for an AI call, in integers and one total order."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem, Phase, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy
from muniment.model.text.tokens import tokens
from muniment.retrieval.ranking.sort_order import best_first
from muniment.rules.conversation import conflict, gate, retention

AGES: Final = ((2, 2), (5, 1))  # so many points up to such an age
WEIGHTS: Final = ((4, 2), (2, 1))  # so many points from such an importance


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """One space as it stands for a recall."""

    space: Space
    items: tuple[MemoryItem, ...]  # alive, newest first
    phase: Phase | None
    clock: int
    policy: Policy  # the space's own: how long it keeps what is its


class ScoredItem(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[MemoryItem, ...]
    hidden: int  # alive, and not current: of another phase, past their time, or overruled


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What a semantic item scores, from 0 to 6, and why."""

    similarity: int
    recency: int
    importance: int

    @property
    def total(self) -> int:
        return self.similarity + self.recency + self.importance

    @property
    def reasons(self) -> tuple[str, ...]:
        told = (
            ("matches_query", self.similarity),
            ("recency", self.recency),
            ("importance", self.importance),
        )
        return tuple(word for word, points in told if points)


def score(item: MemoryItem, query: str, newest: int) -> Score:
    """Likeness, age and weight: two points each at most."""
    words, asked = tokens(item.text), tokens(query)
    whole = bool(asked) and f" {' '.join(asked)} " in f" {' '.join(words)} "
    shared = bool(set(words) & set(asked))
    age = newest - item.created_at
    return Score(
        similarity=2 if whole else int(shared),
        recency=next((points for limit, points in AGES if age <= limit), 0),
        importance=next((points for least, points in WEIGHTS if item.importance >= least), 0),
    )


def recollect(pools: Sequence[Pool], query: str, policy: Policy) -> ScoredItem:
    """Recent messages, then what matters, then who it is about; each in the order of the spaces."""
    shown = [_current(pool, policy) for pool in pools]
    hidden = sum(len(pool.items) - len(kept) for pool, kept in zip(pools, shown, strict=True))
    turns = [each for kept in shown for each in _turns(kept, policy)]
    semantic = [
        each
        for pool, kept in zip(pools, shown, strict=True)
        for each in _semantic(pool, kept, query, policy)
    ]
    profile = [each for kept in shown for each in _profile(kept, policy)]
    once = [*_once(semantic), *_settled(profile, policy)]
    hidden += len(semantic) + len(profile) - len(once)
    found = [*turns, *once]
    return ScoredItem(items=tuple(map(_tagged, found)), hidden=hidden)


def with_known(items: Sequence[MemoryItem], known: Sequence[MemoryItem]) -> tuple[MemoryItem, ...]:
    """What else is known stands behind what matters here, and before who it is about."""
    profile = [each for each in items if each.kind is Kind.PROFILE]
    rest = [each for each in items if each.kind is not Kind.PROFILE]
    return (*rest, *map(_tagged, known), *profile)


def _current(pool: Pool, policy: Policy) -> list[MemoryItem]:
    now = pool.phase.id if pool.phase else ""
    return [
        item
        for item in pool.items
        if (policy.phase.reads_history or item.meta.phase_id == now)
        and not retention.expiry(item, pool.clock, pool.policy)
    ]


def _turns(kept: list[MemoryItem], policy: Policy) -> list[MemoryItem]:
    """What stands for the older messages first, then the recent ones as they were said."""
    spoken = [each for each in kept if each.kind is Kind.SHORT_TERM]
    summaries = [each for each in spoken if each.meta.summary_of]
    recent = [each for each in spoken if not each.meta.summary_of]
    window = recent[: policy.recall.short_term_messages][::-1]
    return [
        *(because(each, ("active_rule",)) for each in summaries[:1]),
        *(because(each, ("recency",)) for each in window),
    ]


def _semantic(pool: Pool, kept: list[MemoryItem], query: str, policy: Policy) -> list[MemoryItem]:
    known = [each for each in kept if each.kind is Kind.SEMANTIC]
    newest = max((each.created_at for each in known), default=0)
    scored = [(each, score(each, query, newest)) for each in known]
    ranked = best_first(scored, lambda each: (each[1].total, each[0].created_at, each[0].id))
    ranked.sort(key=lambda each: _phase_rank(each[0], pool.phase))
    best = [each for each in ranked if each[1].total][: policy.recall.semantic_top_k]
    return [because(item, its.reasons, its.total) for item, its in best]


def _phase_rank(item: MemoryItem, current: Phase | None) -> int:
    """The current phase first, then the ones before it, newest first."""
    n = int(item.meta.phase_id.rpartition("-")[2] or 0)
    return (current.n if current else 0) - n


def _profile(kept: list[MemoryItem], policy: Policy) -> list[MemoryItem]:
    known = [each for each in kept if each.kind is Kind.PROFILE]
    known.sort(key=lambda each: (each.created_at, each.id))
    return [because(each, ("active_rule",)) for each in known[: policy.recall.profile_max]]


def _once(items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """The same saying in two spaces is one saying; sayings that differ are never merged."""
    seen: set[str] = set()
    kept: list[MemoryItem] = []
    for item in items:
        if item.meta.dedup_key not in seen:
            kept.append(item)
        seen.add(item.meta.dedup_key)
    return kept


def _settled(items: list[MemoryItem], policy: Policy) -> list[MemoryItem]:
    """Two spaces may say different things of one key: authority, correction, nearer space."""
    best: dict[str, tuple[int, bool]] = {}
    for item in items:
        claim = _weight(item, policy)
        best[item.meta.key] = max(best.get(item.meta.key, claim), claim)
    kept: list[MemoryItem] = []
    taken: set[str] = set()
    for item in items:
        if _weight(item, policy) == best[item.meta.key] and item.meta.key not in taken:
            kept.append(item)
            taken.add(item.meta.key)
    return kept


def _weight(item: MemoryItem, policy: Policy) -> tuple[int, bool]:
    held = item.meta.authority or Authority.AI_INFERRED
    return conflict.rank(held, policy.writing), item.meta.event_type is EventType.CORRECTION


def because(item: MemoryItem, reasons: tuple[str, ...], points: int | None = None) -> MemoryItem:
    meta = msgspec.structs.replace(item.meta, recall_reason=reasons, score=points)
    return msgspec.structs.replace(item, meta=meta)


def _tagged(item: MemoryItem) -> MemoryItem:
    tags = (*item.meta.policy_tags, gate.KEPT_TAG, f"space:{item.meta.space}")
    meta = msgspec.structs.replace(item.meta, policy_tags=tags)
    return msgspec.structs.replace(item, meta=meta)
