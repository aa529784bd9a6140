"""The administrator of a tenant: privileged reads, deletions, impositions and incidents."""

import msgspec

from muniment.engine.api.delegate import delegated
from muniment.engine.api.policy_admin import Ruling
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.evidence.holds import Holds
from muniment.engine.evidence.retention import RetentionSweep
from muniment.engine.search import recall_results
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.role_session import raised
from muniment.layers import episodes
from muniment.model import canonical_json, fact_keys
from muniment.model.commands import RaiseRequest, RetireFact
from muniment.model.errors import NotFoundError
from muniment.model.events import EpisodeWritten
from muniment.model.events.operations import IncidentRecorded
from muniment.model.kinds.episode import EpisodicEntry, Fact
from muniment.model.scope import Persona, agent_stream, name


class FullEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode with what only administrators see."""

    entry: EpisodicEntry
    raw: object
    consent_id: str


class Admin(Ruling):
    """An administrator: every privileged read is written down before anything is returned."""

    def read_payload(
        self, agent: str, episodic_id: str, *, reason: str, persona: Persona = Persona.ACTOR
    ) -> FullEpisode:
        """The whole of an episode, raw form included where a consent kept it."""
        stream = agent_stream(self._principal.tenant, name(agent, "agent"), persona)
        self._note_access(f"read_payload {stream.text} {episodic_id}", reason)
        line = self._hub.shelves(stream).get(episodes.SHELF, canonical_json.admit_text(episodic_id))
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        written = line.event
        self._note_access(f"read_payload {episodic_id}", reason, [written.episodic_id])
        return FullEpisode(
            entry=recall_results.released(episodes.entry(written)),
            raw=canonical_json.release(written.raw),
            consent_id=written.consent_id,
        )

    def facts(self, *, reason: str, at: int | None = None, valid_at: str = "") -> list[Fact]:
        """Every governed fact of the tenant; `at` is an entry of the council's log."""
        found = self._facts(at, valid_at)  # bad input ends here; nothing is told yet
        self._note_access("facts", reason)
        self._note_access("facts", reason, [fact.key for fact in found])
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
        return raised(self._append_or_raise(self._council, command))

    def delete(self, request_id: str) -> int:
        """Carry out an approved deletion."""
        return self._append_or_raise(self._council, RetireFact(request_id=request_id)).lines[-1].seq

    def impose(self, agent: str, text: str, *, user: str = "", session: str = "") -> int:
        """Lay something down in an agent's session, on the system's authority; returns the seq."""
        agent_session = self._session(agent, user)
        command = Conversation(agent_session, session=session).imposition(text)
        return self._append_or_raise(agent_session.stream_id, command).seq

    def lift(self, agent: str, item_id: str, *, user: str = "", session: str = "") -> int:
        """Take back what an administrator laid down in a session; returns the seq."""
        agent_session = self._session(agent, user)
        command = Conversation(agent_session, session=session).lifting(item_id)
        return self._append_or_raise(agent_session.stream_id, command).seq

    # ── Legal holds ─────────────────────────────────────────────────────────────────────────────

    @property
    def _holding(self) -> Holds:
        made = Holds(self._hub, self._principal)
        made._calls = self._calls  # noqa: SLF001 - a call under a key is one call
        return made

    place_hold = delegated("_holding", lambda: Holds.place_hold)
    holds = delegated("_holding", lambda: Holds.holds)
    lift_hold = delegated("_holding", lambda: Holds.lift_hold)
    settle_holds = delegated("_holding", lambda: Holds.settle_holds)

    # ── Retention ───────────────────────────────────────────────────────────────────────────────

    @property
    def _keeping(self) -> RetentionSweep:
        return RetentionSweep(self._hub, self._principal)

    due = delegated("_keeping", lambda: RetentionSweep.due)
    carry_out_due = delegated("_keeping", lambda: RetentionSweep.carry_out_due)

    def _session(self, agent: str, user: str) -> AgentSession:
        return AgentSession(
            self._hub,
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
