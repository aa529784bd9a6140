"""Requests of feedback: turn traces, reported use, what-if, proposals."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Done, Requested
from muniment.adapters.requests.fields import Count, Id, Ids, Name, Reason, Statement, empty, one_of
from muniment.adapters.requests.jobs import JobRequest, Number
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, post
from muniment.engine.memos.turn_trace import TurnStep
from muniment.model.commands.reads import Ending
from muniment.model.policy.context import Coefficients, Weight
from muniment.retrieval.context.weight_feedback import Proposal

WEIGHTS = tuple(each.name for each in msgspec.structs.fields(Coefficients))
PAST = 50  # contexts that are composed again


class TurnTrace(msgspec.Struct, frozen=True, kw_only=True):
    steps: list[TurnStep]


class TurnTraceRequest(JobRequest[TurnTrace], frozen=True):
    """List every memory operation of a turn, reads included; rendered from the log."""

    endpoint = get("/v1/jobs/{number}/trace", "jobs")


class UsedOptions(VerbRequest[Done], frozen=True, kw_only=True):
    context: Annotated[Id, Meta(description="The id of the context's receipt.")]
    unused: Ids = ()


class UsedRequest(UsedOptions, frozen=True):
    """Report which items of a context were useful, and which were not."""

    endpoint = post("/v1/contexts/{context}/use", "jobs")

    ids: Ids = ()


class OutcomeOptions(VerbRequest[Done], frozen=True, kw_only=True):
    task_id: Name = ""
    detail: Statement = ""


class OutcomeRequest(OutcomeOptions, frozen=True):
    """Report how the task of a turn ended."""

    endpoint = post("/v1/jobs/{number}/outcome", "jobs")

    number: Number
    outcome: Ending


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    proposal: Proposal
    improves: bool


class PastOptions(VerbRequest[Proposed], frozen=True, kw_only=True):
    limit: Annotated[Count, Meta(description="At most this many past contexts.")] = PAST


class WhatIfRequest(PastOptions, frozen=True):
    """Rank past contexts again with other weights, in millionths; nothing is changed."""

    endpoint = ask("/v1/contexts/what-if", "explain")

    changes: Mapping[Annotated[str, one_of(*WEIGHTS)], Weight] = empty()


class ProposalRequest(PastOptions, frozen=True, kw_only=True):
    """Suggest weights from the feedback on past contexts; nothing is changed."""

    endpoint = get("/v1/contexts/proposal", "explain")


class RequestCoefficientsOptions(VerbRequest[Requested], frozen=True, kw_only=True):
    reason: Reason
    evidence: Sequence[Id] = ()


class RequestCoefficientsRequest(RequestCoefficientsOptions, frozen=True):
    """Request other weights for an agent; they are applied once approved."""

    endpoint = post("/v1/admin/coefficients", "policy")

    agent: Name = msgspec.field(name="of_agent")
    weights: Coefficients
