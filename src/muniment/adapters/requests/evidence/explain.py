"""Requests of explanations: why not, recall again, loops and their mirror, skills."""

from typing import Annotated

from msgspec import Meta

from muniment.adapters.requests.fields import (
    ItemId,
    Json,
    Limit,
    Purpose,
    Quarantined,
    Query,
    Seq,
    Text,
    Tokens,
    Where,
    empty,
)
from muniment.adapters.requests.verb_request import ReadRequest, VerbRequest, ask, get
from muniment.engine.search.explain import WhyNot
from muniment.engine.search.recall_results import Bundle
from muniment.engine.session.loop_reader import MirrorHit
from muniment.model.kinds.skill import Skill
from muniment.retrieval.scoring.fuzzy import Likeness


class WhyNotRequest(ReadRequest[WhyNot], frozen=True):
    """Explain which stage kept an item out of the answer to a question, and its threshold."""

    endpoint = ask("/v1/why-not", "explain")

    item_id: ItemId
    query: Query
    limit: Limit = 0
    budget: Annotated[
        Tokens, Meta(description="Explain for a context of this many tokens; 0: for recall.")
    ] = 0
    purpose: Purpose = ""
    quarantined: Quarantined = False
    where: Where = None


class RecallAgainRequest(VerbRequest[Bundle], frozen=True):
    """Compute the answer of a logged receipt again."""

    endpoint = ask("/v1/recall/again", "explain")

    seq: Seq


class RagQueryRequest(ReadRequest[list[MirrorHit]], frozen=True):
    """Search what happened in past loops, by words and similarity."""

    endpoint = ask("/v1/mirror/query", "episodes")

    text: Text
    filters: Json = empty()


class FuzzyQueryRequest(ReadRequest[list[Likeness]], frozen=True):
    """List past loops by similarity."""

    endpoint = ask("/v1/loops/query", "episodes")

    text: Text
    heuristics: Json = empty()


class SkillsRequest(ReadRequest[list[Skill]], frozen=True):
    """List skills: what was done the same way three times."""

    endpoint = get("/v1/skills", "episodes")
