"""Routes of a job: open it, work in it tick by tick, and end it."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import (
    AskedOfThen,
    Count,
    Done,
    Id,
    Name,
    RouteRequest,
    Text,
    ask,
    get,
    post,
    tagged,
)
from muniment.adapters.http.routes.memory import Requested
from muniment.engine.api.job import Job
from muniment.engine.context.assemble import Context
from muniment.engine.search.recall_results import Bundle
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.commands import GoalStatus
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    EpisodicSource,
    Goal,
    Origin,
    WorkingEntry,
    WorkingType,
)
from muniment.model.kinds.loop import EventKind, Visibility

Number = Annotated[int, msgspec.Meta(ge=1, le=INTEGER_MAX)]
Predicate = dict[str, object]


class OpenJob(RouteRequest, frozen=True, kw_only=True):
    """Open a unit of work; it ends with a commit."""

    seed: Name = ""
    session: Name = ""
    trace_id: Name = ""
    budget: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    channel: Name = ""


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    seed: str
    session: str
    trace_id: str
    loop_id: str
    sem_snapshot_id: str
    episodic_snapshot_id: str
    brainstate_snapshot_id: str


class InJob(RouteRequest, frozen=True, kw_only=True):
    number: Number


class GetJob(InJob, frozen=True, kw_only=True):
    """An open job of the key's own speaker."""


class JobObserve(InJob, frozen=True, kw_only=True):
    """Keep a turn of this job."""

    text: Text
    origin: Origin = Origin.USER


class EpisodeId(msgspec.Struct, frozen=True, kw_only=True):
    episodic_id: str


class JobEpisode(InJob, frozen=True, kw_only=True):
    """Write an experience down."""

    summary: Text
    payload: object = None
    source: EpisodicSource = EpisodicSource.AGENT
    keep_raw: bool = False


class WorkingInsert(InJob, frozen=True, kw_only=True):
    """Put an entry on top of working memory."""

    value: object
    type: WorkingType = WorkingType.CONTEXT
    ttl_ticks: Count | None = None


class Inserted(msgspec.Struct, frozen=True, kw_only=True):
    wm_id: str


class WorkingFind(InJob, frozen=True, kw_only=True):
    """Entries of working memory whose keys and values are exactly these, newest first."""

    predicate: Predicate = msgspec.field(default_factory=dict)


class ConsolidatedFind(InJob, frozen=True, kw_only=True):
    """Consolidated items whose keys and values are exactly these."""

    predicate: Predicate = msgspec.field(default_factory=dict)


class GetConsolidated(InJob, frozen=True, kw_only=True):
    """The consolidated memory that this job works in."""


class JobReference(InJob, frozen=True, kw_only=True):
    """Say that an item was used."""

    item_id: Id


class Referenced(msgspec.Struct, frozen=True, kw_only=True):
    referenced: str


class JobPromote(InJob, frozen=True, kw_only=True):
    """Ask for a promotion that is due."""

    wm_id: Id


class Promoted(msgspec.Struct, frozen=True, kw_only=True):
    cwm_id_item: str


class JobTick(InJob, frozen=True, kw_only=True):
    """Let one step of work pass: promote, age, expire."""


class Ticked(msgspec.Struct, frozen=True, kw_only=True):
    tick: int


class SetGoal(InJob, frozen=True, kw_only=True):
    """Set or change a goal."""

    goal_id: Id
    text: Text
    major: bool = False
    status: GoalStatus = "active"


class GetGoals(InJob, frozen=True, kw_only=True):
    """The goals of the key's own speaker, first things first."""


class JobEvent(InJob, frozen=True, kw_only=True):
    """Keep one event of this loop, literally; its mirror follows by itself."""

    kind: EventKind
    content: object
    metadata: object = None
    visibility: Visibility | None = None


class EventId(msgspec.Struct, frozen=True, kw_only=True):
    event_id: str


class JobRecall(AskedOfThen, frozen=True, kw_only=True):
    """Recall inside of a job: its receipt names the job."""

    number: Number
    query: Text
    limit: Count = 0


class JobContext(AskedOfThen, frozen=True, kw_only=True):
    """Text for this job's prompt that fits a token budget."""

    number: Number
    prompt: Text
    budget: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None


class JobPetition(InJob, frozen=True, kw_only=True):
    """Ask the council, from inside of a job, to make a governed fact of an episode."""

    episodic_id: Id
    target_sem_key: Id
    justification: Text = ""
    value: object = None


class JobCommit(InJob, frozen=True, kw_only=True):
    """End the job: what it consolidated and used becomes episodes."""


def _state(job: Job) -> JobState:
    return JobState(
        number=job.number,
        seed=job.seed,
        session=job.session,
        trace_id=job.trace_id,
        loop_id=job.loop_id,
        sem_snapshot_id=job.sem_snapshot_id,
        episodic_snapshot_id=job.episodic_snapshot_id,
        brainstate_snapshot_id=job.brainstate_snapshot_id,
    )


def _open(hands: Hands, asked: OpenJob) -> JobState:
    session = hands.session(asked.session)
    return _state(
        hands.agent.job(
            asked.seed,
            session=session,
            trace_id=asked.trace_id,
            budget=asked.budget,
            channel=asked.channel,
        )
    )


def _observe(hands: Hands, asked: JobObserve) -> EpisodeId:
    told = hands.job(asked.number).observe(asked.text, origin=asked.origin)
    return EpisodeId(episodic_id=told)


def _episode(hands: Hands, asked: JobEpisode) -> EpisodeId:
    told = hands.job(asked.number).episodic_write(
        asked.summary, asked.payload, source=asked.source, keep_raw=asked.keep_raw
    )
    return EpisodeId(episodic_id=told)


def _insert(hands: Hands, asked: WorkingInsert) -> Inserted:
    entry = {"type": asked.type, "value": asked.value, "ttl_ticks": asked.ttl_ticks}
    return Inserted(wm_id=hands.job(asked.number).wm_insert(entry))


def _reference(hands: Hands, asked: JobReference) -> Referenced:
    hands.job(asked.number).reference(asked.item_id)
    return Referenced(referenced=asked.item_id)


def _goal(hands: Hands, asked: SetGoal) -> Goal:
    job = hands.job(asked.number)
    job.set_goal(asked.goal_id, asked.text, major=asked.major, status=asked.status)
    return next(goal for goal in job.goals() if goal.goal_id == asked.goal_id)


def _event(hands: Hands, asked: JobEvent) -> EventId:
    told = hands.job(asked.number).observe_event(
        asked.kind, asked.content, asked.metadata, visibility=asked.visibility or ""
    )
    return EventId(event_id=told)


def _petition(hands: Hands, asked: JobPetition) -> Requested:
    told = hands.job(asked.number).memory_promote_request(
        asked.episodic_id, asked.target_sem_key, asked.justification, value=asked.value
    )
    return Requested(request_id=told)


def _commit(hands: Hands, asked: JobCommit) -> Done:
    return Done(seq=hands.job(asked.number).commit().seq)


ROUTES: Final = tagged(
    "jobs",
    [
        post("/v1/jobs", "jobs", OpenJob, JobState, _open),
        get(
            "/v1/jobs/{number}",
            "jobs",
            GetJob,
            JobState,
            lambda hands, asked: _state(hands.job(asked.number)),
        ),
        post("/v1/jobs/{number}/observe", "jobs", JobObserve, EpisodeId, _observe),
        post("/v1/jobs/{number}/episodes", "jobs", JobEpisode, EpisodeId, _episode),
        post("/v1/jobs/{number}/working", "jobs", WorkingInsert, Inserted, _insert),
        ask(
            "/v1/jobs/{number}/working/find",
            "jobs",
            WorkingFind,
            list[WorkingEntry],
            lambda hands, asked: hands.job(asked.number).wm_find(asked.predicate),
        ),
        get(
            "/v1/jobs/{number}/consolidated",
            "jobs",
            GetConsolidated,
            ConsolidatedMemory,
            lambda hands, asked: hands.job(asked.number).cwm(),
        ),
        ask(
            "/v1/jobs/{number}/consolidated/find",
            "jobs",
            ConsolidatedFind,
            list[ConsolidatedItem],
            lambda hands, asked: hands.job(asked.number).cwm_find(asked.predicate),
        ),
        post("/v1/jobs/{number}/reference", "jobs", JobReference, Referenced, _reference),
        post(
            "/v1/jobs/{number}/promote",
            "jobs",
            JobPromote,
            Promoted,
            lambda hands, asked: Promoted(cwm_id_item=hands.job(asked.number).promote(asked.wm_id)),
        ),
        post(
            "/v1/jobs/{number}/tick",
            "jobs",
            JobTick,
            Ticked,
            lambda hands, asked: Ticked(tick=hands.job(asked.number).tick()),
        ),
        post("/v1/jobs/{number}/goals", "jobs", SetGoal, Goal, _goal),
        get(
            "/v1/jobs/{number}/goals",
            "jobs",
            GetGoals,
            list[Goal],
            lambda hands, asked: hands.job(asked.number).goals(),
        ),
        post("/v1/jobs/{number}/events", "jobs", JobEvent, EventId, _event),
        ask(
            "/v1/jobs/{number}/recall",
            "jobs",
            JobRecall,
            Bundle,
            lambda hands, asked: hands.job(asked.number).recall(
                asked.query, limit=asked.limit, **asked.then
            ),
        ),
        ask(
            "/v1/jobs/{number}/context",
            "jobs",
            JobContext,
            Context,
            lambda hands, asked: hands.job(asked.number).assemble_context(
                asked.prompt, asked.budget, **asked.then
            ),
        ),
        post("/v1/jobs/{number}/petitions", "jobs", JobPetition, Requested, _petition),
        post("/v1/jobs/{number}/commit", "jobs", JobCommit, Done, _commit),
    ],
)
