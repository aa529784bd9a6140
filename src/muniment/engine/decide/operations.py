"""What the environment did, written down where it cannot change what the agent does."""

from typing import Final

from muniment.engine.decide.decision_context import DecisionContext
from muniment.model.commands import RecordAccess, RecordIncident, RecordOutcome
from muniment.model.events import AnyEvent, OutcomeRecorded
from muniment.model.events.operations import AccessRecorded, IncidentRecorded

ALERTS: Final = frozenset({"MEMORY_WRITE_FAIL", "STORAGE_FULL", "INTEGRITY_FAIL"})
FOR_ADMINISTRATORS: Final = frozenset({"STORAGE_FULL", "INTEGRITY_FAIL"})


def record_outcome(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RecordOutcome)
    return [OutcomeRecorded(operation=command.operation, code=command.code)]


def record_incident(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RecordIncident)
    return [
        IncidentRecorded(
            kind=command.kind,
            stream=command.stream,
            operation=command.operation,
            attempt=command.attempt,
            detail=command.detail,
            queue="admin" if command.kind in FOR_ADMINISTRATORS else "ops",
            alert=command.kind in ALERTS,
        )
    ]


def record_access(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RecordAccess)
    if not command.reason.strip():
        return now.deny("access_needs_a_reason")
    return [
        AccessRecorded(
            what=command.what,
            reason=command.reason,
            found=command.found,
            result_digest=command.result_digest,
        )
    ]
