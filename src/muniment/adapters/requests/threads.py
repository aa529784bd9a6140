"""Requests of threads: turns on a channel, how long a thread waits, what belongs to it, its end."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import Id, Name, Place, Text, Tokens, one_of
from muniment.adapters.requests.verb_request import ReadRequest, VerbRequest, get, post
from muniment.engine.conversation.channel import Continuity, PlacedTurn
from muniment.engine.maintenance.compaction import Compacted
from muniment.model.commands.threads import Minutes
from muniment.model.kinds.memo import MemoSource
from muniment.model.kinds.thread import Thread


class ChannelOptions(VerbRequest[PlacedTurn], frozen=True, kw_only=True):
    """A channel of the key's own user, and how its threads begin and end."""

    channel: Name = "default"
    explicit: bool = False
    timeout_minutes: Minutes = 0


class TurnRequest(ChannelOptions, frozen=True):
    """Record a turn on a channel of the key's own user, in the thread where it belongs."""

    endpoint = post("/v1/threads/turns", "converse")

    text: Text
    source: Annotated[str, one_of(*MemoSource)] = MemoSource.USER.value
    thread_id: Annotated[str, Meta(max_length=256)] = ""
    new: bool = False


class ThreadsRequest(ReadRequest[list[Thread]], frozen=True):
    """List the threads of the key's own user, open and ended, latest first."""

    endpoint = get("/v1/threads", "items")


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """How long a thread may be silent from now on."""

    minutes: int


class ThreadsTimeoutRequest(VerbRequest[Silence], frozen=True):
    """Set after how long a silence threads of the key's own user end."""

    endpoint = post("/v1/threads/timeout", "converse")

    minutes: Minutes


class ThreadRequest(ReadRequest[Thread], frozen=True):
    """One thread, now or as of an earlier entry."""

    endpoint = get("/v1/threads/{thread_id}", "items")

    thread_id: Id


class ThreadTimeoutRequest(VerbRequest[Silence], frozen=True):
    """Set after how long a silence this thread ends."""

    endpoint = post("/v1/threads/{thread_id}/timeout", "converse")

    thread_id: Id
    minutes: Minutes


class ContinuityRequest(ReadRequest[Continuity], frozen=True):
    """What belongs to a thread: its own episodes, those of linked threads, and a line about it."""

    endpoint = get("/v1/threads/{thread_id}/continuity", "items")

    thread_id: Id


class ThreadText(msgspec.Struct, frozen=True, kw_only=True):
    text: str


class ThreadContextRequest(ReadRequest[ThreadText], frozen=True):
    """Text for a prompt: what a thread goes on with, then the newest of it, within the budget."""

    endpoint = get("/v1/threads/{thread_id}/context", "context")

    thread_id: Id
    budget: Tokens = 0


class EndThreadRequest(VerbRequest[list[Compacted]], frozen=True):
    """End a thread; its episode is complete and is summarised."""

    endpoint = post("/v1/threads/{thread_id}/end", "converse")

    thread_id: Id


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    decision: int
    related: bool


class SettleLinkOptions(VerbRequest[Settled], frozen=True, kw_only=True):
    related: bool


class SettleLinkRequest(SettleLinkOptions, frozen=True):
    """Confirm or deny that two threads of a person belong together."""

    endpoint = post("/v1/threads/links/{decision}", "converse")

    decision: Place
