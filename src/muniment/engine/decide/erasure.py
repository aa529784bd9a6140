"""Erasure: what must be agreed before anything about a person is destroyed, and its receipt."""

from muniment.engine.decide import settling
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model.commands import BeginErasure, CompleteErasure
from muniment.model.events import AnyEvent, DeletionOrdered, ErasureCompleted
from muniment.rules.conversation import retention

BASES = frozenset({"subject_request", "retention"})


def begin(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, BeginErasure)
    request = now.desk.requests.open.get(command.request_id)
    if request is None or request.action != "erase" or request.status != "approved":
        return now.deny("erasure_not_approved", command.request_id)
    if command.basis not in BASES:
        return now.deny("basis_unknown", command.basis)
    rules = now.desk.policy.governance
    if command.basis == "retention" and retention.held(command.newest_at, now.received.at, rules):
        return now.deny("retention_immutable")
    return [
        DeletionOrdered(
            request_id=request.request_id,
            subject_ref=request.key,
            basis=command.basis,
            approved_by=request.tally[0],
        )
    ]


def complete(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, CompleteErasure)
    request = now.desk.requests.open.get(command.request_id)
    if request is None or request.action != "erase":
        return now.deny("erasure_not_approved", command.request_id)
    return [
        ErasureCompleted(
            request_id=command.request_id,
            fragments=command.fragments,
            scanned_files=command.scanned_files,
            scan_digest=command.scan_digest,
        ),
        settling.settled(request, "executed"),
    ]
