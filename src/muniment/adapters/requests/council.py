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
    """What awaits a yes or a no, oldest first; or what was settled, with its votes."""

    endpoint = get("/v1/requests", "requests")

    settled: Settled = False

    after: Annotated[str, Meta(pattern=CURSOR)] = ""
    limit: PageLimit = PAGE


class RequestStatus(msgspec.Struct, frozen=True, kw_only=True):
    request: Request
    status: str


class GetRequestRequest(VerbRequest[RequestStatus], frozen=True):
    """One request, open or settled, and how it stands."""

    endpoint = get("/v1/requests/{request_id}", "requests")

    request_id: Id


class VoteResult(msgspec.Struct, frozen=True, kw_only=True):
    status: str


class VoteOptions(VerbRequest[VoteResult], frozen=True, kw_only=True):
    reason: Why = ""
    binding: Annotated[str, Meta(max_length=128, description="Which bytes the yes is for.")] = ""


class VoteRequest(VoteOptions, frozen=True):
    """Approve, reject or abstain; `binding` says which bytes the yes is for."""

    endpoint = post("/v1/requests/{request_id}/votes", "vote")

    request_id: Id
    vote: Annotated[str, one_of(*VOTES)]


class CouncilTime(msgspec.Struct, frozen=True, kw_only=True):
    seq: int


class CouncilTickRequest(VerbRequest[CouncilTime], frozen=True):
    """Let the council's time pass; requests past their deadline are settled."""

    endpoint = post("/v1/council/tick", "vote")


class DreamRequest(VerbRequest[Dream], frozen=True):
    """Bring the derived memory of both personas up to date; what was done stays done."""

    endpoint = long("/v1/dream", "dream")


class LearnRequest(VerbRequest[Lesson], frozen=True):
    """Turn feedback into a patch of the identity, try it, and ask for it if it is better."""

    endpoint = ask("/v1/learn", "learn")

    feedback: Text


class CoverageRequest(VerbRequest[Coverage], frozen=True):
    """How far the derived layers of a persona have come."""

    endpoint = get("/v1/coverage", "coverage")

    persona: PersonaName = Persona.ACTOR.value
