"""Memo: one item that an agent stored during a turn, and its places.

Seed 003 calls it MemoryItem; that name is taken here by what a conversation keeps. Scores are
whole millionths, as everything that is logged; `importance` and `novelty` are the fractions they
are. Recency and position depend on the moment of reading: a context tells the one, and the order of
a scratchpad is the other.
"""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

from muniment.model import canonical_json
from muniment.model.kinds.episode import Value
from muniment.model.text.tokens import sorted_tokens

WHOLE_PPM: Final = 1_000_000
QUOTES_RECALLED: Final = "quotes_recalled"  # in the metadata of a summary: its sources are found
Ppm = Annotated[int, msgspec.Meta(ge=0, le=WHOLE_PPM)]
AUTO: Final = "auto"  # the gate chooses the places


class MemoType(StrEnum):
    USER_MESSAGE = "user_message"
    TOOL_RESULT = "tool_result"
    THOUGHT = "thought"
    ACTION = "action"
    PLAN = "plan"
    SKILL = "skill"
    SUMMARY = "summary"
    FACT = "fact"
    METRIC = "metric"
    OBSERVATION = "observation"
    PATTERN = "pattern"


class MemoSource(StrEnum):
    USER = "user"
    TOOL = "tool"
    SYSTEM = "system"
    MODEL = "model"
    EXTERNAL = "external"


class MemoPlace(StrEnum):
    """The three stores every memory has; a guest's place is called by the guest's own name."""

    WM = "WM"
    EM = "EM"
    SM = "SM"


class RedactionStatus(StrEnum):
    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


class Validity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """From when until when something holds; empty is open. Fixed-width UTC text."""

    since: str = ""
    until: str = ""


class Memo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str  # a ULID, counted and not drawn
    type: MemoType
    text: str
    tokens_estimate: int
    timestamp: str  # ISO-8601, fixed width: observed, or else of the job's seeded time
    agent_id: str
    task_id: str
    episode_id: str = ""
    importance_ppm: int = 0
    novelty_ppm: int = 0
    source: MemoSource = MemoSource.MODEL
    source_name: str = ""  # of a page, a sender, a tool
    tags: tuple[str, ...] = ()
    metadata: Value = None
    retention: str = ""
    ttl: int | None = None  # seconds
    embedding: bytes = b""  # int8, recorded with the memo where a caller had one
    redaction_status: RedactionStatus = RedactionStatus.NONE
    checksum: str = ""
    step_index: int = 0  # WM: the tick it was put there at
    parent_id: str = ""  # EM: the whole that it is a part of
    chunk_index: int = 0
    key: str = ""  # SM: `entity_type:entity_id`
    version: int = 1
    lineage_ids: tuple[str, ...] = ()  # earlier versions, oldest first
    validity: Validity = Validity()
    expires: str = ""  # from when it is not recalled: by its ttl, its retention or its validity
    places: tuple[str, ...] = ()

    @property
    def quotes_recalled(self) -> bool:
        """Whether it is a summary of what is recalled in full, and need not be found itself."""
        return isinstance(self.metadata, dict) and self.metadata.get(QUOTES_RECALLED) is True

    @property
    def importance(self) -> float:
        return self.importance_ppm / WHOLE_PPM

    @property
    def novelty(self) -> float:
        return self.novelty_ppm / WHOLE_PPM

    @property
    def sparse_terms(self) -> tuple[str, ...]:
        """The words a sparse index holds; they follow from the text, so they are not stored."""
        return sorted_tokens(self.text)


def checksum(kind: str, text: str) -> str:
    return canonical_json.digest("muniment/v1/memo", kind.encode(), text.encode()).hex()


class Scores(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the gate found, each in millionths, and what it asked for."""

    importance: int
    novelty: int
    tokens: int
    goal: int = 0
    user: int = 0
    confidence: int = 0
    actionability: int = 0
    given: bool = False  # the caller said how important it is
    importance_min: int = 0
    novelty_min: int = 0


class Mandate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What consciousness insists on: said in every context, and perhaps where things are kept."""

    name: str
    text: str = ""
    types: tuple[MemoType, ...] = ()  # of which memos it speaks; none: it routes nothing
    tags: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    importance_ppm: int = 0  # at least so important


class Template(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a section of a context is introduced."""

    section: str
    text: str
