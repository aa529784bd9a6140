"""Routes of threads: turns on a channel, how long a thread waits, what belongs to it, its end."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    AskedOfThen,
    Id,
    Name,
    RouteRequest,
    Text,
    get,
    post,
    tagged,
)
from muniment.engine.conversation.channel import Continuity, PlacedTurn, ThreadChannel
from muniment.engine.maintenance.compaction import Compacted
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands.threads import Minutes
from muniment.model.kinds.memo import MemoSource
from muniment.model.kinds.thread import Thread


class TakeTurn(RouteRequest, frozen=True, kw_only=True):
    """Keep a turn on a channel of the key's own user, in the thread where it belongs."""

    channel: Name
    text: Text
    source: MemoSource = MemoSource.USER
    thread_id: Annotated[str, msgspec.Meta(max_length=256)] = ""
    new: bool = False
    explicit: bool = False
    timeout_minutes: Minutes = 0


class ListThreads(AskedOfThen, frozen=True, kw_only=True):
    """The conversations of the key's own user, open and ended, the latest first."""


class ThreadsWait(RouteRequest, frozen=True, kw_only=True):
    """How long every implicit thread of the key's own user waits in silence."""

    minutes: Minutes


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """How long silence may last, from here on."""

    minutes: int


class OfThread(RouteRequest, frozen=True, kw_only=True):
    thread_id: Id


class ReadThread(AskedOfThen, frozen=True, kw_only=True):
    thread_id: Id


class GetThread(ReadThread, frozen=True, kw_only=True):
    """A conversation as it is by now, or as it stood."""


class ThreadWaits(OfThread, frozen=True, kw_only=True):
    """How long this thread waits in silence."""

    minutes: Minutes


class GetContinuity(ReadThread, frozen=True, kw_only=True):
    """What belongs to a thread: its own episodes, those of linked threads, and a line about it."""


class ThreadContext(ReadThread, frozen=True, kw_only=True):
    """Text for a prompt: what a thread goes on with, then the newest of it, within the budget."""

    budget: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class ThreadText(msgspec.Struct, frozen=True, kw_only=True):
    text: str


class EndThread(OfThread, frozen=True, kw_only=True):
    """End a thread; its episode is complete and is summarised."""


class SettleLink(RouteRequest, frozen=True, kw_only=True):
    """A person's word on whether two of their threads belong together."""

    decision: Annotated[int, msgspec.Meta(ge=1, le=INTEGER_MAX)]
    related: bool


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    decision: int
    related: bool


def _turn(hands: Hands, asked: TakeTurn) -> PlacedTurn:
    channel = hands.agent.thread(
        asked.channel, explicit=asked.explicit, timeout_minutes=asked.timeout_minutes
    )
    return channel.turn(asked.text, source=asked.source, thread_id=asked.thread_id, new=asked.new)


def _thread(hands: Hands, asked: OfThread | ReadThread) -> ThreadChannel:
    """The channel whose last turn went to this thread: a call that was not here before says it."""
    channel = hands.agent.thread()
    channel.thread_id = asked.thread_id
    return channel


def _all_wait(hands: Hands, asked: ThreadsWait) -> Silence:
    hands.agent.set_thread_timeout(asked.minutes)
    return Silence(minutes=asked.minutes)


def _waits(hands: Hands, asked: ThreadWaits) -> Silence:
    _thread(hands, asked).set_timeout(asked.minutes)
    return Silence(minutes=asked.minutes)


def _settle(hands: Hands, asked: SettleLink) -> Settled:
    hands.agent.thread().settle_link(asked.decision, related=asked.related)
    return Settled(decision=asked.decision, related=asked.related)


ROUTES: Final = tagged(
    "threads",
    [
        post("/v1/threads/turns", "converse", TakeTurn, PlacedTurn, _turn),
        get(
            "/v1/threads",
            "items",
            ListThreads,
            list[Thread],
            lambda hands, asked: hands.agent.threads(**asked.then),
        ),
        post("/v1/threads/timeout", "converse", ThreadsWait, Silence, _all_wait),
        post("/v1/threads/links/{decision}", "converse", SettleLink, Settled, _settle),
        get(
            "/v1/threads/{thread_id}",
            "items",
            GetThread,
            Thread,
            lambda hands, asked: _thread(hands, asked).thread(**asked.then),
        ),
        get(
            "/v1/threads/{thread_id}/continuity",
            "items",
            GetContinuity,
            Continuity,
            lambda hands, asked: _thread(hands, asked).continuity(**asked.then),
        ),
        get(
            "/v1/threads/{thread_id}/context",
            "context",
            ThreadContext,
            ThreadText,
            lambda hands, asked: ThreadText(
                text=_thread(hands, asked).context(asked.budget, **asked.then)
            ),
        ),
        post("/v1/threads/{thread_id}/timeout", "converse", ThreadWaits, Silence, _waits),
        post(
            "/v1/threads/{thread_id}/end",
            "converse",
            EndThread,
            list[Compacted],
            lambda hands, asked: _thread(hands, asked).end(),
        ),
    ],
)
