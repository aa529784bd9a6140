"""What a client says in a conversation, and on a channel of its user."""

from collections.abc import Mapping, Sequence

import msgspec

from muniment.adapters.client.request import Json, Plan, ask, get, listed, post
from muniment.adapters.http.routes.conversations import Recollected
from muniment.adapters.http.routes.threads import Settled, Silence, ThreadText
from muniment.engine.conversation.channel import Continuity, PlacedTurn
from muniment.engine.conversation.conversation_results import ItemLife, Recorded, Retired
from muniment.engine.maintenance.compaction import Compacted
from muniment.model.events.conversation import PhaseDiffed
from muniment.model.kinds.conversation_item import MemoryItem, Phase
from muniment.model.kinds.thread import Thread


class ConversationPath(msgspec.Struct, frozen=True, kw_only=True):
    """Which conversation is meant."""

    session: str = ""
    project: str = ""
    ai_profile: str = ""


class ChannelPath(msgspec.Struct, frozen=True, kw_only=True):
    """Which channel is meant."""

    channel: str
    explicit: bool = False
    timeout_minutes: int = 0


def recall(
    place: ConversationPath,
    query: str,
    *,
    spaces: Sequence[str] = (),
    at: int | None = None,
    valid_at: str = "",
) -> Plan[Recollected]:
    return ask(
        "/v1/conversation/recall",
        Recollected,
        **_placed(place),
        query=query,
        spaces=listed(spaces),
        at=at,
        valid_at=valid_at,
    )


def record(
    place: ConversationPath,
    *,
    user: str = "",
    ai: str = "",
    tools: Sequence[Mapping[str, object]] = (),
    space: str = "session",
    promote_to: str | None = None,
) -> Plan[Recorded]:
    return post(
        "/v1/conversation/record",
        Recorded,
        **_placed(place),
        user=user,
        ai=ai,
        tools=[dict(each) for each in tools],
        space=space,
        promote_to=promote_to,
    )


def correct(place: ConversationPath, item_id: str, text: str) -> Plan[Recorded]:
    return post("/v1/conversation/correct", Recorded, **_placed(place), item_id=item_id, text=text)


def forget(place: ConversationPath, item_id: str) -> Plan[Recorded]:
    return post("/v1/conversation/forget", Recorded, **_placed(place), item_id=item_id)


def items(
    place: ConversationPath,
    kind: str = "semantic",
    space: str = "session",
    *,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[list[MemoryItem]]:
    return get(
        "/v1/conversation/items",
        list[MemoryItem],
        **_placed(place),
        kind=kind,
        space=space,
        at=at,
        valid_at=valid_at,
    )


def blame(place: ConversationPath, item_id: str) -> Plan[list[ItemLife]]:
    return get("/v1/conversation/blame", list[ItemLife], **_placed(place), item_id=item_id)


def undo(place: ConversationPath, seq: int) -> Plan[Recorded]:
    return post("/v1/conversation/undo", Recorded, **_placed(place), seq=seq)


def start_phase(place: ConversationPath, name: str = "", reason: str = "manual") -> Plan[Phase]:
    return post("/v1/conversation/phases", Phase, **_placed(place), name=name, reason=reason)


def _placed(place: ConversationPath) -> Json:
    built: Json = msgspec.to_builtins(place)
    return built


def promote(place: ConversationPath, item_id: str, to_space: str) -> Plan[Recorded]:
    return post(
        "/v1/conversation/promote", Recorded, **_placed(place), item_id=item_id, to_space=to_space
    )


def retired_by(place: ConversationPath, seq: int) -> Plan[list[Retired]]:
    return get("/v1/conversation/retired", list[Retired], **_placed(place), seq=seq)


def diff(
    place: ConversationPath, from_phase: str, to_phase: str, space: str = "session"
) -> Plan[PhaseDiffed]:
    return post(
        "/v1/conversation/phases/diff",
        PhaseDiffed,
        **_placed(place),
        from_phase=from_phase,
        to_phase=to_phase,
        space=space,
    )


def traces(place: ConversationPath, *, after: int = 0) -> Plan[list[Json]]:
    return get("/v1/conversation/traces", list[Json], **_placed(place), after=after)


def turn(
    line: ChannelPath, text: str, *, source: str = "user", thread_id: str = "", new: bool = False
) -> Plan[PlacedTurn]:
    return post(
        "/v1/threads/turns",
        PlacedTurn,
        **msgspec.to_builtins(line),
        text=text,
        source=source,
        thread_id=thread_id,
        new=new,
    )


# A call over HTTP is nobody's next one, so each says which thread it means: `turn` tells its id.


def thread(
    _: ChannelPath, thread_id: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[Thread]:
    return get(f"/v1/threads/{thread_id}", Thread, at=at, valid_at=valid_at)


def continuity(
    _: ChannelPath, thread_id: str, *, at: int | None = None, valid_at: str = ""
) -> Plan[Continuity]:
    path = f"/v1/threads/{thread_id}/continuity"
    return get(path, Continuity, at=at, valid_at=valid_at)


def thread_context(
    _: ChannelPath, thread_id: str, budget: int = 0, *, at: int | None = None, valid_at: str = ""
) -> Plan[ThreadText]:
    path = f"/v1/threads/{thread_id}/context"
    return get(path, ThreadText, budget=budget, at=at, valid_at=valid_at)


def set_timeout(_: ChannelPath, thread_id: str, minutes: int) -> Plan[Silence]:
    return post(f"/v1/threads/{thread_id}/timeout", Silence, minutes=minutes)


def settle_link(_: ChannelPath, decision: int, *, related: bool) -> Plan[Settled]:
    return post(f"/v1/threads/links/{decision}", Settled, related=related)


def end(_: ChannelPath, thread_id: str) -> Plan[list[Compacted]]:
    return post(f"/v1/threads/{thread_id}/end", list[Compacted])


def threads(*, at: int | None = None, valid_at: str = "") -> Plan[list[Thread]]:
    return get("/v1/threads", list[Thread], at=at, valid_at=valid_at)


def set_thread_timeout(minutes: int) -> Plan[Silence]:
    return post("/v1/threads/timeout", Silence, minutes=minutes)
