"""Privacy decisions: consent and its withdrawal, erasure of a person, end of a period."""

from muniment.engine.decide import council
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.evidence import holds
from muniment.model import canonical_json
from muniment.model.commands import (
    BeginErasure,
    CompleteErasure,
    ExpireContent,
    GiveConsent,
    RevokeConsent,
)
from muniment.model.events import (
    AnyEvent,
    ConsentGiven,
    ConsentRevoked,
)
from muniment.model.events.erasure import ContentExpired, DeletionOrdered, ErasureCompleted
from muniment.model.struct_copy import copied
from muniment.rules import retention_periods
from muniment.rules.conversation import retention


def give(now: DecisionContext, command: GiveConsent) -> list[AnyEvent]:
    if not command.subject:
        return now.deny("consent_needs_a_person")
    if not command.persistent and now.job is None:
        return now.deny("consent_for_one_job_needs_a_job")
    n = now.desk.consents.count + 1
    parts = [command.subject, now.stamp.seed, command.text, n]
    told = canonical_json.digest("muniment/v1/consent", canonical_json.encode(parts)).hex()
    return [
        ConsentGiven(
            n=n,
            consent_id=f"consent:{told[:32]}",
            text=command.text,
            subject=command.subject,
            persistent=command.persistent,
        )
    ]


def revoke(now: DecisionContext, command: RevokeConsent) -> list[AnyEvent]:
    consent = now.desk.consents.given.get(command.consent_id)
    if consent is None or consent.subject != command.subject:
        return now.deny("consent_unknown")
    return [ConsentRevoked(consent_id=consent.consent_id, subject=consent.subject)]


BASES = frozenset({"subject_request", "retention"})


def begin(now: DecisionContext, command: BeginErasure) -> list[AnyEvent]:
    request = now.desk.requests.open.get(command.request_id)
    if request is None or request.action != "erase" or request.status != "approved":
        return now.deny("erasure_not_approved", command.request_id)
    if command.basis not in BASES:
        return now.deny("basis_unknown", command.basis)
    if command.holds:
        return holds.refusal(now, command.holds[0])
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


def complete(now: DecisionContext, command: CompleteErasure) -> list[AnyEvent]:
    request = now.desk.requests.open.get(command.request_id)
    if request is None or request.action != "erase":
        return now.deny("erasure_not_approved", command.request_id)
    return [
        copied(ErasureCompleted, command),
        council.settled(request, "executed"),
    ]


def expire(now: DecisionContext, command: ExpireContent) -> list[AnyEvent]:
    """Only what the policy in force keeps no longer, and nothing that is held."""
    if command.holds:
        return holds.refusal(now, command.holds[0])
    goes_on = retention_periods.goes_on(command.period, now.desk.policy)
    if not goes_on or now.received.at < goes_on:
        return now.deny("retention_immutable", command.period)
    return [ContentExpired(period=command.period, ref=command.ref, entries=command.entries)]
