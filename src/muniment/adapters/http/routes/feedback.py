"""Routes of feedback: turn traces, reported use, what-if, proposals."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.answers import Done, Requested
from muniment.adapters.requests.feedback import (
    OutcomeRequest,
    ProposalRequest,
    Proposed,
    RequestCoefficientsRequest,
    TurnTrace,
    TurnTraceRequest,
    UsedRequest,
    WhatIfRequest,
)
from muniment.retrieval.context.weight_feedback import Proposal


def _use(hands: Hands, asked: UsedRequest) -> Done:
    used = hands.agent.used(asked.ids, context=asked.context, unused=asked.unused)
    return Done(seq=used)


def _outcome(hands: Hands, asked: OutcomeRequest) -> Done:
    job = hands.job(asked.number)
    return Done(seq=job.outcome(asked.outcome, task_id=asked.task_id, detail=asked.detail))


def _what_if(hands: Hands, asked: WhatIfRequest) -> Proposed:
    return _proposed(hands.agent.what_if(asked.changes, limit=asked.limit))


def _proposed(found: Proposal) -> Proposed:
    return Proposed(proposal=found, improves=found.improves)


def _request(hands: Hands, asked: RequestCoefficientsRequest) -> Requested:
    told = hands.admin.request_coefficients(
        asked.agent, asked.weights, reason=asked.reason, evidence=asked.evidence
    )
    return Requested(request_id=told)


ROUTES: Final = tagged(
    "contexts",
    [
        route(
            TurnTraceRequest,
            lambda hands, asked: TurnTrace(steps=hands.agent.turn_trace(asked.number)),
        ),
        route(OutcomeRequest, _outcome),
        route(UsedRequest, _use),
        route(WhatIfRequest, _what_if),
        route(
            ProposalRequest,
            lambda hands, asked: _proposed(hands.agent.propose_coefficients(limit=asked.limit)),
        ),
        route(RequestCoefficientsRequest, _request),
    ],
)
