"""Requests of a conversation: recall before each AI call, record after it, and its items."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import (
    At,
    Day,
    Expires,
    HappenedAt,
    ItemId,
    Json,
    Metadata,
    Name,
    Query,
    Seq,
    SourceName,
    Statement,
    Tags,
    Where,
    one_of,
)
from muniment.adapters.requests.verb_request import (
    Answer,
    VerbRequest,
    ask,
    get,
    post,
)
from muniment.engine.conversation.conversation_results import ItemLife, Recorded, Retired
from muniment.model.events.conversation import PhaseDiffed
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Phase, Space
from muniment.model.kinds.recollection import Crossing

TOOLS_MAX: Final = 64
PhaseId = Annotated[str, Meta(pattern=r"^phase-[1-9][0-9]{0,8}$")]
SpaceName = Annotated[str, one_of(*Space)]
KindName = Annotated[str, one_of(*Kind)]


class ConversationOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    """Which conversation: a session of the key's own user, and a project it may enter."""

    session: Name = ""
    project: Name = ""
    ai_profile: Name = ""


class Recollected(msgspec.Struct, frozen=True, kw_only=True):
    """The text for the prompt of an AI call, the items in it, and what it was read from."""

    text: str
    items: tuple[MemoryItem, ...]
    deterministic_hash: str
    spaces_consulted: tuple[Space, ...]
    current_phase: Phase
    borders: tuple[Crossing, ...]
    hidden: int
    policy: str


class ConversationRecallRequest(ConversationOptions[Recollected], frozen=True):
    """Recall for an AI call; the receipt is logged with the next append."""

    endpoint = ask("/v1/conversation/recall", "converse")

    query: Query
    spaces: Annotated[Sequence[SpaceName], Meta(max_length=4)] = ()
    where: Where = None
    at: At = None
    valid_at: Day = ""


class RecordRequest(ConversationOptions[Recorded], frozen=True, kw_only=True):
    """Record what was said and done: screened, classified and settled, in one append."""

    endpoint = post("/v1/conversation/record", "converse")

    user: Statement = ""
    ai: Statement = ""
    tools: Annotated[
        Sequence[Statement | Json],
        Meta(max_length=TOOLS_MAX, description="Texts, or objects with a `name` and a `result`."),
    ] = ()
    space: SpaceName = Space.SESSION.value
    promote_to: Annotated[str, one_of("", *Space)] = ""
    source: SourceName = ""
    tags: Tags = ()
    metadata: Metadata = None
    happened_at: HappenedAt = ""
    expires: Expires = ""


class ConversationCorrectRequest(ConversationOptions[Recorded], frozen=True):
    """Correct one item: a declared conflict, settled like any other."""

    endpoint = post("/v1/conversation/correct", "converse")

    item_id: ItemId
    text: Statement


class ConversationForgetRequest(ConversationOptions[Recorded], frozen=True):
    """Retract one item; reads of an earlier entry still find it."""

    endpoint = post("/v1/conversation/forget", "converse")

    item_id: ItemId


class ConversationPromoteRequest(ConversationOptions[Recorded], frozen=True):
    """Move an item to another space, where the rules of promotion allow it."""

    endpoint = post("/v1/conversation/promote", "converse")

    item_id: ItemId
    to_space: SpaceName


class ItemsRequest(ConversationOptions[list[MemoryItem]], frozen=True):
    """List active items of a kind, oldest first, now or as of an earlier entry."""

    endpoint = get("/v1/conversation/items", "items")

    kind: KindName = Kind.SEMANTIC.value
    space: SpaceName = Space.SESSION.value
    at: At = None
    valid_at: Day = ""


class BlameRequest(ConversationOptions[list[ItemLife]], frozen=True):
    """List everything that was ever stored under an item's key, and what became of it."""

    endpoint = get("/v1/conversation/blame", "items")

    item_id: ItemId


class RetiredByRequest(ConversationOptions[list[Retired]], frozen=True):
    """List everything that the write at an entry replaced."""

    endpoint = get("/v1/conversation/retired", "items")

    seq: Seq


class UndoRequest(ConversationOptions[Recorded], frozen=True):
    """Restore what the write at an entry replaced, through a new entry."""

    endpoint = post("/v1/conversation/undo", "converse")

    seq: Seq


class StartPhaseRequest(ConversationOptions[Phase], frozen=True):
    """Start a new phase of a space; recall shows the current one."""

    endpoint = post("/v1/conversation/phases", "phases")

    name: Name = ""
    reason: Name = "manual"
    space: SpaceName = Space.SESSION.value


class DiffPhasesRequest(ConversationOptions[PhaseDiffed], frozen=True):
    """Show what was added, deleted and replaced between the ends of two phases."""

    endpoint = post("/v1/conversation/phases/diff", "phases")

    from_phase: PhaseId
    to_phase: PhaseId
    space: SpaceName = Space.SESSION.value


class TracesRequest(ConversationOptions[list[dict[str, object]]], frozen=True, kw_only=True):
    """Show what memory did in each AI call of this session, rendered from the log."""

    endpoint = get("/v1/conversation/traces", "items")

    after: Seq = 0
