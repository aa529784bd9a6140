"""Routes of the council and of the Subconscious: requests, votes, dreams and lessons."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Route, route, tagged
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.council import (
    CouncilTickRequest,
    CouncilTime,
    CoverageRequest,
    DreamRequest,
    GetRequestRequest,
    LearnRequest,
    ListRequestsRequest,
    RequestStatus,
    VoteRequest,
    VoteResult,
)
from muniment.engine.session.loop_reader import Coverage
from muniment.layers.governance.requests import Request
from muniment.model.scope import Persona


def _requests(hands: Hands, asked: ListRequestsRequest) -> Page[Request]:
    """What follows a cursor was asked after it, settled or not: ids are in the order of time."""
    found = hands.requests(settled=asked.settled)
    if asked.after:
        found = [each for each in found if each.request_id > asked.after]
    page = found[: asked.limit]
    return Page(items=page, next=page[-1].request_id if len(found) > len(page) else "")


def _request(hands: Hands, asked: GetRequestRequest) -> RequestStatus:
    request, status = hands.request(asked.request_id)
    return RequestStatus(request=request, status=status)


def _vote(hands: Hands, asked: VoteRequest) -> VoteResult:
    told = hands.council.vote(
        asked.request_id, asked.vote, reason=asked.reason, binding=asked.binding
    )
    return VoteResult(status=told)


def _coverage(hands: Hands, asked: CoverageRequest) -> Coverage:
    return hands.subconscious.view.coverage(Persona(asked.persona))


ROUTES: Final[tuple[Route, ...]] = (
    *tagged(
        "council",
        [
            route(ListRequestsRequest, _requests),
            route(GetRequestRequest, _request),
            route(VoteRequest, _vote),
            route(CouncilTickRequest, lambda hands, _: CouncilTime(seq=hands.council.tick())),
        ],
    ),
    *tagged(
        "subconscious",
        [
            route(DreamRequest, lambda hands, _: hands.subconscious.dream()),
            route(LearnRequest, lambda hands, asked: hands.subconscious.learn(asked.feedback)),
            route(CoverageRequest, _coverage),
        ],
    ),
)
