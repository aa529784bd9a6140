"""Consent: a person's word that raw data may be kept, and its revocation."""

from muniment.engine.decide.decision_context import DecisionContext
from muniment.model import canonical_json
from muniment.model.commands import GiveConsent, RevokeConsent
from muniment.model.events import AnyEvent, ConsentGiven, ConsentRevoked


def give(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, GiveConsent)
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


def revoke(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RevokeConsent)
    consent = now.desk.consents.given.get(command.consent_id)
    if consent is None or consent.subject != command.subject:
        return now.deny("consent_unknown")
    return [ConsentRevoked(consent_id=consent.consent_id, subject=consent.subject)]
