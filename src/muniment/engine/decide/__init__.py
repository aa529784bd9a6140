"""Every decision this system can take: a table of contents."""

from collections.abc import Callable
from typing import Final

from muniment.engine.decide import (
    adoption,
    consent,
    council,
    episodes,
    erasure,
    jobs,
    operations,
    working,
)
from muniment.engine.decide.situation import Situation
from muniment.model.commands import Command
from muniment.model.events import AnyEvent, PiiRedacted, WriteDenied
from muniment.model.policy import Action
from muniment.rules import access

Decision = Callable[[Situation], list[AnyEvent]]

DECISIONS: Final[dict[str, Decision]] = {
    "adopt_policy": adoption.adopt,
    "give_consent": consent.give,
    "revoke_consent": consent.revoke,
    "open_job": jobs.open_job,
    "close_job": jobs.close_job,
    "tick": jobs.tick,
    "set_goal": jobs.set_goal,
    "wm_insert": working.insert,
    "reference": working.reference,
    "promote": working.promote,
    "episodic_write": episodes.write,
    "remember": episodes.remember,
    "confirm": episodes.confirm,
    "memory_promote_request": episodes.request_promotion,
    "forget": episodes.forget,
    "record_recall": episodes.record_recall,
    "record_outcome": operations.record_outcome,
    "raise_request": council.raise_request,
    "cast_vote": council.cast_vote,
    "sem_put": council.put_fact,
    "sem_delete": council.retire_fact,
    "begin_erasure": erasure.begin,
    "complete_erasure": erasure.complete,
    "record_incident": operations.record_incident,
    "record_access": operations.record_access,
}


def decide(now: Situation) -> list[AnyEvent]:
    """What follows from what was received: pure, and total over the closed union."""
    received = now.received
    refused = access.refusal(received.asked, received.role) or received.refused
    redacted = _redacted(now)
    if refused:
        return [*redacted, WriteDenied(reason=refused, asked=received.asked)]
    return [*redacted, *DECISIONS[received.asked](now)]


def wire_name(command: Command) -> str:
    tag = command.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def _redacted(now: Situation) -> list[AnyEvent]:
    taken = tuple(each for each in now.received.redactions if each.action == Action.REDACT)
    if not taken:
        return []
    kinds = ",".join(sorted({each.kind for each in taken}))
    return [PiiRedacted(count=len(taken), redaction_reason=f"pii:{kinds}", redactions=taken)]
