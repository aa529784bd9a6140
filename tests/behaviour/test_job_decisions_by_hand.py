"""Jobs, entry by entry: what opening, a tick, a goal and the end of a job write down."""

from typing import Any

import pytest
from tests import deciding
from tests.deciding import context, denied, entry, item, job

from muniment.engine.decide import jobs
from muniment.layers import shelves
from muniment.layers.jobs.consolidated_memory import ConsolidatedState
from muniment.model import canonical_json, ids
from muniment.model.commands import CloseJob, OpenJob
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    EpisodeWritten,
    JobClosed,
    JobOpened,
    Ticked,
)
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    EpisodicSource,
    Evidence,
    Goal,
)
from muniment.model.policy import Brainstate, Policy

JOB = job(tick=6, working_count=4, episodic_count=1)
SESSION = "cwm:seed-2"


def memory(*items: ConsolidatedItem, cwm_id: str = SESSION, topic: str = "") -> ConsolidatedMemory:
    size = 2 * len(items)
    return ConsolidatedMemory(cwm_id=cwm_id, topic=topic, items=items, token_estimate=size, ticks=3)


def holding(*memories: ConsolidatedMemory, **more: Any) -> ConsolidatedState:  # noqa: ANN401
    return ConsolidatedState(sessions={each.cwm_id: each for each in memories}, **more)


def policy(**constants: Any) -> Policy:  # noqa: ANN401
    return Policy(brainstate=Brainstate(**constants))


def left(name: str, reason: str, cwm_id: str = SESSION) -> ConsolidatedExpired:
    return ConsolidatedExpired(cwm_id=cwm_id, cwm_id_item=name, reason=reason)


# ── Opened ──────────────────────────────────────────────────────────────────────────────────────

STAMP = {"job": 4, "seed": "seed-4"}
OPEN = OpenJob(
    job_seed="seed-4",
    session="lisbon",
    trace_id="trace",
    sem_snapshot_id="sem:1",
    sem_snapshot_hash="hash",
    budget_tokens=99,
    channel="mail",
    subject="tuff",
)


def opened(command: OpenJob = OPEN, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    return jobs.open_job(context(command, **{"stamped": STAMP, **known}), command)


def brainstate(*told: object) -> str:
    digest = canonical_json.digest("muniment/v1/brainstate", canonical_json.encode(list(told)))
    return f"bs:6:{digest.hex()[:32]}"


def test_a_job_is_opened_whole_with_the_snapshots_it_begins_with() -> None:
    assert opened() == [
        JobOpened(
            number=4,
            job_seed="seed-4",
            session="lisbon",
            trace_id="trace",
            subject="tuff",
            sem_snapshot_id="sem:1",
            episodic_snapshot_id="aaaaaaaa@6",
            brainstate_snapshot_id=brainstate("", [], None),
            sem_snapshot_hash="hash",
            budget_tokens=99,
            channel="mail",
        )
    ]


def test_a_job_without_a_trace_is_traced_to_what_opened_it() -> None:
    command = OpenJob(job_seed="seed-4")

    (found,) = opened(command)

    assert isinstance(found, JobOpened)
    assert found.trace_id == context(command, stamped=STAMP).entry_id


@pytest.mark.parametrize(("session", "cwm_id"), [("lisbon", "cwm:lisbon"), ("", "cwm:seed-4")])
def test_its_snapshot_is_of_the_policy_its_persons_goals_in_order_and_its_memory(
    session: str, cwm_id: str
) -> None:
    held = memory(item("i1"), cwm_id=cwm_id)
    goals = {
        name: Goal(goal_id=name, subject=whose, text="x")
        for name, whose in [("b", "tuff"), ("a", "tuff"), ("c", "bea")]
    }
    state = holding(held, owners={cwm_id: "tuff"})
    command = OpenJob(job_seed="", session=session, subject="tuff")  # its stamp has a counted one

    (found,) = opened(command, policy_digest="pd", goals=goals, consolidated=state)

    assert isinstance(found, JobOpened)
    assert found.brainstate_snapshot_id == brainstate("pd", [goals["a"], goals["b"]], held)


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        ({"stamped": {"job": 4, "seed": ""}}, "job_needs_a_seed"),
        ({"stamped": {"job": 4, "seed": "auto:5"}}, "job_seed_used"),
        ({"shelves": {(shelves.JOBS, "seed-4"): Ticked(tick=1)}}, "job_seed_used"),
        ({"shelves": {("erased", "seed-4"): Ticked(tick=1)}}, "job_seed_used"),
        (
            {"consolidated": ConsolidatedState(owners={"cwm:lisbon": "bea"})},
            "session_of_another_person",
        ),
    ],
)
def test_a_job_is_refused_with_the_reason(known: dict[str, Any], reason: str) -> None:
    assert opened(**known) == denied(reason)


def test_a_counted_seed_is_taken_by_the_job_it_is_of() -> None:
    (found,) = opened(stamped={"job": 4, "seed": "auto:4"})

    assert isinstance(found, JobOpened)
    assert found.job_seed == "auto:4"


def test_a_session_may_be_gone_on_with_by_its_own_person_alone() -> None:
    mine = ConsolidatedState(owners={"cwm:lisbon": "tuff"})
    nobodys = OpenJob(job_seed="seed-4", session="", subject="tuff")

    assert len(opened(consolidated=mine)) == 1
    theirs = ConsolidatedState(owners={"cwm:": "bea"})
    assert len(opened(nobodys, consolidated=theirs)) == 1


@pytest.mark.parametrize("seed", ["seed-4", ""])
@pytest.mark.parametrize(
    "held", [holding(memory(cwm_id="cwm:seed-4")), ConsolidatedState(members={1: "cwm:seed-4"})]
)
def test_a_seed_that_names_a_session_opens_no_job_of_its_own(
    held: ConsolidatedState, seed: str
) -> None:
    alone = OpenJob(job_seed=seed)
    within = OpenJob(job_seed=seed, session="lisbon")

    assert (opened(alone, consolidated=held) == denied("job_seed_used")) == bool(seed)
    assert isinstance(opened(within, consolidated=held)[-1], JobOpened)


def test_where_too_many_are_open_the_oldest_is_given_up() -> None:
    known = [job(3), job(1), job(2)]
    three, four = (policy(open_jobs_max=each) for each in (3, 4))
    stamp: dict[str, Any] = {"stamped": {**STAMP, "job": 9}}

    assert opened(jobs=known, policy=three, **stamp)[0] == JobClosed(number=1, replayable=False)
    assert len(opened(jobs=known, policy=four, **stamp)) == 1


# ── Closed ──────────────────────────────────────────────────────────────────────────────────────


def closed(mine: Any = JOB, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    command = CloseJob(sem_snapshot_hash="hash")
    return jobs.close_job(context(command, jobs=[mine] if mine else [], **known), command)


def told(n: int, summary: str, payload: object, form: str = "summary") -> EpisodeWritten:
    now = context(jobs=[JOB])
    return EpisodeWritten(
        n=n,
        form=form,
        episodic_id=ids.episodic_id(deciding.REF, "seed-2", n),
        job_seed="seed-2",
        source=EpisodicSource.BRAINSTATE,
        summary=summary,
        payload=payload,
        evidence=(Evidence(sem_snapshot_hash="hash"),),
        created_seeded_ts=now.moment(n),
        trace_id="trace-2",
        reflective_log_id=now.entry_id,
    )


def snapshot(topic: str = "") -> dict[str, object]:
    its = {"cwm_id_item": "i1", "value": "the i1", "promoted_from_wm": True}
    held = {"cwm_id": SESSION, "topic": topic, "items": [its], "token_estimate": 2}
    return {"cwm": held}


def test_a_job_without_anything_only_ends() -> None:
    assert closed(working={2: (entry("unused"),)}) == [JobClosed(number=2, replayable=True)]
    assert closed(None) == denied("needs_an_open_job")


def test_a_job_leaves_what_it_consolidated_and_what_it_used() -> None:
    used = (entry("w3", {"b": 2}, uses=(1,)), entry("w2"), entry("w1", "tea", uses=(1,)))

    assert closed(
        working={2: used, 3: (entry("other", uses=(1,)),)},
        consolidated=holding(memory(item("i1"), topic="lisbon")),
    ) == [
        told(2, "lisbon: the i1", snapshot("lisbon")),
        told(
            3,
            'tea; {"b":2}',
            {"working": [{"wm_id": "w1", "value": "tea"}, {"wm_id": "w3", "value": {"b": 2}}]},
            form="working",
        ),
        left("i1", "session_end"),
        JobClosed(number=2),
    ]


def test_what_it_used_is_the_next_episode_where_nothing_was_consolidated() -> None:
    used = {"working": [{"wm_id": "w1", "value": "tea"}]}

    assert closed(working={2: (entry("w1", uses=(1,)),)}, consolidated=holding(memory())) == [
        told(2, "tea", used, form="working"),
        JobClosed(number=2),
    ]


def test_the_memory_of_a_session_outlives_its_job() -> None:
    mine = job(session="lisbon")
    held = holding(memory(item("i1"), item("i2"), cwm_id="cwm:lisbon"))

    summary, *rest = closed(mine, consolidated=held)

    assert isinstance(summary, EpisodeWritten)
    assert summary.summary == "the i1; the i2"
    assert rest == [JobClosed(number=2)]


@pytest.mark.parametrize("form", ["summary", "working"])
def test_a_summary_has_at_most_512_characters(form: str) -> None:
    long = "a" * 600
    of_memory = {"consolidated": holding(memory(item(long)))}
    of_work = {"working": {2: (entry("w1", long, uses=(1,)),)}}

    found = closed(**(of_memory if form == "summary" else of_work))[0]

    assert isinstance(found, EpisodeWritten)
    assert len(found.summary) == 512
    assert found.form == form


def test_what_was_used_is_told_whole_while_there_is_room_and_by_name_beyond() -> None:
    half = jobs.PAYLOAD_BYTES_MAX
    one, two = "a" * (half - 12), "b" * 11  # with two quotation marks each, a byte too many
    fits, last = "c" * 8, "d"

    found = jobs._told((entry("1", one), entry("2", two), entry("3", fits), entry("4", last)))

    assert found == [
        {"wm_id": "1", "value": one},
        {"wm_id": "2"},
        {"wm_id": "3", "value": fits},
        {"wm_id": "4"},
    ]
    assert jobs._told((entry("1", "a" * (half - 2)), entry("2", ""))) == [
        {"wm_id": "1", "value": "a" * (half - 2)},
        {"wm_id": "2"},
    ]
    assert half == 128 * 1024
