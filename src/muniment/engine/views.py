"""The council and the administrator: other eyes on the same memory, each with its own hands."""

from collections.abc import Iterable

import msgspec

from muniment.engine import door, reading
from muniment.engine.house import House, digest_of
from muniment.engine.writer import Told
from muniment.layers import episodic, shelves
from muniment.layers.requests import Request, from_event
from muniment.log.entry import Line
from muniment.model import canon, keys
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
    IncidentRecorded,
    RequestRaised,
    RequestSettled,
)
from muniment.model.item import EpisodicEntry, Fact
from muniment.model.policy import Policy
from muniment.model.scope import (
    Persona,
    Principal,
    StreamId,
    agent_stream,
    council_stream,
    ops_stream,
)


class FullEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with what only administrators see."""

    entry: EpisodicEntry
    raw: object
    consent_id: str


class View:
    """Hands in one stream under one role; refusals are raised with their stable reason."""

    def __init__(self, house: House, principal: Principal) -> None:
        self._house = house
        self._principal = principal

    def _insist(self, stream: StreamId, command: AnyCommand, key: str = "") -> Told:
        ask = self._house.ask(door.admit(command), self._principal, operation=key)
        told = self._house.tell(stream, [ask])[-1]
        if told.refusal:
            raise RefusedError(told.refusal.reason, told.refusal.detail)
        return told

    @property
    def _council(self) -> StreamId:
        return council_stream(self._principal.tenant)


class Council(View):
    """A member of the council: sees requests with their evidence, votes, and does nothing else."""

    def requests(self) -> list[Request]:
        """What awaits a vote, oldest first."""
        if not self._house.exists(self._council):
            return []
        waiting = self._house.writer(self._council).desk.requests.open.values()
        return sorted(waiting, key=lambda each: int(each.request_id.split(":")[1].split("-")[0]))

    def request(self, request_id: str) -> tuple[Request, str]:
        """One request, open or settled, and how it stands."""
        writer = self._house.writer(self._council)
        waiting = writer.desk.requests.open.get(request_id)
        if waiting is not None:
            return waiting, waiting.status
        line = writer.shelves().get(shelves.REQUESTS, request_id)
        if line is None or not isinstance(line.event, RequestRaised):
            raise NotFoundError
        return from_event(line.event), _last_outcome(writer.lines(after=line.seq), request_id)

    def vote(self, request_id: str, vote: str, *, reason: str = "", binding: str = "") -> str:
        """`approve`, `reject` or `abstain`; returns how the request stands afterwards."""
        command = CastVote(request_id=request_id, vote=vote, reason=reason, binding=binding)
        told = self._insist(self._council, command)
        settled = [e.event for e in told.lines if isinstance(e.event, RequestSettled)]
        return settled[-1].outcome if settled else "pending"

    def approve(self, request_id: str, *, reason: str = "", binding: str = "") -> str:
        return self.vote(request_id, "approve", reason=reason, binding=binding)

    def reject(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "reject", reason=reason)

    def abstain(self, request_id: str, *, reason: str = "") -> str:
        return self.vote(request_id, "abstain", reason=reason)

    def tick(self) -> int:
        """Let the council's time pass; requests past their deadline are settled."""
        return self._insist(self._council, Tick()).lines[1].header.seq


class Admin(View):
    """An administrator: every privileged read is written down before anything is returned."""

    def read_payload(
        self, agent: str, episodic_id: str, *, reason: str, persona: Persona = Persona.ACTOR
    ) -> FullEpisode:
        """The whole of an episode, raw form included where a consent kept it."""
        stream = agent_stream(self._principal.tenant, agent, persona)
        self._announce(f"read_payload {stream.text} {episodic_id}", reason)
        line = self._house.shelves(stream).get(episodic.SHELF, episodic_id)
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        written = line.event
        self._report(f"read_payload {episodic_id}", reason, [written.episodic_id])
        return FullEpisode(
            entry=reading.released(episodic.entry(written)),
            raw=canon.release(written.raw),  # type: ignore[arg-type]
            consent_id=written.consent_id,
        )

    def facts(self, *, reason: str) -> list[Fact]:
        """Every governed fact of the tenant."""
        self._announce("facts", reason)
        _, seq = self._house.council_seq(self._principal.tenant)
        found = self._house.facts(self._principal.tenant, seq)
        self._report("facts", reason, [fact.key for fact in found])
        return found

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
        tenant = self._principal.tenant
        stream = agent_stream(tenant, agent) if agent else council_stream(tenant)
        told = self._insist(stream, AdoptPolicy(policy=policy, reason=reason))
        return told.lines[-1].header.policy

    def incidents(self, *, queue: str = "") -> list[IncidentRecorded]:
        """What the environment did; the queue `admin` is what needs a hand."""
        stream = ops_stream(self._principal.tenant)
        if not self._house.exists(stream):
            return []
        events = (line.event for line in self._house.writer(stream).lines())
        found = [event for event in events if isinstance(event, IncidentRecorded)]
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
