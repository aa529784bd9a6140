"""Routes of administrators and auditors: privileged reads, policies, erasure, keys and proof."""

from typing import Annotated, Final, TypedDict

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    AskedOfThen,
    Cursor,
    Done,
    Id,
    Limit,
    Log,
    Name,
    Page,
    Route,
    RouteRequest,
    Text,
    ask,
    get,
    place,
    post,
    tagged,
)
from muniment.adapters.http.routes.memory import Requested
from muniment.engine.api.admin import FullEpisode
from muniment.engine.api.policy_admin import InForce
from muniment.engine.audit.erasure import Erasure
from muniment.model import policy as policies
from muniment.model.events.operations import IncidentRecorded
from muniment.model.kinds.episode import Fact
from muniment.model.policy import identity as identities
from muniment.model.policy.identity import Identity
from muniment.model.scope import Persona

PAGE: Final = 50
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]
Space = Annotated[str, msgspec.Meta(max_length=160)]  # a kind, a colon and a name


class PolicyPlace(TypedDict):
    agent: str
    space: str
    persona: str


class ReadPayload(RouteRequest, frozen=True, kw_only=True):
    """The whole of an episode; the read is written down before anything is returned."""

    of_agent: Id
    episodic_id: Id
    reason: Reason
    of_persona: Persona = Persona.ACTOR


class ReadFacts(AskedOfThen, frozen=True, kw_only=True):
    """Every governed fact of the tenant; the read is written down."""

    reason: Reason


class RequestDeletion(RouteRequest, frozen=True, kw_only=True):
    """Ask the council to retire a governed fact."""

    key: Id
    reason: Reason


class DeleteFact(RouteRequest, frozen=True, kw_only=True):
    """Carry out an approved deletion."""

    request_id: Id


class Ruled(RouteRequest, frozen=True, kw_only=True):
    """What a policy holds for: an agent, a shared space, or without either the council.

    `of_space` is `user:NAME`, `project:NAME` or `system`.
    """

    of_agent: Name = ""
    of_space: Space = ""
    of_persona: Persona = Persona.ACTOR

    @property
    def where(self) -> PolicyPlace:
        return {"agent": self.of_agent, "space": self.of_space, "persona": self.of_persona}


class ListPolicies(RouteRequest, frozen=True, kw_only=True):
    """Every log of the tenant that has a policy of its own to change, and which it is."""

    after: Log = ""  # a count would not do: logs come and go while somebody turns the pages
    limit: Limit = PAGE


class GetPolicy(Ruled, frozen=True, kw_only=True):
    """The policy in force for an agent, a shared space, or without either the council."""


class RequestPolicy(Ruled, frozen=True, kw_only=True):
    """Ask the council for a policy: of an agent, of a shared space, or the council's own.

    `user` or `project` as a space is every space of that kind.
    """

    policy: dict[str, object]
    reason: Reason


class ApplyPolicy(RouteRequest, frozen=True, kw_only=True):
    """Put an approved policy in force, exactly as it was approved."""

    request_id: Id


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    digest: str


class ShownPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """A policy with every field, and the digest that entries cite."""

    digest: str
    policy: dict[str, object]


class GetIdentity(RouteRequest, frozen=True, kw_only=True):
    """The identity that is in force for an agent."""

    of_agent: Id


class AdoptIdentity(RouteRequest, frozen=True, kw_only=True):
    """Put an identity in force for both personas of an agent."""

    of_agent: Id
    identity: dict[str, object]
    reason: Text = ""


class ApplyIdentity(RouteRequest, frozen=True, kw_only=True):
    """Carry out a patch of an identity that the council has approved."""

    request_id: Id


class Impose(RouteRequest, frozen=True, kw_only=True):
    """Lay something down in an agent's session, on the system's authority."""

    of_agent: Id
    text: Text
    for_user: Name = ""
    session: Name = ""


class Lift(RouteRequest, frozen=True, kw_only=True):
    """Take back what an administrator laid down in an agent's session."""

    of_agent: Id
    item_id: Id
    for_user: Name = ""
    session: Name = ""


class ListIncidents(RouteRequest, frozen=True, kw_only=True):
    """What the environment did; the queue `admin` is what needs a hand."""

    queue: Name = ""
    after: Cursor = ""
    limit: Limit = PAGE


class RequestErasure(RouteRequest, frozen=True, kw_only=True):
    """Ask for everything about a person to be destroyed."""

    of_user: Id
    reason: Reason


class CarryOutErasure(RouteRequest, frozen=True, kw_only=True):
    """Destroy, rebuild, scan and record what the council has approved."""

    request_id: Id


def _payload(hands: Hands, asked: ReadPayload) -> FullEpisode:
    return hands.admin.read_payload(
        asked.of_agent, asked.episodic_id, reason=asked.reason, persona=asked.of_persona
    )


def _request_policy(hands: Hands, asked: RequestPolicy) -> Requested:
    policy = policies.from_builtins(asked.policy)
    told = hands.admin.request_policy(policy, reason=asked.reason, **asked.where)
    return Requested(request_id=told)


def _policies(hands: Hands, asked: ListPolicies) -> Page[InForce]:
    found = hands.admin.policies(
        after=asked.after, limit=asked.limit + 1
    )  # one more: is there one?
    page = found[: asked.limit]
    return Page(items=page, next=page[-1].log if len(found) > len(page) else "")


def _policy(hands: Hands, asked: GetPolicy) -> ShownPolicy:
    found = hands.admin.policy(**asked.where)
    return ShownPolicy(digest=policies.digest(found), policy=msgspec.to_builtins(found))


def _adopt_identity(hands: Hands, asked: AdoptIdentity) -> Identity:
    wanted = identities.from_builtins(asked.identity)
    hands.identities.adopt(asked.of_agent, wanted, reason=asked.reason)
    return wanted


def _impose(hands: Hands, asked: Impose) -> Done:
    session = hands.session(asked.session, asked.for_user)
    told = hands.admin.impose(asked.of_agent, asked.text, user=asked.for_user, session=session)
    return Done(seq=told)


def _lift(hands: Hands, asked: Lift) -> Done:
    session = hands.session(asked.session, asked.for_user)
    told = hands.admin.lift(asked.of_agent, asked.item_id, user=asked.for_user, session=session)
    return Done(seq=told)


def _incidents(hands: Hands, asked: ListIncidents) -> Page[IncidentRecorded]:
    found = hands.admin.incidents(queue=asked.queue)
    start = place(asked.after)
    page = found[start : start + asked.limit]
    following = start + len(page)
    return Page(items=page, next=str(following) if page and following < len(found) else "")


def _request_erasure(hands: Hands, asked: RequestErasure) -> Requested:
    return Requested(request_id=hands.eraser.request(asked.of_user, reason=asked.reason))


ROUTES: Final[tuple[Route, ...]] = (
    *tagged(
        "administration",
        [
            ask("/v1/admin/payloads", "payloads", ReadPayload, FullEpisode, _payload),
            ask(
                "/v1/admin/facts",
                "facts_all",
                ReadFacts,
                list[Fact],
                lambda hands, asked: hands.admin.facts(reason=asked.reason, **asked.then),
            ),
            post(
                "/v1/admin/deletions",
                "deletion",
                RequestDeletion,
                Requested,
                lambda hands, asked: Requested(
                    request_id=hands.admin.request_deletion(asked.key, reason=asked.reason)
                ),
            ),
            post(
                "/v1/admin/deletions/{request_id}/carry-out",
                "deletion",
                DeleteFact,
                Done,
                lambda hands, asked: Done(seq=hands.admin.delete(asked.request_id)),
            ),
            get(
                "/v1/admin/policies",
                "policy",
                ListPolicies,
                Page[InForce],
                _policies,
            ),
            get("/v1/admin/policies/in-force", "policy", GetPolicy, ShownPolicy, _policy),
            post("/v1/admin/policies", "policy", RequestPolicy, Requested, _request_policy),
            ask(
                "/v1/admin/policies/{request_id}/apply",
                "policy",
                ApplyPolicy,
                Applied,
                lambda hands, asked: Applied(digest=hands.admin.apply_policy(asked.request_id)),
            ),
            get(
                "/v1/admin/identities/{of_agent}",
                "identity",
                GetIdentity,
                Identity,
                lambda hands, asked: hands.identities.of(asked.of_agent),
            ),
            ask(
                "/v1/admin/identities/{of_agent}",
                "identity",
                AdoptIdentity,
                Identity,
                _adopt_identity,
            ),
            ask(
                "/v1/admin/patches/{request_id}/apply",
                "identity",
                ApplyIdentity,
                Identity,
                lambda hands, asked: hands.identities.apply(asked.request_id),
            ),
            post("/v1/admin/impositions", "impose", Impose, Done, _impose),
            post("/v1/admin/impositions/lift", "impose", Lift, Done, _lift),
            get(
                "/v1/admin/incidents",
                "incidents",
                ListIncidents,
                Page[IncidentRecorded],
                _incidents,
            ),
            post(
                "/v1/admin/erasures", "erasure_request", RequestErasure, Requested, _request_erasure
            ),
            ask(
                "/v1/admin/erasures/{request_id}/carry-out",
                "erasure",
                CarryOutErasure,
                Erasure,
                lambda hands, asked: hands.erase(asked.request_id),
            ),
        ],
    ),
)
