"""Events of threads, episodes and their links, of compaction and of model outputs.

Ids are counted and name nobody; scores, reasons and counters are structure. Channels, words and
whatever a model said are sealed.
"""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText
from muniment.model.kinds.thread import Thread, ThreadLink

SealedThread = Annotated[Thread, msgspec.Meta(extra=SEALED)]


class ThreadOpened(Event, tag="thread_opened", frozen=True, kw_only=True):
    n: int
    thread_id: str
    reason: str  # first, inactivity, user
    explicit: bool
    timeout_minutes: int
    at: str
    episode_id: str
    channel: SealedText
    subject: SealedText


class TurnTaken(Event, tag="turn_taken", frozen=True, kw_only=True):
    """One turn of a thread; the thread as it is from here on."""

    thread_id: str
    episode_id: str
    turn: int
    tokens: int
    at: str
    subject: SealedText
    thread: SealedThread


class LinkDecided(Event, tag="link_decided", frozen=True, kw_only=True):
    """Whether a new thread goes on with an earlier one, and what that rests on."""

    thread_id: str
    other_id: str
    episode_id: str  # that the two share from here on; empty where they do not
    link: ThreadLink
    subject: SealedText


class LinkSettled(Event, tag="link_settled", frozen=True, kw_only=True):
    decision: int
    related: bool
    subject: SealedText


class LinksRetuned(Event, tag="links_retuned", frozen=True, kw_only=True):
    """The threshold was tried again on the decisions since the last time."""

    decisions: int
    before_ppm: int
    after_ppm: int
    accuracy_before_ppm: int
    accuracy_after_ppm: int
    false_links_before: int
    false_links_after: int
    missed_links_before: int
    missed_links_after: int


class EpisodeOpened(Event, tag="episode_opened", frozen=True, kw_only=True):
    n: int
    episode_id: str
    thread_id: str
    reason: str  # thread, turns, hours
    at: str
    subject: SealedText


class EpisodeClosed(Event, tag="episode_closed", frozen=True, kw_only=True):
    """The episode is complete: it is time to summarise it."""

    episode_id: str
    reason: str  # thread_end, turns, hours
    turns: int
    tokens: int
    subject: SealedText


class ThreadClosed(Event, tag="thread_closed", frozen=True, kw_only=True):
    thread_id: str
    reason: str  # inactivity, user, room
    subject: SealedText
    thread: SealedThread


class TimeoutSet(Event, tag="thread_timeout_set", frozen=True, kw_only=True):
    minutes: int
    thread_id: str  # empty: of every implicit thread of this user
    subject: SealedText


class OutputRecorded(Event, tag="external_output", frozen=True, kw_only=True):
    """What a model answered to a request that its hash names."""

    request: str
    purpose: str
    model: str
    text: SealedText
    subject: SealedText


class MemosCompacted(Event, tag="memos_compacted", frozen=True, kw_only=True):
    """Memos are told by another one from here on; pointers to all of them stay."""

    place: str
    strategy: str  # summary, tail, merge
    trigger: str  # thread_end, turns, hours, steps, tokens, manual
    told_by: str  # the summary, or the one of several alike that stays
    sources: tuple[str, ...]  # everything it stands for
    gone: tuple[str, ...]  # what left the place: every value of it is in what stays
    resolution: str = ""
    by: str = ""  # extractive, or the model's name
    fallback: str = ""  # why a model's words were not used
    quality_ppm: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    archived: bool = False  # what left the place is still recalled in full
    subject: SealedText = ""


UpkeepEvent = (
    ThreadOpened
    | TurnTaken
    | LinkDecided
    | LinkSettled
    | LinksRetuned
    | EpisodeOpened
    | EpisodeClosed
    | ThreadClosed
    | TimeoutSet
    | OutputRecorded
    | MemosCompacted
)
