"""Job decisions: how a job begins, ticks, changes its goal, and ends."""

from muniment.engine.decide import council, working_memory
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.episodes import episode
from muniment.layers import shelves
from muniment.layers.desk import session_of
from muniment.layers.jobs import consolidated_memory, goals
from muniment.layers.jobs.jobs import JobState
from muniment.model import canonical_json, ids
from muniment.model.commands import CloseJob, OpenJob, SetGoal, Tick
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    GoalSet,
    JobClosed,
    JobOpened,
    Ticked,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    Evidence,
    WorkingEntry,
    WorkingType,
)
from muniment.model.struct_copy import copied
from muniment.model.text.tokens import shorten
from muniment.rules import promotion

SUMMARY_CHARACTERS_MAX = 512
PAYLOAD_BYTES_MAX = canonical_json.SIZE_BYTES_MAX // 2  # an entry has other fields, too


def open_job(now: DecisionContext, command: OpenJob) -> list[AnyEvent]:
    if not now.stamp.seed:
        return now.deny("job_needs_a_seed")
    if now.shelves.get(shelves.JOBS, now.stamp.seed) or ids.is_of_another_job(
        now.stamp.seed, now.stamp.job
    ):
        # Ids are counted from the seed: the same seed twice would give the same names twice.
        return now.deny("job_seed_used")
    if _names_a_session(now, command) or now.shelves.is_seed_of_the_erased(now.stamp.seed):
        return now.deny("job_seed_used")
    owner = now.desk.consolidated.owners.get(ids.consolidated_id(command.session), command.subject)
    if command.session and owner != command.subject:
        return now.deny("session_of_another_person")
    opened = copied(
        JobOpened,
        command,
        number=now.stamp.job,
        job_seed=now.stamp.seed,
        trace_id=command.trace_id or now.entry_id,
        episodic_snapshot_id=f"{now.stream.ref[:8]}@{now.desk.seq}",
        brainstate_snapshot_id=_brainstate(now, command),
    )
    return [*_make_room(now), opened]


def close_job(now: DecisionContext, command: CloseJob) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    events = _last_words(now, job, command.sem_snapshot_hash)
    memory = now.desk.consolidated.sessions.get(session_of(job))
    if memory and not job.session:
        events += [_left(memory, item, "session_end") for item in memory.items]
    return [*events, JobClosed(number=job.number)]


def tick(now: DecisionContext, _: Tick) -> list[AnyEvent]:
    """Promote, then let time pass, then expire; what was heavily used comes back last."""
    job = now.job
    if job is None:
        tick_now = now.desk.jobs.tick + 1
        return [Ticked(tick=tick_now), *council.settle_due(now, tick_now)]
    constants = now.desk.policy.brainstate
    entries = now.desk.working.get(job.number, ())
    due = working_memory.fitting(now, promotion.due(entries, job.tick, constants))
    moved = working_memory.promotions(now, due)
    expired: list[AnyEvent] = [
        WorkingExpired(wm_id=entry.wm_id, reason="ttl")
        for entry in reversed(entries)
        if entry not in due and entry.ttl_ticks <= 1
    ]
    held = _after(now, job, moved)
    room = constants.working_capacity_items - (len(entries) - len(due) - len(expired))
    return [*moved, Ticked(tick=job.tick + 1), *expired, *_age(now, job, held, room)]


def set_goal(now: DecisionContext, command: SetGoal) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    known = now.desk.goals
    before = known.get(goals.key(command.subject, command.goal_id))
    if before is None and len(known) >= now.desk.policy.brainstate.goals_max:
        return now.deny("too_many_goals")
    told = copied(
        GoalSet,
        command,
        kind=command.kind,
        status=command.status,
        version=before.version + 1 if before else 1,
    )
    if not (command.major and command.status == "active"):
        return [told]
    memory = now.desk.consolidated.sessions.get(session_of(job))
    items = memory.items if memory else ()
    return [told, working_memory.recomputed(now, items, cause="goal", topic=command.text)]


def _names_a_session(now: DecisionContext, command: OpenJob) -> bool:
    """A job without a session ends its consolidated memory: it must not be a session's."""
    state, cwm_id = now.desk.consolidated, ids.consolidated_id(command.job_seed)
    named = bool(command.job_seed) and not command.session
    return named and (cwm_id in state.sessions or cwm_id in state.members.values())


def _brainstate(now: DecisionContext, command: OpenJob) -> str:
    """What the job begins with, named by its digest and the seq it can be loaded at."""
    cwm_id = ids.consolidated_id(command.session or now.stamp.seed)
    memory = now.desk.consolidated.sessions.get(cwm_id)
    theirs = [each for each in now.desk.goals.values() if each.subject == command.subject]
    aims = sorted(theirs, key=lambda each: each.goal_id)
    state = [now.desk.policy_digest, aims, memory]
    digest = canonical_json.digest("muniment/v1/brainstate", canonical_json.encode(state)).hex()
    return f"bs:{now.desk.seq}:{digest[:32]}"


def _make_room(now: DecisionContext) -> list[AnyEvent]:
    """The desk is bounded: the oldest job that was never closed is given up."""
    jobs = now.desk.jobs.open
    if len(jobs) < now.desk.policy.brainstate.open_jobs_max:
        return []
    return [JobClosed(number=min(jobs), replayable=False)]


def _after(
    now: DecisionContext, job: JobState, moved: list[AnyEvent]
) -> tuple[ConsolidatedMemory, tuple[ConsolidatedItem, ...]] | None:
    """The session's memory as it stands once the promotions of this tick are folded."""
    before = now.desk.consolidated.sessions.get(session_of(job))
    if not moved:
        return (before, before.items) if before else None
    memory = before or consolidated_memory.empty(session_of(job))
    items = consolidated_memory.after(memory, moved)
    return memory, items


def _age(
    now: DecisionContext,
    job: JobState,
    held: tuple[ConsolidatedMemory, tuple[ConsolidatedItem, ...]] | None,
    room: int,
) -> list[AnyEvent]:
    if held is None:
        return []
    memory, items = held
    # Working memory is bounded: what finds no room stays where it is until the next tick.
    returning = promotion.returning(items, memory.ticks, now.desk.policy.brainstate)[:room]
    gone = [
        _left(memory, item, "ttl")
        for item in items
        if item not in returning and consolidated_memory.aged(item, memory.ticks).ttl_ticks_cwm <= 0
    ]
    return [*gone, *_returns(now, job, memory, returning)]


def _returns(
    now: DecisionContext,
    job: JobState,
    memory: ConsolidatedMemory,
    items: tuple[ConsolidatedItem, ...],
) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    for n, item in enumerate(items, start=job.working_count + 1):
        events.append(_left(memory, item, "returned"))
        events.append(
            WorkingInserted(
                n=n,
                wm_id=ids.working_id(job.seed, n),
                kind=WorkingType.CONTEXT,
                value=item.value,
                created_at_tick=job.tick + 1,
                ttl_ticks=now.desk.policy.brainstate.working_ttl_ticks,
                demoted_from=item.cwm_id_item,
            )
        )
    return events


def _left(memory: ConsolidatedMemory, item: ConsolidatedItem, reason: str) -> ConsolidatedExpired:
    return ConsolidatedExpired(cwm_id=memory.cwm_id, cwm_id_item=item.cwm_id_item, reason=reason)


def _last_words(now: DecisionContext, job: JobState, sem_snapshot_hash: str) -> list[AnyEvent]:
    """What a job leaves behind: a summary of its consolidated memory, and what it used."""
    events: list[AnyEvent] = []
    evidence = (Evidence(sem_snapshot_hash=sem_snapshot_hash),)
    memory = now.desk.consolidated.sessions.get(session_of(job))
    if memory and memory.items:
        told = "; ".join(canonical_json.text_of(item.value) for item in memory.items)
        summary = shorten(
            f"{memory.topic}: {told}" if memory.topic else told, SUMMARY_CHARACTERS_MAX
        )
        written = episode(now, job.episodic_count + 1, summary, _cwm_payload(memory), evidence)
        events.append(written)
    used = promotion.worth_an_episode(now.desk.working.get(job.number, ()))
    if used:
        told = shorten(
            "; ".join(canonical_json.text_of(entry.value) for entry in used), SUMMARY_CHARACTERS_MAX
        )
        payload = {"working": _told(used)}
        n = job.episodic_count + 1 + len(events)
        events.append(episode(now, n, told, payload, evidence, form="working"))
    return events


def _told(entries: tuple[WorkingEntry, ...]) -> list[dict[str, object]]:
    """What was used, whole while an entry has room; the rest by name, for the log has it."""
    told: list[dict[str, object]] = []
    room_bytes = PAYLOAD_BYTES_MAX
    for entry in entries:
        size_bytes = len(canonical_json.encode(entry.value))
        fits = size_bytes <= room_bytes
        told.append({"wm_id": entry.wm_id} | ({"value": entry.value} if fits else {}))
        room_bytes -= size_bytes if fits else 0
    return told


def _cwm_payload(memory: ConsolidatedMemory) -> dict[str, object]:
    items = [
        {"cwm_id_item": item.cwm_id_item, "value": item.value, "promoted_from_wm": True}
        for item in memory.items
    ]
    snapshot = {"cwm_id": memory.cwm_id, "topic": memory.topic, "items": items}
    return {"cwm": snapshot | {"token_estimate": memory.token_estimate}}
