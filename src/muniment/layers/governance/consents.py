"""Consents: who has allowed raw personal data to be stored, and for how long."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import ConsentGiven, ConsentRevoked, JobClosed, Shredded


class GivenConsent(msgspec.Struct, frozen=True, kw_only=True):
    consent_id: str
    subject: str
    job: int
    persistent: bool


class Consents(msgspec.Struct, frozen=True, kw_only=True):
    given: dict[str, GivenConsent] = {}
    count: int = 0


def fold(state: Consents, lines: list[Line]) -> Consents:
    given, count = dict(state.given), state.count
    for line in lines:
        match line.event:
            case ConsentGiven() as told:
                count = told.n
                given[told.consent_id] = GivenConsent(
                    consent_id=told.consent_id,
                    subject=told.subject,
                    job=line.header.job,
                    persistent=told.persistent,
                )
            case Shredded(wire="PII_CONSENT", public={"n": int(n)}):
                count = n
            case ConsentRevoked(consent_id=consent_id):
                given.pop(consent_id, None)
            case JobClosed(number=number):
                for consent in [each for each in given.values() if each.job == number]:
                    if not consent.persistent:
                        given.pop(consent.consent_id)
            case _:
                pass
    return Consents(given=given, count=count)


def of(state: Consents, subject: str, job: int) -> GivenConsent | None:
    """The consent that covers a subject in a job, if any."""
    return next(
        (
            consent
            for consent in state.given.values()
            if consent.subject == subject and (consent.persistent or consent.job == job)
        ),
        None,
    )
