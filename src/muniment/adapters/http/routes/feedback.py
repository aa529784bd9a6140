"""Routes of what contexts were worth: turn traces, use reports, what-if, and change proposals."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    Done,
    Id,
    Name,
    Route,
    RouteRequest,
    Text,
    ask,
    get,
    post,
    tagged,
)
from muniment.adapters.http.routes.jobs import InJob
from muniment.adapters.http.routes.memory import Requested
from muniment.engine.memos.turn_trace import TurnStep
from muniment.model.commands.reads import Ending
from muniment.model.policy.context import Coefficients, Weight
from muniment.retrieval.context.weight_feedback import Proposal

Ids = Annotated[list[Id], msgspec.Meta(max_length=1_000)]


class GetTrace(InJob, frozen=True, kw_only=True):
    """Every memory operation of a turn, reads included, open or ended; it is never written."""


class Traced(msgspec.Struct, frozen=True, kw_only=True):
    steps: list[TurnStep]


class ReportUse(RouteRequest, frozen=True, kw_only=True):
    """Say which items of a context proved useful, and which were there for nothing."""

    receipt_id: Id
    used: Ids = msgspec.field(default_factory=list)
    unused: Ids = msgspec.field(default_factory=list)


class ReportOutcome(InJob, frozen=True, kw_only=True):
    """Say how the task of a turn ended."""

    outcome: Ending
    task_id: Name = ""
    detail: Text = ""


class WhatIf(RouteRequest, frozen=True, kw_only=True):
    """Compose past contexts again under other coefficients, in millionths; nothing changes."""

    similarity_ppm: Weight | None = None
    recency_ppm: Weight | None = None
    importance_ppm: Weight | None = None
    duplication_ppm: Weight | None = None


class GetProposal(RouteRequest, frozen=True, kw_only=True):
    """The coefficients that past contexts speak for, with the evidence; nothing changes."""


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    proposal: Proposal
    improves: bool


class RequestCoefficients(RouteRequest, frozen=True, kw_only=True):
    """Ask the council for other coefficients of an agent; once approved, they are applied."""

    of_agent: Name
    coefficients: Coefficients
    reason: Text
    evidence: Ids = msgspec.field(default_factory=list)


def _use(hands: Hands, asked: ReportUse) -> Done:
    used = hands.agent.used(asked.used, context=asked.receipt_id, unused=asked.unused)
    return Done(seq=used)


def _outcome(hands: Hands, asked: ReportOutcome) -> Done:
    job = hands.job(asked.number)
    return Done(seq=job.outcome(asked.outcome, task_id=asked.task_id, detail=asked.detail))


def _what_if(hands: Hands, asked: WhatIf) -> Proposed:
    given = msgspec.structs.asdict(asked)
    return _proposed(
        hands.agent.what_if({name: its for name, its in given.items() if its is not None})
    )


def _proposed(found: Proposal) -> Proposed:
    return Proposed(proposal=found, improves=found.improves)


def _request(hands: Hands, asked: RequestCoefficients) -> Requested:
    told = hands.admin.request_coefficients(
        asked.of_agent, asked.coefficients, reason=asked.reason, evidence=asked.evidence
    )
    return Requested(request_id=told)


ROUTES: Final[Sequence[Route]] = tagged(
    "contexts",
    [
        get(
            "/v1/jobs/{number}/trace",
            "jobs",
            GetTrace,
            Traced,
            lambda hands, asked: Traced(steps=hands.agent.turn_trace(asked.number)),
        ),
        post("/v1/jobs/{number}/outcome", "jobs", ReportOutcome, Done, _outcome),
        post("/v1/contexts/{receipt_id}/use", "jobs", ReportUse, Done, _use),
        ask("/v1/contexts/what-if", "explain", WhatIf, Proposed, _what_if),
        get(
            "/v1/contexts/proposal",
            "explain",
            GetProposal,
            Proposed,
            lambda hands, _: _proposed(hands.agent.propose_coefficients()),
        ),
        post("/v1/admin/coefficients", "policy", RequestCoefficients, Requested, _request),
    ],
)
