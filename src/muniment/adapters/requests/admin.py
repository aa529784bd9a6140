"""Requests of administrators: privileged reads, policies, identities, erasure, API keys."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

import msgspec
from msgspec import Meta

from muniment.adapters.gateway.api_keys import DAYS, Grant
from muniment.adapters.requests.answers import Done, Page, Requested
from muniment.adapters.requests.council import PersonaName
from muniment.adapters.requests.fields import (
    PAGE,
    Count,
    Cursor,
    Id,
    Json,
    LogName,
    Name,
    PageLimit,
    Reason,
    Statement,
    Why,
    one_of,
)
from muniment.adapters.requests.verb_request import (
    Answer,
    ReadRequest,
    VerbRequest,
    ask,
    get,
    long,
    post,
)
from muniment.engine.api.admin import FullEpisode
from muniment.engine.api.policy_admin import InForce
from muniment.engine.audit.erasure import Erasure
from muniment.engine.evidence.holds import LiftedHold, PlacedHold
from muniment.engine.evidence.retention import DuePeriod
from muniment.engine.what_if.report import WhatIf
from muniment.model.events.operations import IncidentRecorded
from muniment.model.kinds.episode import Fact
from muniment.model.policy.identity import Identity
from muniment.model.scope import Persona, Role


class HoldId(msgspec.Struct, frozen=True, kw_only=True):
    hold_id: str


# Over HTTP a field `agent` or `user` would read like a claim about the caller, whom the key names.
Names = Annotated[Sequence[Name], Meta(max_length=64)]
SpaceText = Annotated[str, Meta(max_length=160)]  # a kind, a colon and a name


class ReadPayloadOptions(VerbRequest[FullEpisode], frozen=True, kw_only=True):
    reason: Reason
    persona: PersonaName = msgspec.field(default=Persona.ACTOR.value, name="of_persona")


class ReadPayloadRequest(ReadPayloadOptions, frozen=True):
    """Get an episode unredacted; the read is logged before anything is returned."""

    endpoint = ask("/v1/admin/payloads", "payloads")

    agent: Id = msgspec.field(name="of_agent")
    episodic_id: Id


class AllFactsRequest(ReadRequest[list[Fact]], frozen=True, kw_only=True):
    """List every governed fact of the tenant; the read is logged."""

    endpoint = ask("/v1/admin/facts", "facts_all")

    reason: Reason


class NeedsReason(VerbRequest[Requested], frozen=True, kw_only=True):
    reason: Reason


class RequestDeletionRequest(NeedsReason, frozen=True):
    """Request the deletion of a governed fact."""

    endpoint = post("/v1/admin/deletions", "deletion")

    key: Id


class DeleteFactRequest(VerbRequest[Done], frozen=True):
    """Carry out an approved deletion."""

    endpoint = post("/v1/admin/deletions/{request_id}/carry-out", "deletion")

    request_id: Id


class PolicyPlace(TypedDict):
    agent: str
    space: str
    persona: str


class PolicyOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    """The target of a policy: an agent, a shared space, or without either the council.

    A space is `user:NAME`, `project:NAME` or `system`.
    """

    agent: Name = msgspec.field(default="", name="of_agent")
    space: SpaceText = msgspec.field(default="", name="of_space")
    persona: PersonaName = msgspec.field(default=Persona.ACTOR.value, name="of_persona")

    @property
    def where(self) -> PolicyPlace:
        return {"agent": self.agent, "space": self.space, "persona": self.persona}


class PoliciesRequest(VerbRequest[Page[InForce]], frozen=True, kw_only=True):
    """List every log of the tenant that has its own policy, and which one."""

    endpoint = get("/v1/admin/policies", "policy")

    after: LogName = ""  # a count would not do: logs come and go while somebody turns the pages
    limit: PageLimit = PAGE


class ShownPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """A policy with every field, and the digest that entries cite."""

    digest: str
    policy: dict[str, object]


class PolicyRequest(PolicyOptions[ShownPolicy], frozen=True, kw_only=True):
    """The policy in force for an agent, a shared space, or without either the council."""

    endpoint = get("/v1/admin/policies/in-force", "policy")


class RequestPolicyRequest(PolicyOptions[Requested], frozen=True):
    """Request a policy for an agent, a shared space, or the council itself.

    `user` or `project` as a space is every space of that kind.
    """

    endpoint = post("/v1/admin/policies", "policy")

    policy: Json
    reason: Reason


class WhatIfPolicyRequest(PolicyOptions[WhatIf], frozen=True, kw_only=True):
    """What would be otherwise if this policy had held from the beginning; the reason is logged.

    Without an agent or a space: in every log. Without a policy: by this version of the program.
    """

    endpoint = long("/v1/admin/policies/what-if", "policy")

    reason: Reason
    policy: Json | None = None


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    digest: str


class ApplyPolicyRequest(VerbRequest[Applied], frozen=True):
    """Put an approved policy in force, exactly as it was approved."""

    endpoint = ask("/v1/admin/policies/{request_id}/apply", "policy")

    request_id: Id


class IdentityRequest(VerbRequest[Identity], frozen=True):
    """The identity that is in force for an agent."""

    endpoint = get("/v1/admin/identities/{of_agent}", "identity")

    agent: Id = msgspec.field(name="of_agent")


class AdoptIdentityOptions(VerbRequest[Identity], frozen=True, kw_only=True):
    reason: Why = ""


class AdoptIdentityRequest(AdoptIdentityOptions, frozen=True):
    """Put an identity in force for both personas of an agent."""

    endpoint = ask("/v1/admin/identities/{of_agent}", "identity")

    agent: Id = msgspec.field(name="of_agent")
    identity: Json


class ApplyIdentityRequest(VerbRequest[Identity], frozen=True):
    """Carry out a patch of an identity that the council has approved."""

    endpoint = ask("/v1/admin/patches/{request_id}/apply", "identity")

    request_id: Id


class ImposeOptions(VerbRequest[Done], frozen=True, kw_only=True):
    user: Name = msgspec.field(default="", name="of_user")
    session: Name = ""


class ImposeRequest(ImposeOptions, frozen=True):
    """Add an instruction to an agent's session, on the system's authority."""

    endpoint = post("/v1/admin/impositions", "impose")

    agent: Id = msgspec.field(name="of_agent")
    text: Statement


class LiftRequest(ImposeOptions, frozen=True):
    """Remove an instruction that an administrator added to a session."""

    endpoint = post("/v1/admin/impositions/lift", "impose")

    agent: Id = msgspec.field(name="of_agent")
    item_id: Id


class IncidentsRequest(VerbRequest[Page[IncidentRecorded]], frozen=True, kw_only=True):
    """List failures and retries; the queue `admin` holds what needs an administrator."""

    endpoint = get("/v1/admin/incidents", "incidents")

    queue: Name = ""
    after: Cursor = ""
    limit: PageLimit = PAGE


Day = Annotated[str, Meta(max_length=10, description="A day: 2026-03-05.")]


class PlaceHoldRequest(VerbRequest[HoldId], frozen=True, kw_only=True):
    """Place a legal hold: what it covers cannot be forgotten, expire, be rolled back or erased."""

    endpoint = post("/v1/admin/holds", "erasure")

    reason: Reason
    user: Annotated[Name, Meta(description="The person it covers.")] = msgspec.field(
        default="", name="of_user"
    )
    space: Annotated[
        SpaceText, Meta(description="The space: project:atlas, session:s1, agent:ada.")
    ] = ""
    since: Annotated[Day, Meta(description="Told from this day on.")] = ""
    until: Annotated[Day, Meta(description="Told up to this day.")] = ""
    ends: Annotated[Day, Meta(description="The day when the hold ends.")] = ""


class HoldsRequest(VerbRequest[list[PlacedHold]], frozen=True):
    """List the legal holds in force."""

    endpoint = get("/v1/admin/holds", "erasure")


class LiftHoldOptions(VerbRequest[LiftedHold], frozen=True, kw_only=True):
    reason: Why = ""


class LiftHoldRequest(LiftHoldOptions, frozen=True):
    """Lift a legal hold, and carry out what it had blocked."""

    endpoint = post("/v1/admin/holds/{hold_id}/lift", "erasure")

    hold_id: Id


class SettleHoldsRequest(VerbRequest[list[LiftedHold]], frozen=True):
    """Lift every legal hold that has ended by now."""

    endpoint = ask("/v1/admin/holds/settle", "erasure")


class DueRequest(VerbRequest[list[DuePeriod]], frozen=True, kw_only=True):
    """List what the policy keeps no longer, and when it goes; nothing is changed."""

    endpoint = get("/v1/admin/due", "erasure")

    within: Annotated[Count, Meta(description="Also what goes within so many days.")] = 0


class CarryOutDueRequest(VerbRequest[list[DuePeriod]], frozen=True):
    """Erase what the policy keeps no longer, except what a legal hold covers."""

    endpoint = long("/v1/admin/due/carry-out", "erasure")


class RequestErasureRequest(NeedsReason, frozen=True):
    """Request the erasure of everything about a person."""

    endpoint = post("/v1/admin/erasures", "erasure_request")

    user: Id = msgspec.field(name="of_user")


class CarryOutErasureRequest(VerbRequest[Erasure], frozen=True):
    """Carry out an approved erasure: destroy, rebuild, scan and record."""

    endpoint = long("/v1/admin/erasures/{request_id}/carry-out", "erasure")

    request_id: Id


class ShownKey(msgspec.Struct, frozen=True, kw_only=True):
    """An API key without its secret; `key` is the secret, shown once on creation."""

    key_id: str
    grant: Grant
    label: str
    created: str
    expires: str
    revoked: str
    key: str = ""


class ListKeysRequest(VerbRequest[list[ShownKey]], frozen=True):
    """List the API keys of the tenant, without their secrets."""

    endpoint = get("/v1/admin/keys", "keys")


class CreateKeyOptions(VerbRequest[ShownKey], frozen=True, kw_only=True):
    agent: Name = msgspec.field(default="", name="of_agent")
    user: Name = msgspec.field(default="", name="of_user")
    persona: PersonaName = msgspec.field(default=Persona.ACTOR.value, name="of_persona")
    projects: Names = ()
    verbs: Names = ()
    who: Name = ""
    label: Name = ""
    days: Count = DAYS


class CreateKeyRequest(CreateKeyOptions, frozen=True):
    """Create an API key of this tenant; the secret is shown only here."""

    endpoint = post("/v1/admin/keys", "keys")

    role: Annotated[str, one_of(*Role)]


class RevokeKeyRequest(VerbRequest[ShownKey], frozen=True):
    """Revoke an API key of this tenant at once."""

    endpoint = ask("/v1/admin/keys/{key_id}/revoke", "keys")

    key_id: Id
