"""Context candidates: what a memory type offers for a context, and the score of each."""

import msgspec

from muniment.model.kinds.episode import Evidence
from muniment.model.policy.context import RECENT, ContextFilters, Place
from muniment.model.text.near_duplicates import TextSignature


class ContextCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that could stand in a context, with everything its score is made of."""

    id: str
    type: str  # the memory type that offers it
    place: Place
    text: str
    authority: str
    origin: str
    # On a scale of its own, or 0 to 1 where `pool` is empty: only what shares a pool compares.
    similarity_ppm: int = 0
    pool: str = ""
    importance_ppm: int = 500_000
    age: int = 0  # in entries of the log it lies in: how far back it was written
    span: int = 1  # and how far that log reaches back at all
    section: str = ""  # where its line stands; a type's own name unless it says otherwise
    standing: bool = False  # there whatever is asked: mandates, facts, goals, recent turns
    why: str = ""
    created: str = ""
    told: str = ""  # when it was told, where its line shows no day
    speaker: str = ""
    mark: str = ""  # what the engine has to say of it, inside its frame
    task_id: str = ""
    agent_id: str = ""
    tags: tuple[str, ...] = ()
    evidence: Evidence = Evidence()


class RankedCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate with its score and each part of it, in whole millionths."""

    candidate: ContextCandidate
    score_ppm: int
    similarity_ppm: int
    recency_ppm: int
    importance_ppm: int
    duplication_ppm: int
    saying: TextSignature


def passes(candidate: ContextCandidate, wanted: ContextFilters) -> bool:
    """Whether a candidate is within what was asked for; one that names no task is of all."""
    return (
        candidate.place in wanted.include
        and (not wanted.types or candidate.type in wanted.types)
        and (not wanted.task_id or candidate.task_id in {"", wanted.task_id})
        and (not wanted.agent_id or candidate.agent_id in {"", wanted.agent_id})
        and (not wanted.tags or not set(wanted.tags).isdisjoint(candidate.tags))
        and (not wanted.origins or candidate.origin in wanted.origins)
        and candidate.importance_ppm >= wanted.importance_min_ppm
        and (wanted.recent or candidate.section != RECENT)
    )
