"""Routes of a conversation: recall before each AI call, record after it, and its items."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.conversation import (
    BlameRequest,
    ConversationCorrectRequest,
    ConversationForgetRequest,
    ConversationOptions,
    ConversationPromoteRequest,
    ConversationRecallRequest,
    DiffPhasesRequest,
    ItemsRequest,
    Recollected,
    RecordRequest,
    RetiredByRequest,
    StartPhaseRequest,
    TracesRequest,
    UndoRequest,
)
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.conversation.conversation_results import Recorded, Retired
from muniment.engine.streams import handle_arguments
from muniment.model.errors import InputError, NotFoundError, PermissionDeniedError
from muniment.model.events.conversation import PhaseDiffed
from muniment.model.kinds.conversation_item import MemoryItem, Phase
from muniment.model.scope import Role


def _talk(hands: Hands, asked: ConversationOptions[Any]) -> Conversation:
    return hands.conversation(
        session=asked.session, project=asked.project, ai_profile=asked.ai_profile
    )


def _recall(hands: Hands, asked: ConversationRecallRequest) -> Recollected:
    found = _talk(hands, asked).recall(
        asked.query, spaces=asked.spaces, where=asked.where, at=asked.at, valid_at=asked.valid_at
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


def _record(hands: Hands, asked: RecordRequest) -> Recorded:
    if hands.grant.role is Role.USER and (asked.ai or asked.tools):
        raise PermissionDeniedError(
            "a user's key speaks for its user only: `ai` and `tools` need one of role agent"
        )
    return _talk(hands, asked).record(
        user=asked.user,
        ai=asked.ai,
        tools=asked.tools,
        space=asked.space,
        promote_to=asked.promote_to,
        **handle_arguments.options(asked),
    )


def _items(hands: Hands, asked: ItemsRequest) -> list[MemoryItem]:
    return _talk(hands, asked).items(asked.kind, asked.space, at=asked.at, valid_at=asked.valid_at)


def _retired(hands: Hands, asked: RetiredByRequest) -> list[Retired]:
    with _reached():
        return _talk(hands, asked).retired_by(asked.seq)


def _undo(hands: Hands, asked: UndoRequest) -> Recorded:
    with _reached():
        return _talk(hands, asked).undo(asked.seq)


@contextmanager
def _reached() -> Iterator[None]:
    """An entry that the log has not reached and one of somebody else's are both not there."""
    try:
        yield
    except InputError:
        raise NotFoundError from None


def _start_phase(hands: Hands, asked: StartPhaseRequest) -> Phase:
    return _talk(hands, asked).start_phase(asked.name, asked.reason, space=asked.space)


def _diff(hands: Hands, asked: DiffPhasesRequest) -> PhaseDiffed:
    return _talk(hands, asked).diff(asked.from_phase, asked.to_phase, asked.space)


ROUTES: Final = tagged(
    "conversation",
    [
        route(ConversationRecallRequest, _recall),
        route(RecordRequest, _record),
        route(
            ConversationCorrectRequest,
            lambda hands, asked: _talk(hands, asked).correct(asked.item_id, asked.text),
        ),
        route(
            ConversationForgetRequest,
            lambda hands, asked: _talk(hands, asked).forget(asked.item_id),
        ),
        route(
            ConversationPromoteRequest,
            lambda hands, asked: _talk(hands, asked).promote(asked.item_id, asked.to_space),
        ),
        route(ItemsRequest, _items),
        route(BlameRequest, lambda hands, asked: _talk(hands, asked).blame(asked.item_id)),
        route(RetiredByRequest, _retired),
        route(UndoRequest, _undo),
        route(StartPhaseRequest, _start_phase),
        route(DiffPhasesRequest, _diff),
        route(TracesRequest, lambda hands, asked: _talk(hands, asked).traces(after=asked.after)),
    ],
)
