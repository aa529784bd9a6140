"""Turn decisions: tool calls, progress of goals, mandates and exports."""

import msgspec

from muniment.engine.decide import loops
from muniment.engine.decide.decision_context import DecisionContext, entry_id
from muniment.engine.decide.memos import keep as memo_decisions
from muniment.layers.jobs import goals
from muniment.layers.loop_events import OpenLoop
from muniment.model import canonical_json
from muniment.model.commands.memos import (
    AdvanceGoal,
    Memorize,
    ObserveMandates,
    RecordExport,
    TrackTool,
)
from muniment.model.events import AnyEvent
from muniment.model.events.memos import ExportRecorded, GoalAdvanced, MandatesObserved
from muniment.model.kinds.episode import Value
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import Mandate, MemoPlace, MemoSource, MemoType, Template
from muniment.model.struct_copy import copied
from muniment.model.text.tokens import shorten
from muniment.rules import loop_order

TEXT_CHARACTERS_MAX = 16_000  # of the memo; the pair of the loop holds the whole
WHOLE_PPM = 1_000_000
TOOL_IMPORTANCE_PPM = 500_000  # a trace is kept because it happened, not because it is liked
ERROR_IMPORTANCE_PPM = 700_000


def track(now: DecisionContext, command: TrackTool) -> list[AnyEvent]:
    """A call and its outcome: a pair of the loop, from which skills are learned, and a memo."""
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    if not now.desk.policy.gating.enable_tool_tracking:
        return now.deny("tool_tracking_disabled")
    if not command.tool_name.strip():
        return now.deny("tool_name_empty")
    loop = now.desk.loops.get(job.number, OpenLoop())
    refused = loop_order.refusal(EventKind.TOOL_CALL, now.stream.id.persona, loop)
    if refused:
        return now.deny(refused)
    told = {"tool_name": command.tool_name, "tool_args": command.parameters}
    called = loops.observed(now, loop.events + 1, EventKind.TOOL_CALL, _called(command), told)
    call_id = entry_id(now.stream, now.stamp, now.first)
    kind = EventKind.ERROR if command.error else EventKind.TOOL_RESULT
    content = command.error or command.result
    answered = loops.observed(now, loop.events + 2, kind, content, {"tool_call_id": call_id})
    said = content if answered.own_words is None else answered.own_words
    return [called, answered, *memo_decisions.keep(now, _memo(command, said))]


def _called(command: TrackTool) -> str:
    if command.parameters is None:
        return command.tool_name
    return f"{command.tool_name} {canonical_json.readable(command.parameters)}"


def _memo(command: TrackTool, said: Value) -> Memorize:
    outcome = f"failed: {said}" if command.error else f"gave {canonical_json.text_of(said)}"
    return Memorize(
        kind=MemoType.TOOL_RESULT,
        text=shorten(f"{_called(command)} {outcome}", TEXT_CHARACTERS_MAX),
        source=MemoSource.TOOL,
        store=MemoPlace.EM,
        importance_ppm=ERROR_IMPORTANCE_PPM if command.error else TOOL_IMPORTANCE_PPM,
        metadata={"tool_name": command.tool_name, "failed": bool(command.error)},
        subject=command.subject,
    )


def advance_goal(now: DecisionContext, command: AdvanceGoal) -> list[AnyEvent]:
    """Progress is written only by whoever has seen the goal as it is."""
    goal = now.desk.goals.get(goals.key(command.subject, command.goal_id))
    if goal is None:
        return now.deny("goal_unknown", command.goal_id)
    if goal.version != command.expected_version:
        return now.deny("goal_version_moved", str(goal.version))
    progress = min(max(goal.progress_ppm + command.delta_ppm, 0), WHOLE_PPM)
    return [copied(GoalAdvanced, command, progress_ppm=progress, version=goal.version + 1)]


def observe_mandates(now: DecisionContext, command: ObserveMandates) -> list[AnyEvent]:
    """What consciousness says is an input like any other: kept, and used from here on."""
    try:
        mandates = msgspec.convert(command.mandates or [], tuple[Mandate, ...])
        templates = msgspec.convert(command.templates or [], tuple[Template, ...])
    except msgspec.ValidationError as error:
        return now.deny("mandate_malformed", str(error))
    return [MandatesObserved(mandates=mandates, templates=templates)]


def record_export(now: DecisionContext, command: RecordExport) -> list[AnyEvent]:
    return [copied(ExportRecorded, command)]
