"""Commands about memos: store, track, forget, restore or mark one; goals, mandates."""

from typing import Annotated

import msgspec

from muniment.model.commands.command import Command, Name, Text
from muniment.model.kinds.episode import Value
from muniment.model.kinds.memo import AUTO, MemoSource, MemoType, Ppm

Store = Annotated[str, msgspec.Meta(max_length=64)]  # a word of ours, or a guest's name
Seconds = Annotated[int, msgspec.Meta(ge=0)]
Index = Annotated[int, msgspec.Meta(ge=0)]
Version = Annotated[int, msgspec.Meta(ge=0)]
MemoVector = Annotated[bytes, msgspec.Meta(max_length=4_096)]


class Memorize(Command, tag="memorize", frozen=True, kw_only=True):
    """Keep one item where the gate sends it."""

    kind: MemoType
    text: Text
    source: MemoSource = MemoSource.MODEL
    source_name: Name = ""
    store: Store = AUTO  # or WM, EM, SM, or a guest's name
    importance_ppm: Ppm | None = None
    confidence_ppm: Ppm | None = None
    tags: Value = None  # a list of texts
    metadata: Value = None
    task_id: Name = ""
    episode_id: Name = ""
    parent_id: Name = ""
    chunk_index: Index = 0
    key: Text = ""  # `entity_type:entity_id`, for what has versions
    since: Name = ""
    until: Name = ""
    expires: Name = ""  # a moment, a day, or `+` and seconds from when it is told
    retention: Name = ""
    ttl: Seconds | None = None
    embedding: MemoVector = b""


class TrackTool(Command, tag="track_tool", frozen=True, kw_only=True):
    """Keep a tool's call and its outcome: as a pair of the loop, and as a memo."""

    tool_name: Text
    parameters: Value = None
    result: Value = None
    error: Text = ""


class ForgetMemos(Command, tag="forget_memos", frozen=True, kw_only=True):
    """Let memos leave a place, by a phrase of that place; what is forgotten can be restored."""

    place: Name
    phrase: Text
    task_id: Name = ""
    reason: Text = ""


class RestoreMemo(Command, tag="restore_memo", frozen=True, kw_only=True):
    memo_id: Name


class MarkMemo(Command, tag="mark_memo", frozen=True, kw_only=True):
    """Say how much a memo matters, after the fact."""

    memo_id: Name
    importance_ppm: Ppm
    reason: Text = ""


class AdvanceGoal(Command, tag="advance_goal", frozen=True, kw_only=True):
    """Write progress towards a goal down, if the goal is still as its reader saw it."""

    goal_id: Name
    delta_ppm: Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
    expected_version: Version
    note: Text = ""


class ObserveMandates(Command, tag="observe_mandates", frozen=True, kw_only=True):
    """What consciousness insists on from here on, and how it wants contexts introduced."""

    mandates: Value = None
    templates: Value = None


class RecordExport(Command, tag="record_export", frozen=True, kw_only=True):
    """How the exports of a turn went; what failed is owed."""

    export_id: Name
    turn: int
    first_seq: int
    last_seq: int
    delivered: tuple[Name, ...] = ()
    failed: tuple[Name, ...] = ()
    attempts: int = 1


MemoCommand = (
    Memorize
    | TrackTool
    | ForgetMemos
    | RestoreMemo
    | MarkMemo
    | AdvanceGoal
    | ObserveMandates
    | RecordExport
)
