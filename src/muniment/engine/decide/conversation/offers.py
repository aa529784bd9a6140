"""Message classification: event type, importance, authority and key, before the gate."""

from muniment.engine.decide import records
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.kinds.conversation_item import EventType, Kind, Source
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.recollection import Message, Offer
from muniment.model.scope import Role
from muniment.rules.conversation import classify, gate, importance


def of_message(sheet: Sheet, message: Message, kind: Kind, found: EventType) -> Offer:
    weight, reasons = importance.weigh(found, message.source, message.text)
    tried = gate.WriteAttempt(kind=kind, event_type=found, text=message.text)
    key = "" if kind is Kind.SHORT_TERM else classify.dedup_key(found, message.text)
    return Offer(
        kind=kind,
        text=message.text,
        source=message.source,
        importance=weight,
        event_type=found,
        importance_reason=reasons,
        dedup_key=key,
        authority=classify.AUTHORITY[message.source],
        authority_reason=f"source:{message.source}",
        policy_tags=gate.tags(tried, sheet.policy),
        intent=message.source is Source.USER and sheet.now.received.role == Role.USER,
        handles=_handles(sheet),
    )


def _handles(sheet: Sheet) -> Handles:
    """As the caller gave them; other words for an item keep those that it had."""
    command = sheet.now.received.command
    if not isinstance(command, RecordInteraction):
        return NONE
    old = sheet.get(command.replaces) if command.replaces else None
    return old.meta.handles if old else records.given_handles(sheet.now, command)
