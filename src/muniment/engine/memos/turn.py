"""A turn of an orchestrator: tool calls, goals, the token budget, and the export at its end."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from muniment.engine.memos import memo_input, turn_export, turn_trace
from muniment.engine.memos.memos import memorized
from muniment.engine.memos.turn_trace import TurnStep
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers import memo_reads
from muniment.layers.jobs import goals
from muniment.layers.memos.memos import PendingExports
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.commands import SetGoal
from muniment.model.commands.memos import AdvanceGoal, ObserveMandates, RecordExport, TrackTool
from muniment.model.errors import InputError
from muniment.model.events import Received
from muniment.model.events.memos import ExportRecorded, GoalAdvanced
from muniment.model.kinds.episode import Goal
from muniment.model.kinds.memo import Mandate, Template
from muniment.model.kinds.turn_export import BudgetStatus, Committed, StateExport

Said = TypeVar("Said", Mandate, Template)


@checks_arguments
class TurnActions:
    """A job as a turn: what it does between its beginning and its commit."""

    def __init__(self, session: AgentSession, *, job: int, opened_at: int) -> None:
        self._session = session
        self._job = job
        self._opened_at = opened_at

    def track_tool_invocation(
        self, tool_name: str, parameters: object = None, result: object = None, error: object = ""
    ) -> Memorized:
        """Keep a call and its outcome: a pair of the loop, which skills are learned from, and
        a memo in episodic memory, whose id is returned.
        """
        if not isinstance(error, str):
            raise InputError("an error is a text, or empty where the call went well")
        command = TrackTool(
            tool_name=tool_name,
            parameters=parameters,
            result=result,
            error=error,
            subject=self._session.subject,
        )
        return memorized(self._session.append(command, job=self._job))

    def advance_goal(
        self, goal_id: str, delta: object, *, expected_version: int, note: str = ""
    ) -> Goal:
        """Write progress (a part of the whole, perhaps negative) down; the goal as it is now.

        It is refused where the goal has changed since `expected_version` was read.
        """
        if isinstance(delta, bool) or not isinstance(delta, int | float):
            raise InputError("delta must be a number from -1 to 1")
        size = memo_input.fraction(abs(delta), "delta") or 0
        command = AdvanceGoal(
            goal_id=goal_id,
            delta_ppm=size if delta >= 0 else -size,
            expected_version=memo_input.whole(expected_version, "expected_version"),
            note=note,
            subject=self._session.subject,
        )
        told = self._session.append_or_raise(command, job=self._job)
        gone = next(e.event for e in told.lines if isinstance(e.event, GoalAdvanced))
        known = self._session.writer.desk.goals.values()
        return next(
            goal
            for goal in known
            if (goal.goal_id, goal.subject) == (gone.goal_id, self._session.subject)
        )

    def get_budget_status(self) -> BudgetStatus:
        """Tokens of contexts used and left, entries, time; and what the turn has kept."""
        desk = self._session.writer.desk
        job, limits = desk.jobs.open.get(self._job), desk.policy.gating
        budget = (job.budget_tokens if job else 0) or desk.policy.recall.budget_tokens
        waiting = sum(e.tokens for its, e in self._session.waiting_contexts if its == self._job)
        used = (job.packed_tokens if job else 0) + waiting
        held = memo_reads.working(desk.memos, self._session.subject, self._task())
        return BudgetStatus(
            budget_tokens=budget,
            tokens_used=used,
            tokens_remaining=max(budget - used, 0),
            events=job.events if job else 0,
            time_used_ms=self._time_used_ms(),
            time_budget_ms=limits.turn_milliseconds_max,
            kept_tokens=job.kept_tokens if job else 0,
            kept_tokens_max=limits.turn_tokens_max,
            working_tokens=sum(memo.tokens_estimate for memo in held),
            working_tokens_max=limits.working_tokens_max,
        )

    def observe_mandates(
        self,
        mandates: Iterable[Mandate | dict[str, object]] = (),
        templates: Iterable[Template | dict[str, object]] = (),
    ) -> None:
        """What consciousness insists on from here on; it is logged as what was heard."""
        command = ObserveMandates(
            mandates=[msgspec.to_builtins(_said(each, Mandate)) for each in mandates],
            templates=[msgspec.to_builtins(_said(each, Template)) for each in templates],
            subject="",
        )
        self._session.append_or_raise(command, job=self._job)

    def hear_neighbours(self) -> None:
        """What consciousness and the frontal cortex say as the turn begins, if it is news."""
        session, around = self._session, self._session.hub.parts.neighbours
        if around.consciousness is not None:
            mandates = tuple(around.consciousness.mandates(session.agent))
            templates = tuple(around.consciousness.templates(session.agent))
            known = session.writer.desk.memos
            if (mandates, templates) != (known.mandates, known.templates):
                self.observe_mandates(mandates, templates)
        if around.frontal_cortex is not None:
            for goal in around.frontal_cortex.goals(session.agent, session.user):
                self._hear_goal(goal)

    def _hear_goal(self, goal: Goal) -> None:
        known = self._session.writer.desk.goals.get(goals.key(self._session.subject, goal.goal_id))
        heard = (goal.text, goal.priority, goal.status, goal.major)
        if known and (known.text, known.priority, known.status, known.major) == heard:
            return
        command = SetGoal(
            goal_id=goal.goal_id,
            text=goal.text,
            priority=goal.priority,
            status=goal.status,  # type: ignore[arg-type]  # the door says which there are
            major=goal.major,
            subject=self._session.subject,
        )
        self._session.append_or_raise(command, job=self._job)

    def trace(self) -> list[TurnStep]:
        """Every memory operation of this turn so far, reads included, in their order."""
        self._session.flush()
        return turn_trace.steps(
            self._entries(max(self._opened_at, 1), self._session.writer.head.seq)
        )

    # ── The end of a turn ───────────────────────────────────────────────────────────────────────

    def committed(self, seq: int, *, again: bool) -> Committed:
        """Read what the turn changed, and hand that on once; nothing here undoes its end."""
        lines = self._entries(max(self._opened_at, 1), seq)
        told = turn_export.export(lines, turn_id=str(self._job), agent_id=self._session.agent)
        delivered, failed = self._handed_on(told, seq) if again else self._hand_on(told, seq)
        return Committed(
            seq=seq,
            writes=turn_export.writes(lines),
            export=told,
            delivered=delivered,
            failed=failed,
        )

    def _hand_on(self, told: StateExport, seq: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        exporter = self._session.hub.parts.neighbours.exporter
        if exporter is None:
            return (), ()
        attempts = self._session.writer.desk.policy.gating.export_attempts
        for owed in self._session.writer.desk.memos.owed.values():
            if owed.subject == self._session.subject:
                self._try_again(owed, attempts)
        outcome = turn_export.deliver(exporter, told, turn_export.TARGETS, attempts=attempts)
        self._note_export(self._job, (self._opened_at, seq), told.export_id, outcome, attempts)
        return outcome

    def _handed_on(self, told: StateExport, seq: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """How the export of a turn that had ended before went, as the log says."""
        for line in self._session.writer.lines(after=seq):
            event = line.event
            if isinstance(event, ExportRecorded) and event.export_id == told.export_id:
                return event.delivered, event.failed
        return (), ()

    def _try_again(self, owed: PendingExports, attempts: int) -> None:
        exporter = self._session.hub.parts.neighbours.exporter
        assert exporter is not None
        lines = self._entries(owed.first_seq, owed.last_seq, job=owed.turn)
        told = turn_export.export(lines, turn_id=str(owed.turn), agent_id=self._session.agent)
        outcome = turn_export.deliver(exporter, told, owed.targets, attempts=attempts)
        place = (owed.first_seq, owed.last_seq)
        self._note_export(owed.turn, place, told.export_id, outcome, attempts)

    def _note_export(
        self,
        turn: int,
        place: tuple[int, int],
        export_id: str,
        outcome: tuple[tuple[str, ...], tuple[str, ...]],
        attempts: int,
    ) -> None:
        command = RecordExport(
            export_id=export_id,
            turn=turn,
            first_seq=place[0],
            last_seq=place[1],
            delivered=outcome[0],
            failed=outcome[1],
            attempts=attempts,
            subject=self._session.subject,
        )
        self._session.append(command)

    def _entries(self, first: int, last: int, job: int = 0) -> list[Line]:
        number = job or self._job
        lines = self._session.writer.lines(after=first - 1, upto=last)
        return [line for line in lines if line.header.job == number]

    def _task(self) -> str:
        job = self._session.writer.desk.jobs.open.get(self._job)
        return (job.session or job.seed) if job else ""

    def _time_used_ms(self) -> int:
        """By the clock of the caller; 0 where there is none."""
        now = self._session.hub.parts.clock.now()
        line = self._session.shelves(None).line(self._opened_at)
        opened = line.event.at if line and isinstance(line.event, Received) else ""
        return ids.time_ms(now) - ids.time_ms(opened) if now and opened else 0


def _said(given: object, kind: type[Said]) -> Said:
    if isinstance(given, kind):
        return given
    try:
        return msgspec.convert(given, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise InputError(f"{kind.__name__.lower()}: {error}") from None
