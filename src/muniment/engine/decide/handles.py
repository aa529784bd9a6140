"""Handles of what is kept: as a command gives them, with the moment that its expiry means."""

from muniment.engine.decide.decision_context import DecisionContext
from muniment.model import moments
from muniment.model.commands.command import Keeping
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.kinds.handles import NONE, Handles


def of(now: DecisionContext, command: Keeping | RecordInteraction) -> Handles:
    """What a command says beside its words, already screened."""
    found = Handles(
        source=command.source,
        tags=tags(command.tags),
        metadata=command.metadata,
        happened_at=command.happened_at,
        expires=moments.later(command.expires, told_at(now)) if command.expires else "",
    )
    return NONE if found == NONE else found  # what nobody gave is not spelled


def tags(told: object) -> tuple[str, ...]:
    return tuple(map(str, told)) if isinstance(told, list | tuple) else ()


def told_at(now: DecisionContext) -> str:
    """When it is told: as it was observed, or else by the seeded time."""
    return now.received.at or now.moment(1)
