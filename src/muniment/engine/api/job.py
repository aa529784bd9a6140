"""Jobs and loops: a unit of work with its own ticks and working memory; every step is kept."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self, TypeVar, Unpack

import msgspec

from muniment.engine.api.delegate import delegated
from muniment.engine.api.operations import MemoryOperations
from muniment.engine.decide.decision_context import ECHO
from muniment.engine.maintenance.compaction import Upkeep
from muniment.engine.memos.turn import TurnActions
from muniment.engine.search import recall_results
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.handle_arguments import HandleOptions, admitted
from muniment.layers.desk import session_of
from muniment.layers.jobs import consolidated_memory, goals, jobs
from muniment.model import canonical_json, ids
from muniment.model.commands import (
    AnyCommand,
    CloseJob,
    GiveConsent,
    GoalStatus,
    InsertWorking,
    Promote,
    Reference,
    Remember,
    SetGoal,
    Tick,
    WriteEpisode,
)
from muniment.model.commands.loops import ObserveEvent
from muniment.model.errors import InputError, JobClosedError
from muniment.model.events import (
    ConsentGiven,
    EpisodeWritten,
    JobOpened,
    Promoted,
    Ticked,
    WorkingInserted,
)
from muniment.model.events.loops import EventObserved
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    EpisodicSource,
    Evidence,
    Goal,
    Origin,
    WorkingEntry,
    WorkingType,
)
from muniment.model.kinds.loop import OUTSIDE, EventKind, Visibility
from muniment.model.kinds.turn_export import Committed
from muniment.retrieval.filters import exact_match

Kind = TypeVar("Kind")
Held = TypeVar("Held", WorkingEntry, ConsolidatedItem)


class Job(MemoryOperations):
    """An open job. Every call is an entry in the log; leaving the `with` block ends it."""

    def __init__(self, agent_session: AgentSession, opened: JobOpened) -> None:
        super().__init__(agent_session, job=opened.number, talk=opened.session)
        self.seed = opened.job_seed
        self.session = opened.session
        self.trace_id = opened.trace_id
        self.sem_snapshot_id = opened.sem_snapshot_id
        self.episodic_snapshot_id = opened.episodic_snapshot_id
        self.brainstate_snapshot_id = opened.brainstate_snapshot_id
        self._opened_at = agent_session.opened_at(opened.number)
        self._turn = TurnActions(agent_session, job=opened.number, opened_at=self._opened_at)

    track_tool_invocation = delegated("_turn", lambda: TurnActions.track_tool_invocation)
    advance_goal = delegated("_turn", lambda: TurnActions.advance_goal)
    get_budget_status = delegated("_turn", lambda: TurnActions.get_budget_status)
    observe_mandates = delegated("_turn", lambda: TurnActions.observe_mandates)
    hear_neighbours = delegated("_turn", lambda: TurnActions.hear_neighbours)
    trace = delegated("_turn", lambda: TurnActions.trace)

    # ── Working and consolidated memory ─────────────────────────────────────────────────────────

    def wm_insert(self, entry: Mapping[str, object]) -> str:
        """Put an entry (`type`, `value`, optionally `ttl_ticks`) on top; returns its `wm_id`."""
        _check_entry(entry)
        kind, ttl = entry.get("type", "context"), entry.get("ttl_ticks")
        if kind not in list(WorkingType):
            raise InputError(f"the type must be one of {', '.join(WorkingType)}")
        if ttl is not None and (isinstance(ttl, bool) or not isinstance(ttl, int)):
            raise InputError("ttl_ticks must be a whole number")
        command = InsertWorking(
            kind=WorkingType(str(kind)),
            value=entry["value"],
            ttl_ticks=ttl,
            subject=self._session.subject,
        )
        return self._one(command, WorkingInserted).wm_id

    def wm_find(self, predicate: Mapping[str, object] | None = None) -> list[WorkingEntry]:
        """Entries whose keys and values are exactly these, newest first."""
        wanted = exact_match.check({} if predicate is None else predicate)
        entries = self._session.writer.desk.working.get(self.number, ())
        found = [_released(entry) for entry in entries]
        return [entry for entry in found if exact_match.matches(msgspec.to_builtins(entry), wanted)]

    def cwm_find(self, predicate: Mapping[str, object] | None = None) -> list[ConsolidatedItem]:
        """Consolidated items whose keys and values are exactly these."""
        wanted = exact_match.check({} if predicate is None else predicate)
        items = self.cwm().items
        return [item for item in items if exact_match.matches(msgspec.to_builtins(item), wanted)]

    def cwm(self) -> ConsolidatedMemory:
        """The consolidated memory this job works in."""
        cwm_id = session_of(self._state())
        sessions = self._session.writer.desk.consolidated.sessions
        return recall_results.released_memory(
            sessions.get(cwm_id) or consolidated_memory.empty(cwm_id)
        )

    def cwm_get(
        self, snapshot_id: str = "", *, session: str = "", at: int | None = None, valid_at: str = ""
    ) -> ConsolidatedMemory:
        """As every reader has it; a job that names no session means its own."""
        its = session or self.session or self.seed
        return self._reader.cwm_get(snapshot_id, session=its, at=at, valid_at=valid_at)

    def reference(self, item_id: str) -> None:
        """Say that an item was used."""
        self._append_or_raise(Reference(item_id=item_id, subject=self._session.subject))

    def promote(self, wm_id: str) -> str:
        """Ask for a promotion that is due; a second one for the same `wm_id` is refused."""
        return self._one(
            Promote(item_id=wm_id, subject=self._session.subject), Promoted
        ).cwm_id_item

    def tick(self) -> int:
        """Let one step of work pass: promote, age, expire. Returns the tick."""
        return self._one(Tick(subject=self._session.subject), Ticked).tick

    # ── Goals, episodes, requests ───────────────────────────────────────────────────────────────

    def set_goal(
        self, goal_id: str, text: str, *, major: bool = False, status: GoalStatus = "active"
    ) -> None:
        command = SetGoal(
            goal_id=goal_id, text=text, major=major, status=status, subject=self._session.subject
        )
        self._append_or_raise(command)

    def goals(self) -> list[Goal]:
        return goals.of(self._session.writer.desk.goals, self._session.subject)

    def observe(
        self,
        text: str,
        *,
        origin: str = Origin.USER,
        session: str = "",
        **handles: Unpack[HandleOptions],
    ) -> str:
        """Keep a turn of this job, found by the same handles as `remember`'s.

        Returns the `episodic_id`, or nothing for an echo of memory.
        """
        command = Remember(
            text=text,
            origin=admission.origin(origin),
            session=session,
            subject=self._session.subject,
            **admitted(handles),
        )
        told = self._session.append(command, job=self.number)
        if told.refusal and told.refusal.reason == ECHO:
            return ""
        return _first(told.or_raise(), EpisodeWritten).episodic_id

    def episodic_write(
        self,
        summary: str,
        payload: object = None,
        evidence: Sequence[Evidence] = (),
        *,
        source: str = "agent",
        keep_raw: bool = False,
    ) -> str:
        """Write an experience down; returns its `episodic_id`."""
        if source not in list(EpisodicSource):
            raise InputError(f"the source must be one of {', '.join(EpisodicSource)}")
        command = WriteEpisode(
            summary=summary,
            payload=payload,
            evidence=tuple(evidence),
            source=EpisodicSource(source),
            keep_raw=keep_raw,
            subject=self._session.subject,
        )
        return self._one(command, EpisodeWritten).episodic_id

    def consent(self, text: str, *, persistent: bool = False) -> str:
        """The user allows raw personal data for this job, or until revoked."""
        command = GiveConsent(text=text, persistent=persistent, subject=self._session.subject)
        told = self._session.append_or_raise(command, as_user=True, job=self.number)
        return _first(told, ConsentGiven).consent_id

    def observe_event(
        self, kind: str, content: object, metadata: object = None, *, visibility: str = ""
    ) -> str:
        """Keep one event of this loop, literally; returns its id. Its mirror follows by itself."""
        if kind not in list(EventKind):
            raise InputError(f"the kind must be one of {', '.join(EventKind)}")
        seen = visibility or (Visibility.EXTERNAL if kind in OUTSIDE else Visibility.INTERNAL)
        if seen not in list(Visibility):
            raise InputError(f"the visibility must be one of {', '.join(Visibility)}")
        command = ObserveEvent(
            kind=EventKind(kind),
            visibility=Visibility(seen),
            content=content,
            metadata=metadata,
            subject=self._session.subject,
        )
        told = self._append_or_raise(command)
        return next(e.header.id for e in told.lines if isinstance(e.event, EventObserved))

    @property
    def loop_id(self) -> str:
        """The name of the loop that this job is; it has one from the start."""
        return ids.loop_id(self._session.writer.stream.ref, self.seed, self._opened_at)

    def commit(self, *, key: str = "") -> Committed:
        """End the job: what it consolidated and used becomes episodes, what it changed is exported.

        With a `key`, ending it again answers alike, and exports nothing twice. An export that
        fails is owed, and never holds a turn back.
        """
        was_open = self.is_open
        kept_tokens = self._state().kept_tokens if was_open else 0
        told_hash = self._session.snapshot().stamp
        command = CloseJob(sem_snapshot_hash=told_hash, subject=self._session.subject)
        told = self._session.append_or_raise(command, job=self.number, key=key)
        committed = self._turn.committed(told.lines[-1].seq, again=not was_open)
        if was_open:
            Upkeep(self._session).after_job(self.session or self.seed, kept_tokens)
        return committed

    @property
    def is_open(self) -> bool:
        return self.number in self._session.writer.desk.jobs.open

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.is_open:
            self.commit()

    def _append_or_raise(self, command: AnyCommand) -> AppendResult:
        return self._session.append_or_raise(command, job=self.number)

    def _one(self, command: AnyCommand, kind: type[Kind]) -> Kind:
        return _first(self._append_or_raise(command), kind)

    def _state(self) -> jobs.JobState:
        job = self._session.writer.desk.jobs.open.get(self.number)
        if job is None:
            raise JobClosedError
        return job


class Loop(Job):
    """What `do(task)` opens. Leaving its `with` block ends it; an exception is kept as an error."""

    def tool_call(self, name: str, arguments: object = None) -> str:
        """Keep a call; returns the id that its result answers to."""
        content = (
            name
            if arguments is None
            else f"{name} {canonical_json.readable(canonical_json.admit(arguments))}"
        )
        metadata = {"tool_name": name, "tool_args": arguments}
        return self.observe_event(EventKind.TOOL_CALL, content, metadata)

    def tool_result(self, call_id: str, result: object) -> str:
        metadata = {"tool_call_id": call_id}
        return self.observe_event(EventKind.TOOL_RESULT, result, metadata)

    def note(self, content: object, metadata: object = None) -> str:
        """Keep something that neither a person nor a tool said."""
        return self.observe_event(EventKind.SYSTEM_EVENT, content, metadata)

    def answer(self, content: object) -> str:
        """Keep the final output; after it only errors and notes may follow."""
        return self.observe_event(EventKind.ACTOR_OUTPUT, content)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception) and self.is_open:
            told = f"{type(error).__name__}: {error}"
            self.observe_event(EventKind.ERROR, told)
        super().__exit__(kind, error, trace)


def _first(told: AppendResult, kind: type[Kind]) -> Kind:
    return next(line.event for line in told.lines if isinstance(line.event, kind))


def _check_entry(entry: object) -> None:
    names = set(entry) if isinstance(entry, Mapping) else set()
    if "value" not in names or not names <= {"type", "value", "ttl_ticks"}:
        raise InputError("an entry has a type, a value and perhaps ttl_ticks")


def _released(entry: Held) -> Held:
    return msgspec.structs.replace(entry, value=canonical_json.release(entry.value))
