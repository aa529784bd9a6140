"""Policy administration: which policy is in force where, and how another is adopted.

Each step can be taken again: what lapsed under the old policy ends, the new one is adopted under a
key that the request gives, what lapsed under it ends, and the council is told that it is done.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.engine.decide import policy as decide_policy
from muniment.engine.maintenance import expiry
from muniment.engine.projections import recorded_vectors
from muniment.engine.session.role_session import RoleSession, raised
from muniment.engine.streams.ports import is_repeatable
from muniment.engine.what_if import report, what_if
from muniment.engine.what_if.report import WhatIf
from muniment.layers.governance.requests import Request, Requests
from muniment.model import canonical_json
from muniment.model import policy as policies
from muniment.model.commands import AdoptPolicy, RaiseRequest
from muniment.model.commands.loops import CarryOut
from muniment.model.errors import EmbedderError, InputError, NotFoundError, RefusedError
from muniment.model.events import PolicyAdopted
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.episode import Evidence
from muniment.model.policy import Policy, target
from muniment.model.policy.context import Coefficients
from muniment.model.policy.target import Domain
from muniment.model.scope import (
    Persona,
    StreamId,
    StreamKind,
    agent_stream,
    council_stream,
    name,
    person_owner,
    space_stream,
    unescaped,
)
from muniment.retrieval.filters import policy_checks

CHANGES: Final = frozenset({"policy_change", "coefficient_change"})
RULED: Final = frozenset({StreamKind.AGENT, StreamKind.SPACE, StreamKind.COUNCIL})


class InForce(msgspec.Struct, frozen=True, kw_only=True):
    """Under which policy one log stands; what it is of is named as a change of it names it."""

    agent: str = ""
    space: str = ""
    persona: Persona = Persona.ACTOR
    digest: str
    log: str  # its name; those that follow it in a list are those after it


class Ruling(RoleSession):
    """An administrator's hands for policies: seen, asked for, and put in force once approved."""

    def policies(self, *, after: str = "", limit: int = 0) -> list[InForce]:
        """Every log of the tenant that has a policy of its own to change, and which it is.

        Each has to be opened: of many, so many after the one of that name.
        """
        people = self._people()
        ruled = [each for each in self.ruled_streams() if each.text > after]
        return [
            InForce(
                agent=each.owner if each.kind is StreamKind.AGENT else "",
                space=_space(each, people) if each.kind is StreamKind.SPACE else "",
                persona=each.persona,
                digest=self._hub.writer(each).desk.policy_digest,
                log=each.text,
            )
            for each in ruled[: limit or None]
        ]

    def policy(self, *, agent: str = "", space: str = "", persona: str = Persona.ACTOR) -> Policy:
        """What is in force for an agent, a shared space or, without either, the council."""
        wanted = target.named(agent=agent, space=space, persona=persona)
        if wanted.is_every:
            raise InputError(f"each space has its own policy: name one as {wanted.owner}:NAME")
        (stream,) = self._ruled(wanted)
        return self._policy_of(stream)

    def adopt_policy(
        self,
        policy: Policy,
        *,
        agent: str = "",
        space: str = "",
        persona: str = Persona.ACTOR,
        reason: str = "",
    ) -> str:
        """Put a policy in force from the next job on; returns its digest."""
        self._check_usable(policy)
        for stream in self._ruled(target.named(agent=agent, space=space, persona=persona)):
            expiry.end(self._hub, stream)
            self._append_or_raise(stream, self._adoption(policy, reason))
            expiry.end(self._hub, stream)
        return policies.digest(policy)

    def request_policy(
        self,
        policy: Policy,
        *,
        agent: str = "",
        space: str = "",
        persona: str = Persona.ACTOR,
        reason: str,
    ) -> str:
        """Ask the council for a policy: of an agent, of a shared space, or the council's own.

        It is asked for in place of the one in force, and follows no other. `space` is `user:NAME`,
        `project:NAME` or `system`; `user` or `project` alone is every space of that kind.
        """
        self._check_usable(policy)  # nobody votes on what could not be put in force
        wanted = target.named(agent=agent, space=space, persona=persona)
        followed = self._followed(self._ruled(wanted))
        command = RaiseRequest(
            action="policy_change",
            key=wanted.text,
            value=msgspec.to_builtins(policy),
            justification=reason,
            expected_head=_expected(followed, wanted),
            over=followed if wanted.is_every else (),
            subject=wanted.subject,
        )
        return raised(self._append_or_raise(self._council, command))

    def _check_usable(self, policy: Policy) -> None:
        """It holds together, and the embedder that it names has its weights here.

        Without them everything would be searched by words alone, and nobody would notice.
        """
        policy_checks.checked(policy)
        wanted = policy.recall.embedder
        for each in self._hub.tools.at_hand:
            found = each.name == wanted and is_repeatable(each)
            if found and (absent := recorded_vectors.why_absent(each)):
                raise EmbedderError(f"{wanted} cannot be used here{absent}")

    def request_coefficients(
        self, agent: str, weights: Coefficients, *, reason: str, evidence: Sequence[str] = ()
    ) -> str:
        """Ask the council for other weights of an agent's ranking, with what speaks for them."""
        command = RaiseRequest(
            action="coefficient_change",
            key=name(agent, "agent"),
            value=msgspec.to_builtins(weights),
            justification=reason,
            evidence=tuple(Evidence(note=each) for each in evidence),
        )
        return raised(self._append_or_raise(self._council, command))

    def proposal(self, request_id: str) -> list[tuple[Policy, Policy]]:
        """What an open request would change: each policy that is in force, and what it would be.

        Nothing, where it asks for no policy, or what it asks for could not be put in force.
        """
        request = self._requests().open.get(canonical_json.admit_text(request_id))
        if request is None or request.erased or request.action not in CHANGES:
            return []
        try:
            streams = self._ruled(target.from_text(request.key))
            pairs = [(self._policy_of(each), self._changed(each, request)) for each in streams]
        except (InputError, NotFoundError, msgspec.ValidationError):
            return []
        return list({policies.digest(now): (now, then) for now, then in pairs}.values())

    def what_if_policy(
        self,
        policy: Policy | None = None,
        *,
        agent: str = "",
        space: str = "",
        persona: str = Persona.ACTOR,
        reason: str = "",
        progress: Stages = unwatched,
    ) -> WhatIf:
        """What would be otherwise if this policy had held from the beginning.

        It tells what people said, so a reason that is given is written down first; nothing else is.
        Every command is decided again and every recorded question asked again: of an agent, of a
        shared space, or without either of every log of the tenant that has a policy. Without a
        policy, under those that held: what differs then, this version of the program does.
        """
        if policy is not None:
            policy_checks.checked(policy)
        streams = self.ruled_streams(agent=agent, space=space, persona=persona)
        if reason:
            self._note_access("policy what-if", reason)
        told = what_if.of_logs(self._hub, streams, policy, progress)
        return report.together(policies.digest(policy) if policy else "", told)

    def ruled_streams(
        self, *, agent: str = "", space: str = "", persona: str = Persona.ACTOR
    ) -> list[StreamId]:
        """The logs that a policy is meant for; without an agent or a space, all that have one."""
        if agent or space:
            wanted = target.named(agent=agent, space=space, persona=persona)
            return [each for each in self._ruled(wanted) if self._hub.exists(each)]
        people, tenant = self._people(), self._principal.tenant
        known = self._hub.known_streams()
        return [each for each in known if each.tenant == tenant and _is_ruled(each, people)]

    def apply_policy(self, request_id: str) -> str:
        """Put an approved change in force, exactly as it was approved; returns the digest.

        Whoever did not hear the answer asks again, and is told it again.
        """
        request = self._requests().approved(request_id, CHANGES)
        if request is None:
            return self._told_again(request_id)
        streams = self._ruled(target.from_text(request.key))
        try:
            self._check_followed(request, streams)
            changed = [self._put_in_force(each, request) for each in streams]
        except RefusedError as refused:
            if refused.reason == decide_policy.MOVED_ON:
                self._append_or_raise(
                    self._council, CarryOut(request_id=request_id, failed=refused.reason)
                )
            raise
        self._append_or_raise(self._council, CarryOut(request_id=request_id))
        return changed[-1]

    def _requests(self) -> Requests:
        exists = self._hub.exists(self._council)
        return self._hub.writer(self._council).desk.requests if exists else Requests()

    # ── Steps ───────────────────────────────────────────────────────────────────────────────────

    def _put_in_force(self, stream: StreamId, request: Request) -> str:
        adopted = self._adopted(stream, request.request_id)
        if adopted is None:
            expiry.end(self._hub, stream)
            policy = self._changed(stream, request)
            over = self._version(stream) if request.over else request.expected_head
            command = AdoptPolicy(policy=policy, reason=request.request_id, over=over)
            # Inside a job the answer is no, and a no must not be what later attempts are answered.
            inside = self._hub.exists(stream) and self._hub.writer(stream).desk.jobs.open
            self._carry_out(stream, command, "" if inside else _key(request.request_id))
            adopted = policies.digest(policy)
        expiry.end(self._hub, stream)
        return adopted

    def _check_followed(self, request: Request, streams: list[StreamId]) -> None:
        """Of many logs all must stand as they stood, or as this very change has put them."""
        if not request.over:
            return  # one log looks for itself, in the same append
        for stream in streams:
            done = self._adopted(stream, request.request_id)
            if done is None and self._version(stream) not in request.over:
                raise RefusedError(decide_policy.MOVED_ON, request.request_id)

    def _adopted(self, stream: StreamId, request_id: str) -> str | None:
        """The digest of what a request has put in force in a log, if it has."""
        if not self._hub.exists(stream):
            return None
        writer = self._hub.writer(stream)
        seq = self._hub.parts.store.find(writer.stream.ref, _key(request_id))
        told = (line.event for line in (writer.batch(seq) if seq is not None else ()))
        return next((each.digest for each in told if isinstance(each, PolicyAdopted)), None)

    def _told_again(self, request_id: str) -> str:
        """The answer to a change that was carried out, or could not be, as it was given first."""
        ended = self._ended(self._council, request_id)
        if ended is not None and ended[0].action in CHANGES:
            request, settled = ended
            if settled.outcome == "failed":
                raise RefusedError(settled.reason, request_id)
            streams = self._ruled(target.from_text(request.key))
            found = (self._adopted(each, request_id) for each in streams)
            digest = next((each for each in found if each), "")
            if settled.outcome == "executed" and digest:
                return digest
        raise RefusedError("change_not_approved", request_id)

    def _changed(self, stream: StreamId, request: Request) -> Policy:
        """The approved policy; of approved weights, the policy in force with these."""
        if request.action == "policy_change":
            return policies.from_builtins(request.value)
        now = self._policy_of(stream)
        weighed = msgspec.structs.replace(
            now.assembly, coefficients=msgspec.convert(request.value, Coefficients)
        )
        return msgspec.structs.replace(now, assembly=weighed)

    # ── Which logs ──────────────────────────────────────────────────────────────────────────────

    def _ruled(self, wanted: Domain) -> list[StreamId]:
        """The logs of a domain; a space that holds nothing is no space."""
        tenant = self._principal.tenant
        if wanted.kind is StreamKind.AGENT:
            return [agent_stream(tenant, wanted.owner, wanted.persona)]
        if wanted.kind is StreamKind.COUNCIL:
            return [council_stream(tenant, wanted.persona)]
        found = self._every(wanted) if wanted.is_every else self._one(wanted)
        if not found:
            raise NotFoundError(f"there is no {wanted.owner} space")
        return found

    def _one(self, wanted: Domain) -> list[StreamId]:
        tenant = self._principal.tenant
        space, _, owner = wanted.owner.partition(":")
        if wanted.subject:
            keyring = self._hub.parts.world.keyring
            ref = keyring.find("subject", f"{tenant}/{wanted.subject}")
            owner = person_owner(ref) if ref else ""
        stream = space_stream(tenant, space, owner, wanted.persona)
        return [stream] if owner and self._hub.exists(stream) else []

    def _every(self, wanted: Domain) -> list[StreamId]:
        people = self._people()
        return [
            each
            for each in self._hub.known_streams()
            if (each.tenant, each.kind) == (self._principal.tenant, StreamKind.SPACE)
            and each.persona is wanted.persona
            and each.owner.startswith(f"{wanted.owner}:")
            and _is_ruled(each, people)
        ]

    def _people(self) -> dict[str, str]:
        """Whose each person's space is, by the reference that its log is named by."""
        tenant = self._principal.tenant
        known = self._hub.parts.world.keyring.known("subject")
        people = ((ref, *told.split("/", 1)) for ref, told in known if "/" in told)
        return {
            person_owner(ref): person.removeprefix("user_")
            for ref, its, person in people
            if its == tenant
        }

    def _followed(self, streams: list[StreamId]) -> tuple[int, ...]:
        there = (each for each in streams if self._hub.exists(each))
        return tuple(sorted({self._version(each) for each in there}))

    def _version(self, stream: StreamId) -> int:
        return policies.version(self._hub.writer(stream).desk.policy_digest)


def _key(request_id: str) -> str:
    return f"policy:{request_id}"


def _expected(followed: tuple[int, ...], wanted: Domain) -> int:
    """What an approval is bound to: the version that is followed, or all of them together."""
    if wanted.is_every:
        together = canonical_json.digest(
            "muniment/v1/policies", canonical_json.encode(list(followed))
        )
        return policies.version(together.hex())
    return followed[0] if followed else 0


def _is_ruled(stream: StreamId, people: dict[str, str]) -> bool:
    """Of whoever was erased nothing is left to keep."""
    is_space = stream.kind is StreamKind.SPACE
    return stream.kind in RULED and (not is_space or bool(_space(stream, people)))


def _space(stream: StreamId, people: dict[str, str]) -> str:
    """A space as a change of its policy names it; empty when nobody knows whose it is."""
    space, _, owner = stream.owner.partition(":")
    if space == Space.SYSTEM:
        return space
    whose = people.get(owner, "") if space == Space.USER else unescaped(owner)
    return f"{space}:{whose}" if whose else ""
