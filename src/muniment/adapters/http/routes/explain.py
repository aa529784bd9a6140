"""Routes that look closer and put right: mirrors, loops, skills, why not, corrections, vouching."""

from typing import Annotated, Final, Literal

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    AskedOfThen,
    Count,
    Done,
    Id,
    RouteRequest,
    Seq,
    Text,
    ask,
    get,
    post,
    tagged,
)
from muniment.adapters.http.routes.memory import for_people
from muniment.engine.api.remember import Remembered
from muniment.engine.search.explain import WhyNot
from muniment.engine.search.recall_results import Bundle
from muniment.engine.session.loop_reader import MirrorHit
from muniment.model.kinds.skill import Skill
from muniment.retrieval.ranking.fuzzy import Likeness

Purpose = Literal["", "act"]


class AskWhyNot(AskedOfThen, frozen=True, kw_only=True):
    """Which stage kept an item out of the answer to a question, and by which threshold."""

    item_id: Id
    query: Text
    limit: Count = 0
    budget: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    purpose: Purpose = ""
    quarantined: bool = False


class RecallAgain(RouteRequest, frozen=True, kw_only=True):
    """What the recall whose receipt stands at an entry was answered, made anew."""

    seq: Seq


class Correct(RouteRequest, frozen=True, kw_only=True):
    """Put an episode right: other words take its place in one step; the past keeps both."""

    item_id: Id
    text: Text


class Vouch(RouteRequest, frozen=True, kw_only=True):
    """The user vouches for something that was told from outside."""

    item_id: Id
    reason: Text = ""


class MirrorQuery(AskedOfThen, frozen=True, kw_only=True):
    """What happened in loops, by words and likeness."""

    text: Text
    filters: dict[str, object] = msgspec.field(default_factory=dict)


class LoopQuery(AskedOfThen, frozen=True, kw_only=True):
    """The last loops by likeness."""

    text: Text
    heuristics: dict[str, object] = msgspec.field(default_factory=dict)


class Skills(AskedOfThen, frozen=True, kw_only=True):
    """What was done the same way three times."""


def _mirror(hands: Hands, asked: MirrorQuery) -> list[MirrorHit]:
    return hands.agent.rag_query(asked.text, asked.filters, **asked.then)


def _loops(hands: Hands, asked: LoopQuery) -> list[Likeness]:
    return hands.agent.fuzzy_query(asked.text, asked.heuristics, **asked.then)


def _why_not(hands: Hands, asked: AskWhyNot) -> WhyNot:
    return hands.agent.why_not(
        asked.item_id,
        asked.query,
        limit=asked.limit,
        budget=asked.budget,
        **asked.then,
        purpose=asked.purpose,
        quarantined=for_people(hands, quarantined=asked.quarantined),
    )


ROUTES: Final = tagged(
    "memory",
    [
        ask("/v1/mirror/query", "episodes", MirrorQuery, list[MirrorHit], _mirror),
        ask("/v1/loops/query", "episodes", LoopQuery, list[Likeness], _loops),
        get(
            "/v1/skills",
            "episodes",
            Skills,
            list[Skill],
            lambda hands, asked: hands.agent.skills(**asked.then),
        ),
        ask("/v1/why-not", "explain", AskWhyNot, WhyNot, _why_not),
        ask(
            "/v1/recall/again",
            "explain",
            RecallAgain,
            Bundle,
            lambda hands, asked: hands.agent.recall_again(asked.seq),
        ),
        post(
            "/v1/correct",
            "correct",
            Correct,
            Remembered,
            lambda hands, asked: hands.agent.correct(asked.item_id, asked.text),
        ),
        post(
            "/v1/vouch",
            "vouch",
            Vouch,
            Done,
            lambda hands, asked: Done(seq=hands.agent.vouch(asked.item_id, reason=asked.reason)),
        ),
    ],
)
