"""Cited summaries: sentences, each with the entries behind it and the words quoted from them."""

from enum import StrEnum

import msgspec


class SummaryKind(StrEnum):
    """What a summary is of."""

    PROFILE = "profile"  # a person, in their own words
    REFLECTION = "reflection"  # some days: what changed, what is open
    CONVERSATION = "conversation"
    TITLE = "title"  # of a conversation, in a few words
    LOOP = "loop"


class SentenceCitation(msgspec.Struct, frozen=True, kw_only=True):
    """What a sentence rests on: a kept text, where it stands in the log, and words of it."""

    id: str
    label: str = ""  # `SEQ.N`: its entry, and its place there; none for a governed fact
    quote: str = ""


class CitedSentence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sentence of a summary; on whose word it stands is the least of what it cites."""

    text: str
    citations: tuple[SentenceCitation, ...]
    origin: str
    section: str = ""
    by: str = ""  # the model that worded it; without one it is quoted as it was said
