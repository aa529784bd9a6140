"""Threads and episodes: a conversation over channels, pauses and links."""

import msgspec


class TextTopics(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a text speaks of: its words, its names and numbers, and what it mostly speaks of."""

    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


class Thread(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One conversation of one user; an explicit one has one channel, an implicit one may span."""

    thread_id: str
    user_id: str
    created_at: str
    last_activity_at: str
    channels: tuple[str, ...]
    inactivity_timeout_minutes: int = 0  # 0: it never times out
    own_timeout_minutes: int = 0  # said of this thread alone
    explicit_channel: bool = False
    primary_episode_id: str = ""
    cross_thread_episodes: tuple[str, ...] = ()
    linked_threads: tuple[str, ...] = ()
    turn_count: int = 0
    summary: str = ""
    counts: dict[str, int] = {}  # how often each of its words was said; bounded
    entities: tuple[str, ...] = ()
    closed_for: str = ""  # why it ended; empty while it goes on


class ThreadEpisode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stretch of one or several threads that is summarised as one."""

    episode_id: str
    opened_at: str
    thread_ids: tuple[str, ...]
    turns: int = 0
    tokens: int = 0


class Assessment(msgspec.Struct, frozen=True, kw_only=True):
    """What a model thinks of whether two threads belong together."""

    related: bool
    confidence: float
    reasoning: str = ""
    key_signals: tuple[str, ...] = ()


class ThreadLink(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision whether a thread goes on with another one, and everything it rested on."""

    n: int
    score_ppm: int
    keyword_ppm: int
    entity_ppm: int
    topic_ppm: int
    recency_ppm: int
    threshold_ppm: int
    linked: bool
    by: str = "score"  # or model, whose confidence was higher
    model_ppm: int = -1  # confidence when related, else one minus it; -1: nobody asked
    disagreed: bool = False
    settled: bool | None = None  # what a person said of it afterwards
