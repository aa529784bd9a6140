"""Commands about threads, compaction and model outputs."""

from typing import Annotated, Literal

import msgspec

from muniment.model.commands.command import Command, Name, Text
from muniment.model.kinds.memo import MemoSource, Ppm

Minutes = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Ids = Annotated[tuple[Name, ...], msgspec.Meta(max_length=2_000)]
Strategy = Literal["summary", "tail", "merge", "density", "reservoir"]


class TakeTurn(Command, tag="take_turn", frozen=True, kw_only=True):
    """Keep one turn of a conversation, in the thread and the episode where it belongs."""

    text: Text
    channel: Text
    source: MemoSource = MemoSource.USER
    explicit: bool = False
    thread_id: Name = ""  # the user's choice
    new: bool = False  # the user's choice, too
    timeout_minutes: Minutes = 0
    importance_ppm: Ppm | None = None
    assessed: Name = ""  # the thread that a model was asked about,
    request: Name = ""  # and the recorded output that answers


class EndThread(Command, tag="end_thread", frozen=True, kw_only=True):
    thread_id: Name
    reason: Literal["user", "timeout"] = "user"


class SetTimeout(Command, tag="set_thread_timeout", frozen=True, kw_only=True):
    """How long a thread, or every implicit thread of a user, waits in silence."""

    minutes: Minutes
    thread_id: Name = ""


class SettleLink(Command, tag="settle_link", frozen=True, kw_only=True):
    """A person says whether two threads belong together."""

    decision: int
    related: bool


class RecordOutput(Command, tag="record_output", frozen=True, kw_only=True):
    """What a model answered, kept before it is used; a replay reads it and asks nobody."""

    request: Name
    purpose: Name
    model: Name
    text: Text


class Compact(Command, tag="compact", frozen=True, kw_only=True):
    """Let memos be told by fewer: by a summary, by one of several alike, or not at all."""

    strategy: Strategy
    memo_ids: Ids
    trigger: Name = "manual"
    episode_id: Name = ""
    task_id: Name = ""
    request: Name = ""  # the recorded output whose words the summary has
    fallback: Name = ""  # why a model's words were not used
    tokens_max: int | None = None
    items_max: int | None = None


UpkeepCommand = TakeTurn | EndThread | SetTimeout | SettleLink | RecordOutput | Compact
