"""Routes of administrators: privileged reads, policies, identities, erasure, impositions."""

from typing import Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Route, route, tagged
from muniment.adapters.requests.admin import (
    AdoptIdentityRequest,
    AllFactsRequest,
    Applied,
    ApplyIdentityRequest,
    ApplyPolicyRequest,
    CarryOutDueRequest,
    CarryOutErasureRequest,
    DeleteFactRequest,
    DueRequest,
    HoldId,
    HoldsRequest,
    IdentityRequest,
    ImposeRequest,
    IncidentsRequest,
    LiftHoldRequest,
    LiftRequest,
    PlaceHoldRequest,
    PoliciesRequest,
    PolicyRequest,
    ReadPayloadRequest,
    RequestDeletionRequest,
    RequestErasureRequest,
    RequestPolicyRequest,
    SettleHoldsRequest,
    ShownPolicy,
    WhatIfPolicyRequest,
)
from muniment.adapters.requests.answers import Done, Page, Requested
from muniment.adapters.requests.fields import cursor_place
from muniment.engine.api.admin import FullEpisode
from muniment.engine.api.policy_admin import InForce
from muniment.engine.what_if.report import WhatIf
from muniment.model import policy as policies
from muniment.model.events.operations import IncidentRecorded
from muniment.model.policy import identity as identities
from muniment.model.policy.identity import Identity
from muniment.model.scope import Persona


def _payload(hands: Hands, asked: ReadPayloadRequest) -> FullEpisode:
    return hands.admin.read_payload(
        asked.agent, asked.episodic_id, reason=asked.reason, persona=Persona(asked.persona)
    )


def _request_policy(hands: Hands, asked: RequestPolicyRequest) -> Requested:
    policy = policies.from_builtins(asked.policy)
    told = hands.admin.request_policy(policy, reason=asked.reason, **asked.where)
    return Requested(request_id=told)


def _policies(hands: Hands, asked: PoliciesRequest) -> Page[InForce]:
    one_more = asked.limit + 1  # is there one?
    found = hands.admin.policies(after=asked.after, limit=one_more)
    page = found[: asked.limit]
    return Page(items=page, next=page[-1].log if len(found) > len(page) else "")


def _what_if(hands: Hands, asked: WhatIfPolicyRequest) -> WhatIf:
    policy = None if asked.policy is None else policies.from_builtins(asked.policy)
    return hands.admin.what_if_policy(policy, reason=asked.reason, **asked.where)


def _policy(hands: Hands, asked: PolicyRequest) -> ShownPolicy:
    found = hands.admin.policy(**asked.where)
    return ShownPolicy(digest=policies.digest(found), policy=msgspec.to_builtins(found))


def _request_deletion(hands: Hands, asked: RequestDeletionRequest) -> Requested:
    return Requested(request_id=hands.admin.request_deletion(asked.key, reason=asked.reason))


def _adopt_identity(hands: Hands, asked: AdoptIdentityRequest) -> Identity:
    wanted = identities.from_builtins(asked.identity)
    hands.identities.adopt(asked.agent, wanted, reason=asked.reason)
    return wanted


def _impose(hands: Hands, asked: ImposeRequest) -> Done:
    session = hands.session(asked.session, asked.user)
    told = hands.admin.impose(asked.agent, asked.text, user=asked.user, session=session)
    return Done(seq=told)


def _lift(hands: Hands, asked: LiftRequest) -> Done:
    session = hands.session(asked.session, asked.user)
    told = hands.admin.lift(asked.agent, asked.item_id, user=asked.user, session=session)
    return Done(seq=told)


def _incidents(hands: Hands, asked: IncidentsRequest) -> Page[IncidentRecorded]:
    found = hands.admin.incidents(queue=asked.queue)
    start = cursor_place(asked.after)
    page = found[start : start + asked.limit]
    following = start + len(page)
    return Page(items=page, next=str(following) if page and following < len(found) else "")


def _place_hold(hands: Hands, asked: PlaceHoldRequest) -> HoldId:
    told = hands.admin.place_hold(
        reason=asked.reason,
        user=asked.user,
        space=asked.space,
        since=asked.since,
        until=asked.until,
        ends=asked.ends,
    )
    return HoldId(hold_id=told)


def _request_erasure(hands: Hands, asked: RequestErasureRequest) -> Requested:
    return Requested(request_id=hands.eraser.request(asked.user, reason=asked.reason))


ROUTES: Final[tuple[Route, ...]] = tagged(
    "administration",
    [
        route(ReadPayloadRequest, _payload),
        route(
            AllFactsRequest,
            lambda hands, asked: hands.admin.facts(reason=asked.reason, **asked.then),
        ),
        route(RequestDeletionRequest, _request_deletion),
        route(
            DeleteFactRequest,
            lambda hands, asked: Done(seq=hands.admin.delete(asked.request_id)),
        ),
        route(PoliciesRequest, _policies),
        route(PolicyRequest, _policy),
        route(RequestPolicyRequest, _request_policy),
        route(WhatIfPolicyRequest, _what_if),
        route(
            ApplyPolicyRequest,
            lambda hands, asked: Applied(digest=hands.admin.apply_policy(asked.request_id)),
        ),
        route(IdentityRequest, lambda hands, asked: hands.identities.of(asked.agent)),
        route(AdoptIdentityRequest, _adopt_identity),
        route(ApplyIdentityRequest, lambda hands, asked: hands.identities.apply(asked.request_id)),
        route(ImposeRequest, _impose),
        route(LiftRequest, _lift),
        route(IncidentsRequest, _incidents),
        route(PlaceHoldRequest, _place_hold),
        route(HoldsRequest, lambda hands, _: hands.admin.holds()),
        route(
            LiftHoldRequest,
            lambda hands, asked: hands.admin.lift_hold(asked.hold_id, reason=asked.reason),
        ),
        route(SettleHoldsRequest, lambda hands, _: hands.admin.settle_holds()),
        route(DueRequest, lambda hands, asked: hands.admin.due(within=asked.within)),
        route(CarryOutDueRequest, lambda hands, _: hands.admin.carry_out_due()),
        route(RequestErasureRequest, _request_erasure),
        route(CarryOutErasureRequest, lambda hands, asked: hands.erase(asked.request_id)),
    ],
)
