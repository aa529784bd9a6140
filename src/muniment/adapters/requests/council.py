"""Requests of the council and of the Subconscious: open requests, votes, dreams and lessons."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import PAGE, Id, PageLimit, Settled, Text, Why, one_of
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, long, post
from muniment.engine.api.subconscious import Dream
from muniment.engine.maintenance.learn import Lesson
from muniment.engine.session.loop_reader import Coverage
from muniment.layers.governance.requests import Request
from muniment.model.scope import Persona

CURSOR: Final = r"^(req:[0-9A-HJKMNP-TV-Z]{26})?$"
VOTES: Final = ("approve", "reject", "abstain")
PersonaName = Annotated[str, one_of(*Persona)]


class ListRequestsRequest(VerbRequest[Page[Request]], frozen=True, kw_only=True):
    """List pending requests, oldest first; or settled ones, with their votes."""

    endpoint = get("/v1/requests", "requests")

    settled: Settled = False

    after: Annotated[str, Meta(pattern=CURSOR)] = ""
    limit: PageLimit = PAGE


class RequestStatus(msgspec.Struct, frozen=True, kw_only=True):
    request: Request
    status: str


class GetRequestRequest(VerbRequest[RequestStatus], frozen=True):
    """One request, pending or settled, with its votes."""

    endpoint = get("/v1/requests/{request_id}", "requests")

    request_id: Id


class VoteResult(msgspec.Struct, frozen=True, kw_only=True):
    status: str


class VoteOptions(VerbRequest[VoteResult], frozen=True, kw_only=True):
    reason: Why = ""
    binding: Annotated[str, Meta(max_length=128, description="Digest of what is approved.")] = ""


class VoteRequest(VoteOptions, frozen=True):
    """Approve, reject or abstain; `binding` is the digest of what is approved."""

    endpoint = post("/v1/requests/{request_id}/votes", "vote")

    request_id: Id
    vote: Annotated[str, one_of(*VOTES)]


class CouncilTime(msgspec.Struct, frozen=True, kw_only=True):
    seq: int


class CouncilTickRequest(VerbRequest[CouncilTime], frozen=True):
    """Advance the council's clock; requests past their deadline are settled."""

    endpoint = post("/v1/council/tick", "vote")


class DreamRequest(VerbRequest[Dream], frozen=True):
    """Run pending maintenance of both personas; it may be interrupted and run again."""

    endpoint = long("/v1/dream", "dream")


class LearnRequest(VerbRequest[Lesson], frozen=True):
    """Turn feedback into a change of the agent's identity, test it, and request it if better."""

    endpoint = ask("/v1/learn", "learn")

    feedback: Text


class CoverageRequest(VerbRequest[Coverage], frozen=True):
    """Progress of the derived layers of a persona."""

    endpoint = get("/v1/coverage", "coverage")

    persona: PersonaName = Persona.ACTOR.value
