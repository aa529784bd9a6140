"""Conversation arguments: spaces, phases, messages and tool calls as a caller spells them."""

from collections.abc import Mapping
from typing import Final, TypedDict

from muniment.model import canonical_json
from muniment.model.errors import InputError
from muniment.model.kinds.conversation_item import (
    Source,
    Space,
)
from muniment.model.kinds.recollection import Message
from muniment.model.lazy_pattern import lazy_pattern

PHASE: Final = lazy_pattern(r"phase-([1-9][0-9]{0,8})")


class RecordPlace(TypedDict):
    """Where a command of a conversation belongs."""

    session: str
    ai_profile: str
    places: dict[Space, str]
    owners: dict[Space, str]
    subject: str


def space_of(text: str) -> Space:
    if text not in set(Space):
        raise InputError(f"the space must be one of {', '.join(Space)}")
    return Space(text)


def phase_number(phase_id: object) -> int:
    found = PHASE.fullmatch(phase_id) if isinstance(phase_id, str) else None
    if found is None:
        raise InputError("a phase is named like phase-1")
    return int(found[1])


def messages(said: list[tuple[Source, str]]) -> tuple[Message, ...]:
    admitted = [(source, canonical_json.admit_text(text)) for source, text in said]
    return tuple(Message(source=source, text=text) for source, text in admitted if text.strip())


def tool(event: object) -> str:
    """What a tool did, in one text: its name and its result."""
    if isinstance(event, str):
        return event
    if not isinstance(event, Mapping) or not {"name", "result"} <= set(event):
        raise InputError("a tool event is a text, or has a name and a result")
    result = event["result"]
    told = (
        result if isinstance(result, str) else canonical_json.readable(canonical_json.admit(result))
    )
    return f"{event['name']}: {told}"
