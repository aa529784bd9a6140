"""The council and the administrator: other eyes on the same memory, each with its own hands."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Final, TypeVar

import msgspec

from muniment.engine import door, reading
from muniment.engine.calls import Calls
from muniment.engine.conversation import Conversation
from muniment.engine.decide import adoption
from muniment.engine.house import House
from muniment.engine.standing import placed
from muniment.engine.verbs import Verbs
from muniment.engine.voice import Voice
from muniment.engine.writer import Told
from muniment.layers import episodic, shelves
from muniment.layers.requests import Request, from_event
from muniment.log import sealing
from muniment.log.entry import Line
from muniment.model import canon, ids, keys
from muniment.model import policy as policies
from muniment.model.assembly import Coefficients
from muniment.model.commands import (
    AdoptPolicy,
    AnyCommand,
    CastVote,
    RaiseRequest,
    RecordAccess,
    RetireFact,
    Tick,
)
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events import (
    EpisodeWritten,
    RequestRaised,
    RequestSettled,
)
from muniment.model.item import EpisodicEntry, Evidence, Fact
from muniment.model.loop_commands import CarryOut
from muniment.model.operation_events import AccessRecorded, IncidentRecorded
from muniment.model.policy import Policy
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    agent_stream,
    council_stream,
    name,
    ops_stream,
)

Noted = TypeVar("Noted", IncidentRecorded, AccessRecorded)
CHANGES: Final = frozenset({"policy_change", "coefficient_change"})


class FullEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with what only administrators see."""

    entry: EpisodicEntry
    raw: object
    consent_id: str


class View(Verbs):
    """Hands in one stream under one role; refusals are raised with their stable reason."""

    def __init__(self, house: House, principal: Principal) -> None:
        self._house = house
        self._principal = principal
        self._calls = Calls()

    def keyed(self, key: str) -> AbstractContextManager[None]:
        """Make one call safe to repeat: the same key and words are done once and answer alike."""
        return self._calls.under(canon.admit_text(key))

    def _facts(self, at: int | None, valid_at: str) -> list[Fact]:
        """The governed facts of the tenant: now, at an entry of its council's log, on a day."""
        tenant, day = self._principal.tenant, reading.check_day(valid_at)
        seq = placed(at, self._house.council_seq(tenant)[1])
        if day:
            return self._house.facts_on(council_stream(tenant), seq, ids.day_number(day))
        return self._house.facts(tenant, seq)

    def _operations(self, kind: type[Noted]) -> list[Noted]:
        """What the tenant's ops log noted of a kind, oldest first."""
        stream = ops_stream(self._principal.tenant)
        if not self._house.exists(stream):
            return []
        events = (line.event for line in self._house.writer(stream).lines())
        return [event for event in events if isinstance(event, kind)]

    def _insist(self, stream: StreamId, command: AnyCommand, key: str = "") -> Told:
        operation = key or self._operation(stream)
        ask = self._house.ask(door.admit(command), self._principal, operation=operation)
        return self._house.tell(stream, [ask])[-1].insisted()

    def _operation(self, stream: StreamId) -> str:
        """A caller's key as a stream's headers may hold it: a token that says nothing."""
        key = self._calls.next_key()
        if not key:
            return ""
        named = f"operation\x00{self._principal.role}:{self._principal.name}\x00{key}"
        return f"key:{sealing.token(self._house.stream(stream).key, named).hex()}"

    def _carry_out(self, stream: StreamId, command: AnyCommand, key: str = "") -> Told:
        """What the council has approved is done by the engine, whoever asks for it to be done."""
        engine = Principal(
            name="engine",
            role=Role.ENGINE,
            tenant=self._principal.tenant,
            channel=Channel.ENGINE,
        )
        ask = self._house.ask(command, engine, operation=key)
        return self._house.tell(stream, [ask])[-1].insisted()

    @property
    def _council(self) -> StreamId:
        return council_stream(self._principal.tenant)

    def _dockets(self) -> list[StreamId]:
        """What the two personas ask for lies apart, or one could tell what the other asked."""
        both = [council_stream(self._principal.tenant, persona) for persona in Persona]
        return [docket for docket in both if self._house.exists(docket)]

    def _docket(self, request_id: str) -> StreamId:
        """The docket that holds a request; the first one when neither does."""
        for docket in self._dockets():
            if self._house.shelves(docket).get(shelves.REQUESTS, request_id):
                return docket
        return self._council


class Council(View):
    """A member of the council: sees requests with their evidence, votes, and does nothing else."""

    def requests(self) -> list[Request]:
        """What awaits a vote, oldest first."""
        known = [
            each
            for docket in self._dockets()
            for each in self._house.writer(docket).desk.requests.open.values()
        ]
        waiting = [each for each in known if not each.erased]
        return sorted(waiting, key=lambda each: ids.request_place(each.request_id))

    def request(self, request_id: str) -> tuple[Request, str]:
        """One request, open or settled, and how it stands."""
        request_id = canon.admit_text(request_id)
        writer = self._house.writer(self._docket(request_id))
        waiting = writer.desk.requests.open.get(request_id)
        if waiting is not None and not waiting.erased:
            return waiting, waiting.status
        line = writer.shelves().get(shelves.REQUESTS, request_id)
        if line is None or not isinstance(line.event, RequestRaised):
            raise NotFoundError
        return from_event(line.event), _last_outcome(writer.lines(after=line.seq), request_id)

    def vote(self, request_id: str, vote: str, *, reason: str = "", binding: str = "") -> str:
        """`approve`, `reject` or `abstain`; returns how the request stands afterwards."""
        command = CastVote(
            request_id=request_id,
            vote=vote,
            reason=reason,
            binding=binding,
            subject=self._subject(request_id),
        )
        told = self._insist(self._docket(request_id), command)
        settled = [e.event for e in told.lines if isinstance(e.event, RequestSettled)]
        return settled[-1].outcome if settled else "pending"

    def _subject(self, request_id: str) -> str:
        """A vote speaks of the person its request is about, so it is erased with them.

        That is so however the request stands: a vote that comes too late speaks of them as well.
        """
        docket = self._docket(request_id)
        if not self._house.exists(docket):
            return ""
        line = self._house.shelves(docket).get(shelves.REQUESTS, request_id)
        return line.event.subject if line and isinstance(line.event, RequestRaised) else ""

    def approve(self, request_id: str, *, reason: str = "", binding: str = "") -> str:
        return self.vote(request_id, "approve", reason=reason, binding=binding)

    def reject(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "reject", reason=reason)

    def abstain(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "abstain", reason=reason)

    def tick(self) -> int:
        """Let the council's time pass; requests past their deadline are settled."""
        passed = self._insist(self._council, Tick()).lines[1].header.seq
        for docket in self._dockets():
            if docket != self._council:
                self._insist(docket, Tick())
        return passed


class Admin(View):
    """An administrator: every privileged read is written down before anything is returned."""

    def read_payload(
        self, agent: str, episodic_id: str, *, reason: str, persona: Persona = Persona.ACTOR
    ) -> FullEpisode:
        """The whole of an episode, raw form included where a consent kept it."""
        stream = agent_stream(self._principal.tenant, name(agent, "agent"), persona)
        self._announce(f"read_payload {stream.text} {episodic_id}", reason)
        line = self._house.shelves(stream).get(episodic.SHELF, canon.admit_text(episodic_id))
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        written = line.event
        self._report(f"read_payload {episodic_id}", reason, [written.episodic_id])
        return FullEpisode(
            entry=reading.released(episodic.entry(written)),
            raw=canon.release(written.raw),
            consent_id=written.consent_id,
        )

    def facts(self, *, reason: str, at: int | None = None, valid_at: str = "") -> list[Fact]:
        """Every governed fact of the tenant; `at` is an entry of the council's log."""
        found = self._facts(at, valid_at)  # bad input ends here; nothing is told yet
        self._announce("facts", reason)
        self._report("facts", reason, [fact.key for fact in found])
        return [reading.released_fact(fact) for fact in found]

    def request_deletion(self, key: str, *, reason: str) -> str:
        """Ask the council to retire a governed fact; carried out with `delete`."""
        canonical = keys.canonical(key)
        command = RaiseRequest(
            action="delete",
            key=canonical,
            justification=reason,
            subject=keys.owner(canonical),
        )
        return raised(self._insist(self._council, command))

    def delete(self, request_id: str) -> int:
        """Carry out an approved deletion."""
        return self._insist(self._council, RetireFact(request_id=request_id)).lines[-1].seq

    def adopt_policy(self, policy: Policy, *, agent: str = "", reason: str = "") -> str:
        """Put a policy in force from the next job on; returns its digest."""
        told = self._insist(self._agents_or_own(agent), AdoptPolicy(policy=policy, reason=reason))
        return told.lines[-1].header.policy

    def request_policy(self, policy: Policy, *, agent: str = "", reason: str) -> str:
        """Ask the council for a policy: an agent's, or without one the council's own.

        It is asked for in place of the one in force, and follows no other.
        """
        stream = self._agents_or_own(agent)
        known = self._house.exists(stream)
        command = RaiseRequest(
            action="policy_change",
            key=agent,
            value=msgspec.to_builtins(policy),
            justification=reason,
            expected_head=self._version(stream) if known else 0,
        )
        return raised(self._insist(self._council, command))

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
        return raised(self._insist(self._council, command))

    def apply_policy(self, request_id: str) -> str:
        """Put an approved change in force, exactly as it was approved; returns the digest."""
        request = None
        if self._house.exists(self._council):
            known = self._house.writer(self._council).desk.requests
            request = known.approved(request_id, CHANGES)
        if request is None:
            raise RefusedError("change_not_approved", request_id)
        stream = self._agents_or_own(request.key)
        policy = self._changed(stream, request)
        over = request.expected_head
        command = AdoptPolicy(policy=policy, reason=request_id, over=over)
        # Inside a job the answer is no, and a no must not be what later attempts are answered.
        inside = self._house.exists(stream) and self._house.writer(stream).desk.jobs.open
        try:
            self._carry_out(stream, command, "" if inside else f"policy:{request_id}")
        except RefusedError as refused:
            if refused.reason == adoption.MOVED_ON:
                self._insist(self._council, CarryOut(request_id=request_id, failed=refused.reason))
            raise
        self._insist(self._council, CarryOut(request_id=request_id))
        return policies.digest(policy)

    def _agents_or_own(self, agent: str) -> StreamId:
        """The stream of an agent's Actor; without an agent, the council's."""
        tenant = self._principal.tenant
        return agent_stream(tenant, name(agent, "agent")) if agent else self._council

    def _version(self, stream: StreamId) -> int:
        return policies.version(self._house.writer(stream).desk.policy_digest)

    def _changed(self, stream: StreamId, request: Request) -> Policy:
        """The approved policy; of approved weights, the policy in force with these."""
        if request.action == "policy_change":
            return policies.from_builtins(request.value)
        now = self._house.writer(stream).desk.policy
        weighed = msgspec.structs.replace(
            now.assembly, coefficients=msgspec.convert(request.value, Coefficients)
        )
        return msgspec.structs.replace(now, assembly=weighed)

    def impose(self, agent: str, text: str, *, user: str = "", session: str = "") -> int:
        """Lay something down in an agent's session, on the system's authority; returns the seq."""
        voice = self._voice(agent, user)
        command = Conversation(voice, session=session).imposition(text)
        return self._insist(voice.stream_id, command).seq

    def lift(self, agent: str, item_id: str, *, user: str = "", session: str = "") -> int:
        """Take back what an administrator laid down in a session; returns the seq."""
        voice = self._voice(agent, user)
        command = Conversation(voice, session=session).lifting(item_id)
        return self._insist(voice.stream_id, command).seq

    def _voice(self, agent: str, user: str) -> Voice:
        return Voice(
            self._house,
            tenant=self._principal.tenant,
            agent=name(agent, "agent"),
            user=name(user, "user") if user else "",
            persona=Persona.ACTOR,
            channel=self._principal.channel,
        )

    def incidents(self, *, queue: str = "") -> list[IncidentRecorded]:
        """What the environment did; the queue `admin` is what needs a hand."""
        found = self._operations(IncidentRecorded)
        return [event for event in found if not queue or event.queue == queue]

    def _announce(self, what: str, reason: str) -> None:
        self._insist(ops_stream(self._principal.tenant), RecordAccess(what=what, reason=reason))

    def _report(self, what: str, reason: str, found: list[str]) -> None:
        command = RecordAccess(
            what=what, reason=reason, found=len(found), result_digest=digest_of(found)
        )
        self._insist(ops_stream(self._principal.tenant), command)


def raised(told: Told) -> str:
    return next(e.event.request_id for e in told.lines if isinstance(e.event, RequestRaised))


def _last_outcome(lines: Iterable[Line], request_id: str) -> str:
    outcomes = [
        line.event.outcome
        for line in lines
        if isinstance(line.event, RequestSettled) and line.event.request_id == request_id
    ]
    return outcomes[-1] if outcomes else "pending"


def digest_of(value: object) -> str:
    return canon.digest("muniment/v1/result", canon.encode(value)).hex()
