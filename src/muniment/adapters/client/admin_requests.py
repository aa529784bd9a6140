"""What a client says in an office: council, administration, identities, erasure, keys and proof."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

import msgspec

from muniment.adapters.client.request import Plan, ask, get, listed, long, post
from muniment.adapters.gateway.api_keys import DAYS
from muniment.adapters.http.route import Done, Page
from muniment.adapters.http.routes.admin import Applied, ShownPolicy
from muniment.adapters.http.routes.council import Passed, Standing, Voted
from muniment.adapters.http.routes.memory import Requested
from muniment.adapters.http.routes.notary import Bundled, Certified, Linked
from muniment.adapters.http.routes.streams import HeaderEntry, ShownKey, StreamHead
from muniment.engine.api.admin import FullEpisode
from muniment.engine.api.policy_admin import InForce
from muniment.engine.api.subconscious import Dream
from muniment.engine.audit.erasure import Erasure
from muniment.engine.audit.notary import SignedHead
from muniment.engine.audit.replay import Proof
from muniment.engine.maintenance.learn import Lesson
from muniment.engine.session.loop_reader import Coverage
from muniment.layers.governance.requests import Request
from muniment.model.events.operations import IncidentRecorded
from muniment.model.kinds.episode import Fact
from muniment.model.policy.context import Coefficients
from muniment.model.policy.identity import Identity

# ── The council ─────────────────────────────────────────────────────────────────────────────────


def requests(*, after: str = "", limit: int = 50) -> Plan[Page[Request]]:
    return get("/v1/requests", Page[Request], after=after, limit=limit)


def request(request_id: str) -> Plan[Standing]:
    return get(f"/v1/requests/{request_id}", Standing)


def vote(request_id: str, vote: str, *, reason: str = "", binding: str = "") -> Plan[Voted]:
    path = f"/v1/requests/{request_id}/votes"
    return post(path, Voted, vote=vote, reason=reason, binding=binding)


def approve(request_id: str, *, reason: str = "", binding: str = "") -> Plan[Voted]:
    return vote(request_id, "approve", reason=reason, binding=binding)


def reject(request_id: str, *, reason: str = "") -> Plan[Voted]:
    return vote(request_id, "reject", reason=reason)


def abstain(request_id: str, *, reason: str = "") -> Plan[Voted]:
    return vote(request_id, "abstain", reason=reason)


def tick() -> Plan[Passed]:
    return post("/v1/council/tick", Passed)


# ── An administrator ────────────────────────────────────────────────────────────────────────────


def read_payload(
    agent: str, episodic_id: str, *, reason: str, persona: str = "actor"
) -> Plan[FullEpisode]:
    return ask(
        "/v1/admin/payloads",
        FullEpisode,
        of_agent=agent,
        episodic_id=episodic_id,
        reason=reason,
        of_persona=persona,
    )


def facts(*, reason: str, at: int | None = None, valid_at: str = "") -> Plan[list[Fact]]:
    return ask("/v1/admin/facts", list[Fact], reason=reason, at=at, valid_at=valid_at)


def request_deletion(key: str, *, reason: str) -> Plan[Requested]:
    return post("/v1/admin/deletions", Requested, key=key, reason=reason)


def delete(request_id: str) -> Plan[Done]:
    return post(f"/v1/admin/deletions/{request_id}/carry-out", Done)


def policies(*, after: str = "", limit: int = 50) -> Plan[Page[InForce]]:
    return get("/v1/admin/policies", Page[InForce], after=after, limit=limit)


def policy(*, agent: str = "", space: str = "", persona: str = "actor") -> Plan[ShownPolicy]:
    named = {"of_agent": agent, "of_space": space, "of_persona": persona}
    return get("/v1/admin/policies/in-force", ShownPolicy, **named)


def request_policy(
    policy: Mapping[str, object],
    *,
    agent: str = "",
    space: str = "",
    persona: str = "actor",
    reason: str,
) -> Plan[Requested]:
    named = {"of_agent": agent, "of_space": space, "of_persona": persona}
    said = dict(policy)
    return post("/v1/admin/policies", Requested, policy=said, reason=reason, **named)


def apply_policy(request_id: str) -> Plan[Applied]:
    return ask(f"/v1/admin/policies/{request_id}/apply", Applied)


def request_coefficients(
    agent: str, weights: Coefficients, *, reason: str, evidence: Sequence[str] = ()
) -> Plan[Requested]:
    return post(
        "/v1/admin/coefficients",
        Requested,
        of_agent=agent,
        coefficients=msgspec.to_builtins(weights),
        reason=reason,
        evidence=listed(evidence),
    )


def impose(agent: str, text: str, *, user: str = "", session: str = "") -> Plan[Done]:
    return post(
        "/v1/admin/impositions", Done, of_agent=agent, text=text, for_user=user, session=session
    )


def lift(agent: str, item_id: str, *, user: str = "", session: str = "") -> Plan[Done]:
    named = {"of_agent": agent, "item_id": item_id, "for_user": user, "session": session}
    return post("/v1/admin/impositions/lift", Done, **named)


def incidents(*, queue: str = "", after: str = "", limit: int = 50) -> Plan[Page[IncidentRecorded]]:
    found = Page[IncidentRecorded]
    return get("/v1/admin/incidents", found, queue=queue, after=after, limit=limit)


def of(agent: str) -> Plan[Identity]:
    return get(f"/v1/admin/identities/{agent}", Identity)


def adopt(agent: str, identity: Mapping[str, object], *, reason: str = "") -> Plan[Identity]:
    path = f"/v1/admin/identities/{agent}"
    return ask(path, Identity, identity=dict(identity), reason=reason)


def apply(request_id: str) -> Plan[Identity]:
    return ask(f"/v1/admin/patches/{request_id}/apply", Identity)


def erasure(user: str, *, reason: str) -> Plan[Requested]:
    return post("/v1/admin/erasures", Requested, of_user=user, reason=reason)


def carry_out(request_id: str) -> Plan[Erasure]:
    return long(f"/v1/admin/erasures/{request_id}/carry-out", Erasure)


def keys() -> Plan[list[ShownKey]]:
    return get("/v1/admin/keys", list[ShownKey])


class Granted(TypedDict, total=False):
    """What a new key stands for besides its role; what is left out is as narrow as it can be."""

    agent: str
    user: str
    persona: str
    projects: Sequence[str]
    verbs: Sequence[str]
    who: str


def create_key(
    role: str, *, label: str = "", days: int = DAYS, **grant: Unpack[Granted]
) -> Plan[ShownKey]:
    return post(
        "/v1/admin/keys",
        ShownKey,
        role=role,
        of_agent=grant.get("agent", ""),
        for_user=grant.get("user", ""),
        of_persona=grant.get("persona", "actor"),
        projects=listed(grant.get("projects", ())),
        verbs=listed(grant.get("verbs", ())),
        who=grant.get("who", ""),
        label=label,
        days=days,
    )


def revoke_key(key_id: str) -> Plan[ShownKey]:
    return ask(f"/v1/admin/keys/{key_id}/revoke", ShownKey)


# ── Proof, and a Subconscious ───────────────────────────────────────────────────────────────────


def streams() -> Plan[list[StreamHead]]:
    return get("/v1/streams", list[StreamHead])


def headers(stream: str, *, after: str = "", limit: int = 50) -> Plan[Page[HeaderEntry]]:
    found = Page[HeaderEntry]
    return get("/v1/streams/headers", found, stream=stream, after=after, limit=limit)


def prove() -> Plan[list[Proof]]:
    return long("/v1/prove", list[Proof])


def sign(stream: str = "") -> Plan[list[SignedHead]]:
    return long("/v1/sign", list[SignedHead], stream=stream)


def signed(stream: str) -> Plan[list[SignedHead]]:
    return get("/v1/streams/signed", list[SignedHead], stream=stream)


def certify(stream: str, seq: int, *, reason: str = "") -> Plan[Certified]:
    return long("/v1/certify", Certified, stream=stream, seq=seq, reason=reason)


def link(stream: str, note: str) -> Plan[Linked]:
    return long("/v1/link", Linked, stream=stream, note=note)


def bundle(stream: str) -> Plan[Bundled]:
    return long("/v1/bundle", Bundled, stream=stream)


def rebuild() -> Plan[dict[str, str]]:
    return long("/v1/rebuild", dict[str, str])


def dream() -> Plan[Dream]:
    return long("/v1/dream", Dream)


def learn(feedback: str) -> Plan[Lesson]:
    return ask("/v1/learn", Lesson, feedback=feedback)


def coverage(persona: str) -> Plan[Coverage]:
    return get("/v1/coverage", Coverage, persona=persona)
