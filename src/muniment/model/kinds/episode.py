"""Episode and other layer entries: their evidence, and the enums they use."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec

# A caller's JSON, admitted at the door; structs carry it as it is.
Value = object
# An item remembers when it was last used so many times; no rule may ask for more.
REFERENCES_KEPT: Final = 64
Ticks = Annotated[int, msgspec.Meta(ge=0)]


class WorkingType(StrEnum):
    FACT = "fact"
    CONTEXT = "context"
    HINT = "hint"
    TEMP = "temp"


class EpisodicSource(StrEnum):
    AGENT = "agent"
    EXECUTOR = "executor"
    BRAINSTATE = "brainstate"


class Authority(StrEnum):
    """Lowest first in the enum, so that its order is the order of weight."""

    AI_INFERRED = "ai_inferred"
    USER_ASSERTED = "user_asserted"
    TOOL_VERIFIED = "tool_verified"
    SYSTEM_IMPOSED = "system_imposed"


class Origin(StrEnum):
    """Where a text came from, set at the boundary: pasted and fetched spans are external."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"
    EXTERNAL = "external"


class Evidence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a decision rested on."""

    episodic_id: str = ""
    sem_keys: tuple[str, ...] = ()
    sem_snapshot_hash: str = ""
    note: str = ""


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    trace_id: str
    reflective_log_id: str


class WorkingEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of working memory."""

    wm_id: str
    type: WorkingType
    value: Value
    created_at_tick: int
    ttl_ticks: int
    references: int = 0
    referenced_at: tuple[int, ...] = ()  # ticks of the references, newest last
    demoted_from: str = ""


class ConsolidatedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of consolidated memory; it was promoted from working memory, always."""

    cwm_id_item: str
    value: Value
    promoted_from: str
    promoted_at_tick: int
    ttl_ticks_cwm: int
    token_estimate: int
    references: int = 0
    referenced_at: tuple[int, ...] = ()
    promoted_from_wm: bool = True


class ConsolidatedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What a session holds together over several steps and jobs."""

    cwm_id: str
    topic: str
    items: tuple[ConsolidatedItem, ...]
    token_estimate: int
    ticks: int = 0  # of all its jobs together: theirs run apart, so they cannot be compared
    touched_seq: int = 0  # of the last promotion: the least recently fed session leaves first


class EpisodicEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One experience, for good."""

    episodic_id: str
    job_seed: str
    source: EpisodicSource
    summary: str
    evidence: tuple[Evidence, ...]
    payload: Value
    created_seeded_ts: str
    provenance: Provenance


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One governed fact: a canonical key, its value, and who answers for it."""

    key: str
    value: Value
    source: str
    last_updated: str
    notes: str = ""
    request_id: str = ""
    seq: int = 0


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    goal_id: str
    subject: str = ""  # whose goal it is
    text: str
    priority: int = 0
    type: str = "answer"
    status: str = "active"
    major: bool = False
    version: int = 1  # counts every change; whoever writes says which one they have seen
    progress_ppm: int = 0


def cited(evidence: Evidence) -> str:
    """The id of what an evidence is of: an episode, a fact, or something that is only named."""
    return evidence.episodic_id or (evidence.sem_keys or (evidence.note,))[0]
