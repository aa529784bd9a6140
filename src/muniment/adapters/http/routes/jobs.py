"""Routes of a job: open it, work in it tick by tick, and end it."""

from typing import Final

from muniment.adapters.gateway import origins
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.http.routes.memory import for_people
from muniment.adapters.requests.answers import Done, Requested
from muniment.adapters.requests.jobs import (
    BudgetStatusRequest,
    CommitRequest,
    ConsolidatedFindRequest,
    ConsolidatedRequest,
    EpisodeId,
    EpisodicWriteRequest,
    EventId,
    GetJobRequest,
    GoalsRequest,
    Inserted,
    JobContextRequest,
    JobInfo,
    JobPetitionRequest,
    JobRecallRequest,
    JobTime,
    MemorizeRequest,
    ObserveEventRequest,
    ObserveRequest,
    OpenJobRequest,
    PromotedItem,
    PromoteWorkingRequest,
    ReferencedItem,
    ReferenceRequest,
    SetGoalRequest,
    TickRequest,
    TrackToolRequest,
    WorkingFindRequest,
    WorkingInsertRequest,
)
from muniment.engine.api.job import Job
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.engine.search.recall_results import Bundle
from muniment.engine.streams import handle_arguments
from muniment.model.kinds.episode import Goal


def _info(job: Job) -> JobInfo:
    return JobInfo(
        number=job.number,
        seed=job.seed,
        session=job.session,
        trace_id=job.trace_id,
        loop_id=job.loop_id,
        episodic_snapshot_id=job.episodic_snapshot_id,
        brainstate_snapshot_id=job.brainstate_snapshot_id,
    )


def _open(hands: Hands, asked: OpenJobRequest) -> JobInfo:
    session = hands.session(asked.session)
    return _info(
        hands.agent.job(
            hands.session(asked.seed, what="seed of a job"),
            session=session,
            trace_id=asked.trace_id,
            budget=asked.budget,
            channel=asked.channel,
        )
    )


def _observe(hands: Hands, asked: ObserveRequest) -> EpisodeId:
    origin = origins.admitted(hands, asked.origin)
    told = hands.job(asked.number).observe(
        asked.text, origin=origin, session=asked.session, **handle_arguments.options(asked)
    )
    return EpisodeId(episodic_id=told)


def _episode(hands: Hands, asked: EpisodicWriteRequest) -> EpisodeId:
    told = hands.job(asked.number).episodic_write(
        asked.summary, asked.payload, asked.evidence, source=asked.source, keep_raw=asked.keep_raw
    )
    return EpisodeId(episodic_id=told)


def _reference(hands: Hands, asked: ReferenceRequest) -> ReferencedItem:
    hands.job(asked.number).reference(asked.item_id)
    return ReferencedItem(referenced=asked.item_id)


def _goal(hands: Hands, asked: SetGoalRequest) -> Goal:
    job = hands.job(asked.number)
    job.set_goal(asked.goal_id, asked.text, major=asked.major, status=asked.status)
    return next(goal for goal in job.goals() if goal.goal_id == asked.goal_id)


def _event(hands: Hands, asked: ObserveEventRequest) -> EventId:
    told = hands.job(asked.number).observe_event(
        asked.kind, asked.content, asked.metadata, visibility=asked.visibility
    )
    return EventId(event_id=told)


def _recall(hands: Hands, asked: JobRecallRequest) -> Bundle:
    return hands.job(asked.number).recall(
        asked.query,
        limit=asked.limit,
        **asked.then,
        purpose=asked.purpose,
        quarantined=for_people(hands, quarantined=asked.quarantined),
        explain=asked.explain,
        where=asked.where,
    )


def _petition(hands: Hands, asked: JobPetitionRequest) -> Requested:
    told = hands.job(asked.number).memory_promote_request(
        asked.episodic_id,
        asked.target_sem_key,
        asked.justification,
        asked.evidence,
        value=asked.value,
    )
    return Requested(request_id=told)


def _memorize(hands: Hands, asked: MemorizeRequest) -> Memorized:
    return hands.job(asked.number).memorize(asked.item, asked.metadata or None, store=asked.store)


def _track(hands: Hands, asked: TrackToolRequest) -> Memorized:
    return hands.job(asked.number).track_tool_invocation(
        asked.tool_name, asked.parameters, asked.result, asked.error
    )


def _commit(hands: Hands, asked: CommitRequest) -> Done:
    return Done(seq=hands.job(asked.number).commit().seq)


ROUTES: Final = tagged(
    "jobs",
    [
        route(OpenJobRequest, _open),
        route(GetJobRequest, lambda hands, asked: _info(hands.job(asked.number))),
        route(ObserveRequest, _observe),
        route(EpisodicWriteRequest, _episode),
        route(
            WorkingInsertRequest,
            lambda hands, asked: Inserted(wm_id=hands.job(asked.number).wm_insert(asked.entry)),
        ),
        route(
            WorkingFindRequest,
            lambda hands, asked: hands.job(asked.number).wm_find(asked.predicate),
        ),
        route(ConsolidatedRequest, lambda hands, asked: hands.job(asked.number).cwm()),
        route(
            ConsolidatedFindRequest,
            lambda hands, asked: hands.job(asked.number).cwm_find(asked.predicate),
        ),
        route(ReferenceRequest, _reference),
        route(
            PromoteWorkingRequest,
            lambda hands, asked: PromotedItem(
                cwm_id_item=hands.job(asked.number).promote(asked.wm_id)
            ),
        ),
        route(TickRequest, lambda hands, asked: JobTime(tick=hands.job(asked.number).tick())),
        route(SetGoalRequest, _goal),
        route(GoalsRequest, lambda hands, asked: hands.job(asked.number).goals()),
        route(ObserveEventRequest, _event),
        route(JobRecallRequest, _recall),
        route(
            JobContextRequest,
            lambda hands, asked: hands.job(asked.number).assemble_context(
                asked.prompt, asked.budget, asked.filters, where=asked.where, **asked.then
            ),
        ),
        route(JobPetitionRequest, _petition),
        route(MemorizeRequest, _memorize),
        route(TrackToolRequest, _track),
        route(
            BudgetStatusRequest,
            lambda hands, asked: hands.job(asked.number).get_budget_status(),
        ),
        route(CommitRequest, _commit),
    ],
)
