"""Requests of a job: open it, work in it tick by tick, and end it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Done
from muniment.adapters.requests.fields import (
    Evidences,
    Id,
    Json,
    KeepRaw,
    Limit,
    Name,
    Place,
    Purpose,
    Quarantined,
    Query,
    Statement,
    Text,
    Tokens,
    Where,
    Why,
    empty,
    one_of,
)
from muniment.adapters.requests.memory import PetitionOptions
from muniment.adapters.requests.verb_request import (
    Answer,
    ReadRequest,
    VerbRequest,
    WordsOptions,
    ask,
    get,
    post,
)
from muniment.engine.context.assemble import Context
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.engine.search.recall_results import Bundle
from muniment.model.commands import GoalStatus
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    EpisodicSource,
    Goal,
    WorkingEntry,
)
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.kinds.memo import AUTO
from muniment.model.kinds.turn_export import BudgetStatus

Number = Annotated[Place, Meta(description="The number of the job.")]
StoreName = Annotated[str, Meta(min_length=1, max_length=128)]


class JobInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An open job and what it stands on."""

    number: int
    seed: str
    session: str
    trace_id: str
    loop_id: str
    episodic_snapshot_id: str
    brainstate_snapshot_id: str


class OpenJobOptions(VerbRequest[JobInfo], frozen=True, kw_only=True):
    session: Name = ""
    trace_id: Name = ""
    budget: Tokens = 0
    channel: Name = ""


class OpenJobRequest(OpenJobOptions, frozen=True):
    """Open a job (a unit of work); a commit ends it."""

    endpoint = post("/v1/jobs", "jobs")

    seed: Name = ""


class JobRequest(VerbRequest[Answer], frozen=True):
    """A step of an open job of the key's own agent and user."""

    number: Number


class GetJobRequest(JobRequest[JobInfo], frozen=True):
    """An open job of the key's own agent and user."""

    endpoint = get("/v1/jobs/{number}", "jobs")


class EpisodeId(msgspec.Struct, frozen=True, kw_only=True):
    episodic_id: str


class ObserveRequest(WordsOptions[EpisodeId], frozen=True):
    """Record a turn of this job."""

    endpoint = post("/v1/jobs/{number}/observe", "jobs")

    number: Number
    text: Statement


class EpisodicWriteOptions(VerbRequest[EpisodeId], frozen=True, kw_only=True):
    source: Annotated[str, one_of(*EpisodicSource)] = EpisodicSource.AGENT.value
    keep_raw: KeepRaw = False


class EpisodicWriteRequest(EpisodicWriteOptions, frozen=True):
    """Write an episode."""

    endpoint = post("/v1/jobs/{number}/episodes", "jobs")

    number: Number
    summary: Statement
    payload: object = None
    evidence: Evidences = ()


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    wm_id: str


class WorkingInsertRequest(JobRequest[Inserted], frozen=True):
    """Push an entry (`type`, `value`, optionally `ttl_ticks`) onto working memory."""

    endpoint = post("/v1/jobs/{number}/working", "jobs")

    entry: Json


class WorkingFindRequest(JobRequest[list[WorkingEntry]], frozen=True):
    """Find entries of working memory by exact keys and values, newest first."""

    endpoint = ask("/v1/jobs/{number}/working/find", "jobs")

    predicate: Json = empty()


class ConsolidatedRequest(JobRequest[ConsolidatedMemory], frozen=True):
    """Get the consolidated memory of this job."""

    endpoint = get("/v1/jobs/{number}/consolidated", "jobs")


class ConsolidatedFindRequest(JobRequest[list[ConsolidatedItem]], frozen=True):
    """Find consolidated items by exact keys and values."""

    endpoint = ask("/v1/jobs/{number}/consolidated/find", "jobs")

    predicate: Json = empty()


class ReferencedItem(msgspec.Struct, frozen=True, kw_only=True):
    referenced: str


class ReferenceRequest(JobRequest[ReferencedItem], frozen=True):
    """Report that an item was used."""

    endpoint = post("/v1/jobs/{number}/reference", "jobs")

    item_id: Id


class PromotedItem(msgspec.Struct, frozen=True, kw_only=True):
    cwm_id_item: str


class PromoteWorkingRequest(JobRequest[PromotedItem], frozen=True):
    """Request a promotion that is due."""

    endpoint = post("/v1/jobs/{number}/promote", "jobs")

    wm_id: Id


class JobTime(msgspec.Struct, frozen=True, kw_only=True):
    tick: int


class TickRequest(JobRequest[JobTime], frozen=True):
    """Advance the job by one step: promote, age, expire."""

    endpoint = post("/v1/jobs/{number}/tick", "jobs")


class SetGoalOptions(VerbRequest[Goal], frozen=True, kw_only=True):
    major: bool = False
    status: GoalStatus = "active"


class SetGoalRequest(SetGoalOptions, frozen=True):
    """Set or change a goal."""

    endpoint = post("/v1/jobs/{number}/goals", "jobs")

    number: Number
    goal_id: Id
    text: Statement


class GoalsRequest(JobRequest[list[Goal]], frozen=True):
    """List the goals of the key's own agent and user, by priority."""

    endpoint = get("/v1/jobs/{number}/goals", "jobs")


class EventId(msgspec.Struct, frozen=True, kw_only=True):
    event_id: str


class ObserveEventOptions(VerbRequest[EventId], frozen=True, kw_only=True):
    visibility: Annotated[str, one_of("", *Visibility)] = ""


class ObserveEventRequest(ObserveEventOptions, frozen=True):
    """Record one event of this loop verbatim; it becomes searchable by itself."""

    endpoint = post("/v1/jobs/{number}/events", "jobs")

    number: Number
    kind: Annotated[str, one_of(*EventKind)]
    content: object
    metadata: object = None


class JobRecallRequest(ReadRequest[Bundle], frozen=True):
    """Recall inside a job; the receipt names the job."""

    endpoint = ask("/v1/jobs/{number}/recall", "jobs")

    number: Number
    query: Query
    limit: Limit = 0
    purpose: Purpose = ""
    quarantined: Quarantined = False
    explain: bool = False
    where: Where = None


class JobContextRequest(ReadRequest[Context], frozen=True):
    """Build text for this job's prompt within a token budget."""

    endpoint = ask("/v1/jobs/{number}/context", "jobs")

    number: Number
    prompt: Text
    budget: Tokens | None = None
    filters: Json | None = None
    where: Where = None


class JobPetitionRequest(PetitionOptions, frozen=True):
    """From inside a job, request that an episode becomes a governed fact."""

    endpoint = post("/v1/jobs/{number}/petitions", "jobs")

    number: Number
    episodic_id: Id
    target_sem_key: Id
    justification: Why = ""
    evidence: Evidences = ()


class MemorizeOptions(VerbRequest[Memorized], frozen=True, kw_only=True):
    store: StoreName = AUTO


class MemorizeRequest(MemorizeOptions, frozen=True):
    """Store an item where the gate routes it: working, episodic or semantic memory, or nowhere."""

    endpoint = post("/v1/jobs/{number}/memorize", "jobs")

    number: Number
    item: Json
    metadata: Json = empty()


class TrackToolRequest(JobRequest[Memorized], frozen=True):
    """Record a tool call and its result; skills are learned from them."""

    endpoint = post("/v1/jobs/{number}/tools", "jobs")

    tool_name: Name
    parameters: object = None
    result: object = None
    error: Statement = ""


class BudgetStatusRequest(JobRequest[BudgetStatus], frozen=True):
    """Budget of a turn: tokens used and left, entries, time, and what was stored."""

    endpoint = get("/v1/jobs/{number}/budget", "jobs")


class CommitRequest(JobRequest[Done], frozen=True):
    """End the job: what it consolidated and used becomes episodes."""

    endpoint = post("/v1/jobs/{number}/commit", "jobs")
