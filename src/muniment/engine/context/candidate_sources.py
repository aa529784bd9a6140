"""Offers: every registered memory type as a context asks it, with its part of the budget."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from muniment.engine.context.builtin_candidates import (
    ANSWERS,
    consolidated,
    facts,
    goals,
    mandates,
    remembered,
    skills,
    working,
)
from muniment.engine.context.context_request import Builtin, ContextRequest, ContextSource
from muniment.engine.context.conversation_candidates import conversation, profile, threads
from muniment.engine.projections.memory_type_registry import Intents, TypeAnswer
from muniment.model import ids
from muniment.model.policy.context import Place
from muniment.retrieval.context.candidates import ContextCandidate


class Registered(msgspec.Struct, frozen=True):
    """A registered memory type, guest or not, asked through its own `remember`."""

    name: str
    intents: Callable[[ContextRequest], Intents]
    place: Place = "SM"

    def remember(self, sight: ContextRequest, budget_tokens: int) -> list[ContextCandidate]:
        limit = sight.rules.episodic_candidates
        if self.place == "SM":
            limit = sight.rules.semantic_candidates
        asked: dict[str, object] = {"budget_tokens": budget_tokens, "limit": limit}
        if sight.at is not None:
            asked["at"] = sight.at
        if sight.valid_at:
            asked["valid_at"] = sight.valid_at
        if sight.as_of:
            asked["as_of"] = sight.as_of
        found = self.intents(sight).remember(sight.prompt, asked)
        moments = [ids.time_ms(each.created) for each in found if each.created]
        newest, oldest = max(moments, default=0), min(moments, default=0)
        return [self._offered(each, newest, newest - oldest) for each in found]

    def _offered(self, found: TypeAnswer, newest: int, span: int) -> ContextCandidate:
        memo = found.memo
        return ContextCandidate(
            id=found.id,
            type=self.name,
            place=self.place,
            text=found.text,
            authority=ANSWERS.get(found.authority, found.authority or "unverified"),
            origin=found.authority or "unknown",
            similarity_ppm=found.similarity_ppm,
            pool=self.name,
            importance_ppm=found.importance_ppm,
            age=newest - ids.time_ms(found.created) if found.created else span,
            span=max(span, 1),
            why="matches" if found.similarity_ppm else "offered",
            created=found.created,
            task_id=memo.task_id if memo else "",
            agent_id=memo.agent_id if memo else "",
            tags=memo.tags if memo else (),
        )


# What one recall ranks and what the desk holds is offered from there, as of any entry; the other
# types are asked through the registry.
OFFERED: Final[Mapping[str, Callable[[ContextRequest], list[ContextCandidate]]]] = {
    "consciousness": mandates,
    "facts": facts,
    "profile": profile,
    "skills": skills,
    "conversation": conversation,
    "threads": threads,
    "remembered": remembered,
    "goals": goals,
    "consolidated": consolidated,
    "working": working,
}
PLACES: Final[Mapping[str, Place]] = {"episodic": "EM", "semantic": "SM"}


def memory_type(name: str, intents: Callable[[ContextRequest], Intents]) -> ContextSource:
    """A registered type as a context asks it."""
    if name in OFFERED:
        return Builtin(name, OFFERED[name])
    return Registered(name, intents, PLACES.get(name, "SM"))
