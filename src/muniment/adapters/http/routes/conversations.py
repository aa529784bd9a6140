"""Routes of a conversation: recall before each AI call, record after it, and its items."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Id, Name, RouteRequest, Seq, Text, ask, get, post, tagged
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.conversation.conversation_results import ItemLife, Recorded, Retired
from muniment.model.errors import InputError, NotFoundError, PermissionDeniedError
from muniment.model.events.conversation import PhaseDiffed
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Phase, Space
from muniment.model.kinds.recollection import Crossing
from muniment.model.scope import Role

TOOLS_MAX: Final = 64
PhaseId = Annotated[str, msgspec.Meta(pattern=r"^phase-[1-9][0-9]{0,8}$")]


class Talking(RouteRequest, frozen=True, kw_only=True):
    """Which conversation: a session of the key's own user, and a project it may enter."""

    session: Name = ""
    project: Name = ""
    ai_profile: Name = ""


class ConverseRecall(Talking, frozen=True, kw_only=True):
    """What an AI call should know; its receipt is logged with the next append."""

    query: Text
    spaces: Annotated[list[Space], msgspec.Meta(max_length=4)] = msgspec.field(default_factory=list)
    at: Seq | None = None
    valid_at: Name = ""


class Recollected(msgspec.Struct, frozen=True, kw_only=True):
    """What an AI call is given: a text for its prompt, the items, and what it was read from."""

    text: str
    items: tuple[MemoryItem, ...]
    deterministic_hash: str
    spaces_consulted: tuple[Space, ...]
    current_phase: Phase
    borders: tuple[Crossing, ...]
    hidden: int
    policy: str


class ToolEvent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name
    result: object


class ConverseRecord(Talking, frozen=True, kw_only=True):
    """What was said and done; classified, screened, gated, settled, all in one append."""

    user: Text = ""
    ai: Text = ""
    tools: Annotated[list[ToolEvent], msgspec.Meta(max_length=TOOLS_MAX)] = msgspec.field(
        default_factory=list
    )
    space: Space = Space.SESSION
    promote_to: Space | None = None


class ConverseCorrect(Talking, frozen=True, kw_only=True):
    """The user puts one item right: a declared conflict, settled like any other."""

    item_id: Id
    text: Text


class ConverseForget(Talking, frozen=True, kw_only=True):
    """Take one item back, and nothing else; the past keeps it."""

    item_id: Id


class ConversePromote(Talking, frozen=True, kw_only=True):
    """Move an item to another space, where the rules of promotion let it."""

    item_id: Id
    to_space: Space


class ConverseItems(Talking, frozen=True, kw_only=True):
    """The living items of a kind, oldest first, now or at an entry of the past."""

    kind: Kind = Kind.SEMANTIC
    space: Space = Space.SESSION
    at: Seq | None = None
    valid_at: Name = ""


class ConverseBlame(Talking, frozen=True, kw_only=True):
    """Everything that ever stood under an item's key, and what became of it."""

    item_id: Id


class ConverseRetired(Talking, frozen=True, kw_only=True):
    """Everything that the write at an entry took out of reading."""

    seq: Seq


class ConverseUndo(Talking, frozen=True, kw_only=True):
    """Bring back what the write at an entry superseded, through a new entry."""

    seq: Seq


class StartPhase(Talking, frozen=True, kw_only=True):
    """Begin another chapter of a space; recall shows the current one."""

    name: Name = ""
    reason: Name = "manual"
    space: Space = Space.SESSION


class DiffPhases(Talking, frozen=True, kw_only=True):
    """What was added, deleted and replaced between the ends of two phases."""

    from_phase: PhaseId
    to_phase: PhaseId
    space: Space = Space.SESSION


class Traces(Talking, frozen=True, kw_only=True):
    """What memory did for each AI call of this session, rendered from the log."""

    after: Seq = 0


def _talk(hands: Hands, asked: Talking) -> Conversation:
    return hands.conversation(
        session=asked.session, project=asked.project, ai_profile=asked.ai_profile
    )


def _recall(hands: Hands, asked: ConverseRecall) -> Recollected:
    found = _talk(hands, asked).recall(
        asked.query, spaces=asked.spaces, at=asked.at, valid_at=asked.valid_at
    )
    return Recollected(
        text=found.text,
        items=found.items,
        deterministic_hash=found.deterministic_hash,
        spaces_consulted=found.spaces_consulted,
        current_phase=found.current_phase,
        borders=found.borders,
        hidden=found.hidden,
        policy=found.policy,
    )


def _record(hands: Hands, asked: ConverseRecord) -> Recorded:
    if hands.grant.role is Role.USER and (asked.ai or asked.tools):
        raise PermissionDeniedError("a user's key speaks for its user only")
    tools = [{"name": each.name, "result": each.result} for each in asked.tools]
    return _talk(hands, asked).record(
        user=asked.user,
        ai=asked.ai,
        tools=tools,
        space=asked.space,
        promote_to=asked.promote_to or "",
    )


def _items(hands: Hands, asked: ConverseItems) -> list[MemoryItem]:
    return _talk(hands, asked).items(asked.kind, asked.space, at=asked.at, valid_at=asked.valid_at)


def _retired(hands: Hands, asked: ConverseRetired) -> list[Retired]:
    with _reached():
        return _talk(hands, asked).retired_by(asked.seq)


def _undo(hands: Hands, asked: ConverseUndo) -> Recorded:
    with _reached():
        return _talk(hands, asked).undo(asked.seq)


@contextmanager
def _reached() -> Iterator[None]:
    """An entry that the log has not reached and one of somebody else's are both not there."""
    try:
        yield
    except InputError:
        raise NotFoundError from None


def _start_phase(hands: Hands, asked: StartPhase) -> Phase:
    return _talk(hands, asked).start_phase(asked.name, asked.reason, space=asked.space)


def _diff(hands: Hands, asked: DiffPhases) -> PhaseDiffed:
    return _talk(hands, asked).diff(asked.from_phase, asked.to_phase, asked.space)


ROUTES: Final = tagged(
    "conversation",
    [
        ask("/v1/conversation/recall", "converse", ConverseRecall, Recollected, _recall),
        post("/v1/conversation/record", "converse", ConverseRecord, Recorded, _record),
        post(
            "/v1/conversation/correct",
            "converse",
            ConverseCorrect,
            Recorded,
            lambda hands, asked: _talk(hands, asked).correct(asked.item_id, asked.text),
        ),
        post(
            "/v1/conversation/forget",
            "converse",
            ConverseForget,
            Recorded,
            lambda hands, asked: _talk(hands, asked).forget(asked.item_id),
        ),
        post(
            "/v1/conversation/promote",
            "converse",
            ConversePromote,
            Recorded,
            lambda hands, asked: _talk(hands, asked).promote(asked.item_id, asked.to_space),
        ),
        get("/v1/conversation/items", "items", ConverseItems, list[MemoryItem], _items),
        get(
            "/v1/conversation/blame",
            "items",
            ConverseBlame,
            list[ItemLife],
            lambda hands, asked: _talk(hands, asked).blame(asked.item_id),
        ),
        get(
            "/v1/conversation/retired",
            "items",
            ConverseRetired,
            list[Retired],
            _retired,
        ),
        post(
            "/v1/conversation/undo",
            "converse",
            ConverseUndo,
            Recorded,
            _undo,
        ),
        post("/v1/conversation/phases", "phases", StartPhase, Phase, _start_phase),
        post("/v1/conversation/phases/diff", "phases", DiffPhases, PhaseDiffed, _diff),
        get(
            "/v1/conversation/traces",
            "items",
            Traces,
            list[dict[str, object]],
            lambda hands, asked: _talk(hands, asked).traces(after=asked.after),
        ),
    ],
)
