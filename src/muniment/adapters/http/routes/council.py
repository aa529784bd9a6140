"""Routes of the council and of the Subconscious: requests, votes, dreams and lessons."""

from typing import Annotated, Final, Literal

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Id, Page, Route, RouteRequest, Text, ask, get, post, tagged
from muniment.engine.api.subconscious import Dream
from muniment.engine.maintenance.learn import Lesson
from muniment.engine.session.loop_reader import Coverage
from muniment.layers.governance.requests import Request
from muniment.model.scope import Persona

PAGE: Final = 50
CURSOR: Final = r"^(req:[0-9A-HJKMNP-TV-Z]{26})?$"


class ListRequests(RouteRequest, frozen=True, kw_only=True):
    """What awaits a yes or a no, oldest first."""

    after: Annotated[str, msgspec.Meta(pattern=CURSOR)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = PAGE


class GetRequest(RouteRequest, frozen=True, kw_only=True):
    """One request, open or settled, and how it stands."""

    request_id: Id


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    request: Request
    status: str


class CastVote(RouteRequest, frozen=True, kw_only=True):
    """Approve, reject or abstain; `binding` says which bytes the yes is for."""

    request_id: Id
    vote: Literal["approve", "reject", "abstain"]
    reason: Text = ""
    binding: Annotated[str, msgspec.Meta(max_length=128)] = ""


class Voted(msgspec.Struct, frozen=True, kw_only=True):
    status: str


class CouncilTick(RouteRequest, frozen=True, kw_only=True):
    """Let the council's time pass; requests past their deadline are settled."""


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    seq: int


class DreamNow(RouteRequest, frozen=True, kw_only=True):
    """Bring the derived memory of both personas up to date; what was done stays done."""


class Learn(RouteRequest, frozen=True, kw_only=True):
    """Turn feedback into a patch of the identity, try it, and ask for it if it is better."""

    feedback: Text


class GetCoverage(RouteRequest, frozen=True, kw_only=True):
    """How far the derived layers of a persona have come."""

    persona: Persona = Persona.ACTOR


def _requests(hands: Hands, asked: ListRequests) -> Page[Request]:
    """What follows a cursor was asked after it, settled or not: ids are in the order of time."""
    found = hands.requests()
    if asked.after:
        found = [each for each in found if each.request_id > asked.after]
    page = found[: asked.limit]
    return Page(items=page, next=page[-1].request_id if len(found) > len(page) else "")


def _request(hands: Hands, asked: GetRequest) -> Standing:
    request, status = hands.request(asked.request_id)
    return Standing(request=request, status=status)


def _vote(hands: Hands, asked: CastVote) -> Voted:
    told = hands.council.vote(
        asked.request_id, asked.vote, reason=asked.reason, binding=asked.binding
    )
    return Voted(status=told)


ROUTES: Final[tuple[Route, ...]] = (
    *tagged(
        "council",
        [
            get("/v1/requests", "requests", ListRequests, Page[Request], _requests),
            get("/v1/requests/{request_id}", "requests", GetRequest, Standing, _request),
            post("/v1/requests/{request_id}/votes", "vote", CastVote, Voted, _vote),
            post(
                "/v1/council/tick",
                "vote",
                CouncilTick,
                Passed,
                lambda hands, _: Passed(seq=hands.council.tick()),
            ),
        ],
    ),
    *tagged(
        "subconscious",
        [
            ask(
                "/v1/dream",
                "dream",
                DreamNow,
                Dream,
                lambda hands, _: hands.subconscious.dream(),
            ),
            ask(
                "/v1/learn",
                "learn",
                Learn,
                Lesson,
                lambda hands, asked: hands.subconscious.learn(asked.feedback),
            ),
            get(
                "/v1/coverage",
                "coverage",
                GetCoverage,
                Coverage,
                lambda hands, asked: hands.subconscious.view.coverage(asked.persona),
            ),
        ],
    ),
)
