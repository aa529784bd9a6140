"""What a client says inside of a job: its working memory, its turn, its goals and its end."""

from collections.abc import Mapping

from muniment.adapters.client.request import Plan, ask, get, post
from muniment.adapters.http.route import Done
from muniment.adapters.http.routes.feedback import Traced
from muniment.adapters.http.routes.jobs import (
    EpisodeId,
    EventId,
    Inserted,
    JobState,
    Promoted,
    Referenced,
    Ticked,
)
from muniment.adapters.http.routes.memory import Requested
from muniment.engine.context.assemble import Context
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.engine.search.recall_results import Bundle
from muniment.model.commands.reads import Ending
from muniment.model.kinds.episode import ConsolidatedItem, ConsolidatedMemory, Goal, WorkingEntry
from muniment.model.kinds.memo import AUTO
from muniment.model.kinds.turn_export import BudgetStatus


def observe(job: int, text: str, *, origin: str = "user") -> Plan[EpisodeId]:
    return post(f"/v1/jobs/{job}/observe", EpisodeId, text=text, origin=origin)


def episodic_write(job: int, summary: str, payload: object = None) -> Plan[EpisodeId]:
    return post(f"/v1/jobs/{job}/episodes", EpisodeId, summary=summary, payload=payload)


def wm_insert(job: int, entry: Mapping[str, object]) -> Plan[Inserted]:
    return post(f"/v1/jobs/{job}/working", Inserted, **entry)


def wm_find(job: int, predicate: Mapping[str, object] | None = None) -> Plan[list[WorkingEntry]]:
    return ask(f"/v1/jobs/{job}/working/find", list[WorkingEntry], predicate=dict(predicate or {}))


def reference(job: int, item_id: str) -> Plan[Referenced]:
    return post(f"/v1/jobs/{job}/reference", Referenced, item_id=item_id)


def promote(job: int, wm_id: str) -> Plan[Promoted]:
    return post(f"/v1/jobs/{job}/promote", Promoted, wm_id=wm_id)


def tick(job: int) -> Plan[Ticked]:
    return post(f"/v1/jobs/{job}/tick", Ticked)


def observe_event(job: int, kind: str, content: object, metadata: object = None) -> Plan[EventId]:
    return post(f"/v1/jobs/{job}/events", EventId, kind=kind, content=content, metadata=metadata)


def assemble_context(
    job: int,
    prompt: str,
    budget: int | None = None,
    *,
    at: int | None = None,
    valid_at: str = "",
) -> Plan[Context]:
    path = f"/v1/jobs/{job}/context"
    return ask(path, Context, prompt=prompt, budget=budget, at=at, valid_at=valid_at)


def commit(job: int) -> Plan[Done]:
    return post(f"/v1/jobs/{job}/commit", Done)


def state(job: int) -> Plan[JobState]:
    return get(f"/v1/jobs/{job}", JobState)


def cwm(job: int) -> Plan[ConsolidatedMemory]:
    return get(f"/v1/jobs/{job}/consolidated", ConsolidatedMemory)


def cwm_find(
    job: int, predicate: Mapping[str, object] | None = None
) -> Plan[list[ConsolidatedItem]]:
    path = f"/v1/jobs/{job}/consolidated/find"
    return ask(path, list[ConsolidatedItem], predicate=dict(predicate or {}))


def set_goal(
    job: int, goal_id: str, text: str, *, major: bool = False, status: str = "active"
) -> Plan[Goal]:
    path = f"/v1/jobs/{job}/goals"
    return post(path, Goal, goal_id=goal_id, text=text, major=major, status=status)


def goals(job: int) -> Plan[list[Goal]]:
    return get(f"/v1/jobs/{job}/goals", list[Goal])


def recall(
    job: int, query: str, *, limit: int = 0, at: int | None = None, valid_at: str = ""
) -> Plan[Bundle]:
    path = f"/v1/jobs/{job}/recall"
    return ask(path, Bundle, query=query, limit=limit, at=at, valid_at=valid_at)


def memory_promote_request(
    job: int,
    episodic_id: str,
    target_sem_key: str,
    justification: str = "",
    *,
    value: object = None,
) -> Plan[Requested]:
    return post(
        f"/v1/jobs/{job}/petitions",
        Requested,
        episodic_id=episodic_id,
        target_sem_key=target_sem_key,
        justification=justification,
        value=value,
    )


def memorize(
    job: int,
    item: Mapping[str, object],
    metadata: Mapping[str, object] | None = None,
    *,
    store: str = AUTO,
) -> Plan[Memorized]:
    said = dict(metadata or {})
    return post(f"/v1/jobs/{job}/memorize", Memorized, item=dict(item), metadata=said, store=store)


def track_tool_invocation(
    job: int, tool_name: str, parameters: object = None, result: object = None, error: str = ""
) -> Plan[Memorized]:
    return post(
        f"/v1/jobs/{job}/tools",
        Memorized,
        tool_name=tool_name,
        parameters=parameters,
        result=result,
        error=error,
    )


def get_budget_status(job: int) -> Plan[BudgetStatus]:
    return get(f"/v1/jobs/{job}/budget", BudgetStatus)


def outcome(job: int, outcome: Ending, *, task_id: str = "", detail: str = "") -> Plan[Done]:
    path = f"/v1/jobs/{job}/outcome"
    return post(path, Done, outcome=outcome, task_id=task_id, detail=detail)


def trace(job: int) -> Plan[Traced]:
    return get(f"/v1/jobs/{job}/trace", Traced)
