"""Events of memos, goals and exports.

Places, scores, counters and codes are structure; what a memo says, its tags, its key and whoever
it is about are sealed.
"""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts
from muniment.model.kinds.memo import Mandate, Memo, MemoType, Scores, Template


class MemoKept(Event, tag="memo_kept", frozen=True, kw_only=True):
    """One item, every place that took it, what the gate weighed, and what made room for it."""

    n: int  # of all memos of this stream
    kind: MemoType
    places: tuple[str, ...]
    tokens: int
    scores: Scores
    reasons: tuple[str, ...]  # codes, in the order the gate went through them
    supersedes: str = ""  # the id of the version before, where the key had one
    chunks_before: tuple[str, ...] = ()  # the others, where that version was kept in several
    displaced: tuple[str, ...] = ()  # memos that left its own scratchpad, by the pad's policy
    limit: str = ""  # which limit asked them to: items, tokens
    subject: SealedText = ""
    pad: SealedText = ""  # whose scratchpad it lies on, where working memory took it
    rules: SealedTexts = ()  # overrides and mandates that spoke, by their words
    memo: Annotated[Memo, msgspec.Meta(extra=SEALED)]


class MemoDeclined(Event, tag="memo_declined", frozen=True, kw_only=True):
    """The gate kept the item nowhere; what was asked stays in the log."""

    kind: MemoType
    scores: Scores
    reasons: tuple[str, ...]
    like: str = ""  # the memo that says the same already
    rules: SealedTexts = ()


class MemosEvicted(Event, tag="memos_evicted", frozen=True, kw_only=True):
    """Memos left a place because it was full; the log and other places keep them."""

    place: str
    memo_ids: tuple[str, ...]
    policy: str  # the rule that chose them
    reason: str  # items, tokens, tasks
    subject: SealedText = ""
    pad: SealedText = ""


class MemoShelved(Event, tag="memo_shelved", frozen=True, kw_only=True):
    """A memo is found in these places from here on; its words stand where it was kept."""

    memo_id: str
    source_seq: int
    places: tuple[str, ...]
    reason: str  # evicted, restored
    subject: SealedText = ""
    key: SealedText = ""


class MemosForgotten(Event, tag="memos_forgotten", frozen=True, kw_only=True):
    """Memos left a place because somebody said so; they can be restored."""

    place: str
    memo_ids: tuple[str, ...]
    phrase: SealedText
    reason: SealedText = ""
    subject: SealedText = ""
    pad: SealedText = ""


class MemoMarked(Event, tag="memo_marked", frozen=True, kw_only=True):
    memo_id: str
    importance_ppm: int
    reason: SealedText = ""
    subject: SealedText = ""


class GoalAdvanced(Event, tag="goal_advanced", frozen=True, kw_only=True):
    """Progress towards a goal; its version counts every change there ever was."""

    subject: SealedText
    goal_id: SealedText
    delta_ppm: int
    progress_ppm: int
    version: int
    note: SealedText = ""


class MandatesObserved(Event, tag="mandates_observed", frozen=True, kw_only=True):
    mandates: Annotated[tuple[Mandate, ...], msgspec.Meta(extra=SEALED)]
    templates: Annotated[tuple[Template, ...], msgspec.Meta(extra=SEALED)]


class ExportRecorded(Event, tag="export_recorded", frozen=True, kw_only=True):
    """What a turn handed on, and what it still owes."""

    export_id: str
    turn: int
    first_seq: int
    last_seq: int
    delivered: tuple[str, ...]
    failed: tuple[str, ...]
    attempts: int
    subject: SealedText = ""


MemoEvent = (
    MemoKept
    | MemoDeclined
    | MemosEvicted
    | MemoShelved
    | MemosForgotten
    | MemoMarked
    | GoalAdvanced
    | MandatesObserved
    | ExportRecorded
)
