"""Receipt decisions: contexts and their use, vectors, incidents, privileged reads."""

from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import contexts, vectors
from muniment.model.commands import RecordAccess, RecordIncident, RecordOutcome
from muniment.model.commands.reads import RecordContext, ReportOutcome, ReportUse
from muniment.model.commands.recalls import RecordVectors
from muniment.model.events import AnyEvent, OutcomeRecorded
from muniment.model.events.operations import AccessRecorded, IncidentRecorded
from muniment.model.events.reads import ContextAssembled, ContextUsed, TaskEnded
from muniment.model.events.recalls import VectorsReached, VectorsRecorded
from muniment.model.struct_copy import copied


def record_context(now: DecisionContext, command: RecordContext) -> list[AnyEvent]:
    return [copied(ContextAssembled, command)]


def report_use(now: DecisionContext, command: ReportUse) -> list[AnyEvent]:
    line = now.shelves.get(contexts.SHELF, command.receipt_id)
    if line is None:
        return now.deny("context_unknown", command.receipt_id)
    told = {*command.used, *command.unused}
    if not told:
        return now.deny("nothing_reported")
    if not told <= set(contexts.receipt(line).ids):
        return now.deny("not_in_context")
    if set(command.used) & set(command.unused):
        return now.deny("used_and_unused")
    return [
        copied(ContextUsed, command, used_count=len(command.used), unused_count=len(command.unused))
    ]


def report_outcome(now: DecisionContext, command: ReportOutcome) -> list[AnyEvent]:
    if now.job is None:
        return now.deny("needs_an_open_job")
    return [TaskEnded(outcome=command.outcome, task_id=command.task_id, detail=command.detail)]


def record_vectors(now: DecisionContext, command: RecordVectors) -> list[AnyEvent]:
    if not _is_whole(command):
        return now.deny("vectors_malformed", command.model)
    known = any(now.shelves.has(vectors.SHELF, name) for name in command.names)
    if known or _is_behind(now, command):
        return now.deny("vectors_known", command.model)
    told: list[AnyEvent] = []
    if command.names:
        told.append(copied(VectorsRecorded, command))
    if command.upto:
        told.append(VectorsReached(model=command.model, upto=command.upto))
    return told


def _is_behind(now: DecisionContext, command: RecordVectors) -> bool:
    """Whether somebody else has come as far already: how far it has come never goes back."""
    line = now.shelves.get(vectors.REACHED, command.model) if command.upto else None
    reached = line.event if line else None
    return isinstance(reached, VectorsReached) and command.upto <= reached.upto


def _is_whole(command: RecordVectors) -> bool:
    counts = command.counts
    return (
        len(counts) == len(command.names)
        and min(counts, default=0) >= 0
        and command.dims > 0
        and sum(counts) * command.dims == len(command.codes)
    )


ALERTS: Final = frozenset({"MEMORY_WRITE_FAIL", "STORAGE_FULL", "INTEGRITY_FAIL"})
FOR_ADMINISTRATORS: Final = frozenset({"STORAGE_FULL", "INTEGRITY_FAIL"})


def record_outcome(now: DecisionContext, command: RecordOutcome) -> list[AnyEvent]:
    return [OutcomeRecorded(operation=command.operation, code=command.code)]


def record_incident(now: DecisionContext, command: RecordIncident) -> list[AnyEvent]:
    return [
        copied(
            IncidentRecorded,
            command,
            queue="admin" if command.kind in FOR_ADMINISTRATORS else "ops",
            alert=command.kind in ALERTS,
        )
    ]


def record_access(now: DecisionContext, command: RecordAccess) -> list[AnyEvent]:
    if not command.reason.strip():
        return now.deny("access_needs_a_reason")
    return [copied(AccessRecorded, command)]
