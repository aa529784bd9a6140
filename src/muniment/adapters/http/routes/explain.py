"""Routes of explanations: why not, recall again, loops and their mirror, skills."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.http.routes.memory import for_people
from muniment.adapters.requests.evidence.explain import (
    FuzzyQueryRequest,
    RagQueryRequest,
    RecallAgainRequest,
    SkillsRequest,
    WhyNotRequest,
)
from muniment.engine.search.explain import WhyNot


def _why_not(hands: Hands, asked: WhyNotRequest) -> WhyNot:
    return hands.agent.why_not(
        asked.item_id,
        asked.query,
        limit=asked.limit,
        budget=asked.budget,
        **asked.then,
        purpose=asked.purpose,
        quarantined=for_people(hands, quarantined=asked.quarantined),
        where=asked.where,
    )


ROUTES: Final = tagged(
    "memory",
    [
        route(
            RagQueryRequest,
            lambda hands, asked: hands.agent.rag_query(asked.text, asked.filters, **asked.then),
        ),
        route(
            FuzzyQueryRequest,
            lambda hands, asked: hands.agent.fuzzy_query(
                asked.text, asked.heuristics, **asked.then
            ),
        ),
        route(SkillsRequest, lambda hands, asked: hands.agent.skills(**asked.then)),
        route(WhyNotRequest, _why_not),
        route(RecallAgainRequest, lambda hands, asked: hands.agent.recall_again(asked.seq)),
    ],
)
