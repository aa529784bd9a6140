"""Loop records: literal events, the mirror of each, and one summary."""

from enum import StrEnum
from typing import Final

import msgspec

from muniment.model import canonical_json
from muniment.model.kinds.episode import Value
from muniment.model.scope import Persona


class EventKind(StrEnum):
    USER_INPUT = "user_input"
    ACTOR_OUTPUT = "actor_output"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUBCONSCIOUS_PROMPT = "subconscious_prompt"
    SUBCONSCIOUS_OUTPUT = "subconscious_output"
    SYSTEM_EVENT = "system_event"
    ERROR = "error"


class Visibility(StrEnum):
    EXTERNAL = "external"
    INTERNAL = "internal"


# What the maintenance persona alone says and hears.
OF_THE_SUBCONSCIOUS: Final = frozenset(
    {EventKind.SUBCONSCIOUS_PROMPT, EventKind.SUBCONSCIOUS_OUTPUT}
)
# What people outside of the agent see, unless the caller says otherwise.
OUTSIDE: Final = frozenset({EventKind.USER_INPUT, EventKind.ACTOR_OUTPUT})

PENDING_DERIVATION: Final = "pending_derivation"
PENDING_EMBEDDING: Final = "pending_embedding"
EMBEDDED: Final = "embedded"


class IdeticEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event exactly as it was stored, after screening."""

    id: str
    ts: str
    agent_id: str
    persona: Persona
    loop_id: str
    kind: EventKind
    visibility: Visibility
    content: Value
    metadata: Value
    own_words: str | None = None  # what is left of it where memory itself gave out the rest

    @property
    def words(self) -> str:
        """What it says, without what memory gave out."""
        return canonical_json.text_of(self.content) if self.own_words is None else self.own_words


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A kind and a visibility that occur in a loop."""

    kind: EventKind
    visibility: Visibility


class MirrorEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The compact form of exactly one idetic event."""

    id: str
    idetic_id: str
    ts: str
    agent_id: str
    persona: Persona
    loop_id: str
    kind: EventKind
    visibility: Visibility
    summary: str
    importance: int


class LoopSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The one summary of a loop, pointing to the mirror of everything that happened in it."""

    id: str
    loop_id: str
    agent_id: str
    persona: Persona
    ts_start: str
    ts_end: str
    summary: str
    mirror_ids: tuple[str, ...]
    marks: tuple[Mark, ...]
    complete: bool  # it had its input and its answer, and every tool call its result


MIRROR_PREFIX = "ltm:"
SUMMARY_PREFIX = "stm:"
LOOP_PREFIX = "loop:"


def mirror_id(idetic_id: str) -> str:
    """One event, one mirror entry: the name follows from the event's own."""
    return f"{MIRROR_PREFIX}{idetic_id}"


def idetic_id(mirrored: str) -> str:
    """The event that a mirror entry is one of."""
    return mirrored.removeprefix(MIRROR_PREFIX)


def summary_id(loop_id: str) -> str:
    """One loop, one summary."""
    return f"{SUMMARY_PREFIX}{loop_id.removeprefix(LOOP_PREFIX)}"


def collection_name(agent_id: str, persona: Persona) -> str:
    return f"{agent_id}__{persona}__ltm"
