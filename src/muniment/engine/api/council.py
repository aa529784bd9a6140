"""The council and the administrator: other eyes on the same memory, each with its own hands."""

from collections.abc import Iterable

import msgspec

from muniment.engine.api.policy_admin import Ruling
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.search import recall_results
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.role_session import RoleSession, raised
from muniment.layers import episodes, shelves
from muniment.layers.governance.requests import Request, from_event
from muniment.log.entry import Line
from muniment.model import canonical_json, fact_keys, ids
from muniment.model.commands import (
    CastVote,
    RaiseRequest,
    RecordAccess,
    RetireFact,
    Tick,
)
from muniment.model.errors import NotFoundError
from muniment.model.events import (
    EpisodeWritten,
    RequestRaised,
    RequestSettled,
)
from muniment.model.events.operations import IncidentRecorded
from muniment.model.kinds.episode import EpisodicEntry, Fact
from muniment.model.scope import (
    Persona,
    agent_stream,
    name,
    ops_stream,
)


class FullEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with what only administrators see."""

    entry: EpisodicEntry
    raw: object
    consent_id: str


class Council(RoleSession):
    """A member of the council: sees requests with their evidence, votes, and does nothing else."""

    def requests(self) -> list[Request]:
        """What awaits a vote, oldest first."""
        known = [
            each
            for docket in self._dockets()
            for each in self._house.writer(docket).desk.requests.open.values()
        ]
        waiting = [self._spoken(each) for each in known if not each.erased]
        return sorted(waiting, key=lambda each: ids.request_place(each.request_id))

    def request(self, request_id: str) -> tuple[Request, str]:
        """One request, open or settled, and how it stands."""
        request_id = canonical_json.admit_text(request_id)
        writer = self._house.writer(self._docket(request_id))
        waiting = writer.desk.requests.open.get(request_id)
        if waiting is not None and not waiting.erased:
            return self._spoken(waiting), waiting.status
        line = writer.shelves().get(shelves.REQUESTS, request_id)
        if line is None or not isinstance(line.event, RequestRaised):
            raise NotFoundError
        found = self._spoken(from_event(line.event))
        return found, _last_outcome(writer.lines(after=line.seq), request_id)

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

    def _spoken(self, request: Request) -> Request:
        """As a member sees it: an erasure is asked for by a reference, and is about a person.

        Once they are gone nobody can say any more who it was.
        """
        if request.action != "erase":
            return request
        return msgspec.structs.replace(request, subject=self._named(request.key))

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


class Admin(Ruling):
    """An administrator: every privileged read is written down before anything is returned."""

    def read_payload(
        self, agent: str, episodic_id: str, *, reason: str, persona: Persona = Persona.ACTOR
    ) -> FullEpisode:
        """The whole of an episode, raw form included where a consent kept it."""
        stream = agent_stream(self._principal.tenant, name(agent, "agent"), persona)
        self._announce(f"read_payload {stream.text} {episodic_id}", reason)
        line = self._house.shelves(stream).get(
            episodes.SHELF, canonical_json.admit_text(episodic_id)
        )
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        written = line.event
        self._report(f"read_payload {episodic_id}", reason, [written.episodic_id])
        return FullEpisode(
            entry=recall_results.released(episodes.entry(written)),
            raw=canonical_json.release(written.raw),
            consent_id=written.consent_id,
        )

    def facts(self, *, reason: str, at: int | None = None, valid_at: str = "") -> list[Fact]:
        """Every governed fact of the tenant; `at` is an entry of the council's log."""
        found = self._facts(at, valid_at)  # bad input ends here; nothing is told yet
        self._announce("facts", reason)
        self._report("facts", reason, [fact.key for fact in found])
        return [recall_results.released_fact(fact) for fact in found]

    def request_deletion(self, key: str, *, reason: str) -> str:
        """Ask the council to retire a governed fact; carried out with `delete`."""
        canonical = fact_keys.canonical(key)
        command = RaiseRequest(
            action="delete",
            key=canonical,
            justification=reason,
            subject=fact_keys.owner(canonical),
        )
        return raised(self._insist(self._council, command))

    def delete(self, request_id: str) -> int:
        """Carry out an approved deletion."""
        return self._insist(self._council, RetireFact(request_id=request_id)).lines[-1].seq

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

    def _voice(self, agent: str, user: str) -> AgentSession:
        return AgentSession(
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


def _last_outcome(lines: Iterable[Line], request_id: str) -> str:
    outcomes = [
        line.event.outcome
        for line in lines
        if isinstance(line.event, RequestSettled) and line.event.request_id == request_id
    ]
    return outcomes[-1] if outcomes else "pending"


def digest_of(value: object) -> str:
    return canonical_json.digest("muniment/v1/result", canonical_json.encode(value)).hex()
