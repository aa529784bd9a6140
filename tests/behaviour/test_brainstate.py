"""The brainstate: ticks, goals, the snapshots a job begins with, and its exact repetition."""

import hashlib
import json
from collections.abc import Callable

import pytest
import rfc8785
from tests.world import SteppingClock, events, hub, lines, memory, stream, types

from muniment import Agent, Job
from muniment.engine.api.memory import Memory
from muniment.engine.streams.ports import Clock, SilentClock
from muniment.model import canonical_json
from muniment.model.errors import InputError, JobClosedError, RefusedError
from muniment.model.events import (
    AnyEvent,
    EpisodeWritten,
    GoalSet,
    JobClosed,
    JobOpened,
    Recalled,
    Received,
    Shredded,
    Ticked,
)
from muniment.model.policy import Brainstate, Policy
from muniment.model.policy.fact_readers import FactReader
from muniment.model.scope import council_stream

KEY = "user/profile/user_tuff/favorite_color"
TUFF = FactReader("ada", "user_tuff")


def promoted(job: Job, value: object) -> None:
    wm_id = job.wm_insert({"type": "fact", "value": value})
    job.reference(wm_id)
    job.reference(wm_id)
    job.tick()


def opened(of: Memory) -> list[JobOpened]:
    return [event for event in events(of) if isinstance(event, JobOpened)]


# ── Ticks ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-091", "A-107")
def test_ticks_are_counted_from_one_in_each_job() -> None:
    of = memory()
    ada = of.agent("ada")
    one, other = ada.job("one"), ada.job("other")

    told = [one.tick(), one.tick(), other.tick(), one.tick()]

    assert told == [1, 2, 1, 3]
    ticked = [(one.header.job, one.event) for one in lines(of) if isinstance(one.event, Ticked)]
    assert ticked == [(job, Ticked(tick=tick)) for job, tick in [(1, 1), (1, 2), (2, 1), (1, 3)]]


@pytest.mark.covers("A-091")
def test_one_tick_promotes_before_it_ages_and_expires() -> None:
    of = memory()
    job = of.agent("ada").job("seed-1")
    kept = job.wm_insert({"value": "kept", "ttl_ticks": 1})
    job.wm_insert({"value": "lost", "ttl_ticks": 1})
    job.reference(kept)
    job.reference(kept)
    before = job.seq

    job.tick()

    assert types(of, after=before) == [
        "received",
        "promotion_event",
        "cwm_recomputed",
        "ticked",
        "wm_expired",
    ]


def test_an_ended_job_has_no_more_ticks() -> None:
    job = memory().agent("ada").job("seed-1")
    job.commit()

    for call in (job.tick, job.commit, lambda: job.set_goal("g", "text")):
        with pytest.raises(JobClosedError):
            call()


def test_leaving_the_block_ends_the_job_once_even_when_something_breaks() -> None:
    of = memory()
    ada = of.agent("ada")
    with pytest.raises(ZeroDivisionError):
        break_inside(ada.job("seed-1"))
    with ada.job("seed-2") as other:
        other.commit()

    assert types(of).count("job_closed") == 2
    assert [found.entry.summary for found in ada.episodic_query("kept")] == ["kept"]


def break_inside(job: Job) -> None:
    with job:
        promoted(job, "kept")
        raise ZeroDivisionError


def test_the_oldest_open_job_is_given_up_when_there_are_too_many() -> None:
    of = memory(Policy(brainstate=Brainstate(open_jobs_max=2)))
    ada = of.agent("ada")
    jobs = [ada.job(f"seed-{number}") for number in range(3)]

    assert [job.is_open for job in jobs] == [False, True, True]
    assert JobClosed(number=1, replayable=False) in events(of)


# ── Goals ───────────────────────────────────────────────────────────────────────────────────────


def test_goals_are_kept_until_they_are_done() -> None:
    of = memory()
    ada = of.agent("ada")
    job = ada.job("seed-1")
    job.set_goal("b", "brew tea")
    job.set_goal("a", "bake a cake")
    job.set_goal("a", "bake two cakes", status="paused")

    assert [(goal.goal_id, goal.text, goal.status) for goal in job.goals()] == [
        ("a", "bake two cakes", "paused"),
        ("b", "brew tea", "active"),
    ]
    job.set_goal("b", "brew tea", status="succeeded")
    job.commit()

    assert [goal.goal_id for goal in ada.job("seed-2").goals()] == ["a"]
    told = [event.status for event in events(of) if isinstance(event, GoalSet)]
    assert told == ["active", "active", "paused", "succeeded"]


# ── Snapshots ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-004", "A-005", "A-006")
def test_a_job_writes_down_the_three_snapshots_it_begins_with() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.sem_put(KEY, "cerulean")
    ada.remember("tea at noon")
    before = ada.seq
    agent, council = hub(of).stream(stream(of, "agent")), hub(of).stream(stream(of, "council"))

    job = ada.job("seed-1")

    (told,) = opened(of)
    assert told.sem_snapshot_id == f"{council.ref[:8]}@{len(lines(of, 'council'))}"
    assert told.episodic_snapshot_id == f"{agent.ref[:8]}@{before}"
    assert told.brainstate_snapshot_id.startswith(f"bs:{before}:")
    assert (job.sem_snapshot_id, job.episodic_snapshot_id, job.brainstate_snapshot_id) == (
        told.sem_snapshot_id,
        told.episodic_snapshot_id,
        told.brainstate_snapshot_id,
    )


@pytest.mark.covers("A-004")
def test_the_hash_of_the_governed_facts_is_written_down_with_their_snapshot() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.job("without")
    ada.sem_put(KEY, "cerulean")
    ada.job("with")

    known = [[fact.key, fact.value, fact.last_updated] for fact in ada.sem_search("")]
    spelled = json.dumps(known, sort_keys=True, separators=(",", ":")).encode()
    assert [event.sem_snapshot_hash for event in opened(of)] == [
        hashlib.sha256(b"[]").hexdigest(),
        hashlib.sha256(spelled).hexdigest(),
    ]


@pytest.mark.covers("A-006")
def test_the_brainstate_snapshot_names_what_the_job_begins_with() -> None:
    def digest(prepare: str = "", policy: Policy | None = None) -> str:
        ada = memory(policy).agent("ada")
        with ada.job("before", session="s") as job:
            if prepare == "goal":
                job.set_goal("g", "tea")
            if prepare == "item":
                promoted(job, "tea")
        return ada.job("seed-1", session="s").brainstate_snapshot_id.split(":")[2]

    other = Policy(brainstate=Brainstate(promotion_window_ticks=5))
    digests = [digest(), digest("goal"), digest("item"), digest(policy=other)]

    assert digest() == digests[0]
    assert len(set(digests)) == 4


def test_the_brainstate_snapshot_tells_nothing_of_another_persons_goals() -> None:
    def digest(goal: str) -> str:
        of = memory()
        with of.agent("ada", user="mia").job("before") as job:
            job.set_goal("g", goal)
        return of.agent("ada", user="tuff").job("seed-1").brainstate_snapshot_id.split(":")[2]

    assert digest("tea") == digest("coffee")


@pytest.mark.covers("A-007")
def test_the_recorded_snapshots_load_what_the_job_saw_however_much_came_later() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.sem_put(KEY, "cerulean")
    with ada.job("before", session="s") as first:
        promoted(first, "tea at noon")
    job = ada.job("seed-1", session="s")
    seen = (ada.episodic_query("tea"), job.cwm().items, ada.sem_search(""))
    (told,) = [event for event in opened(of) if event.job_seed == "seed-1"]

    ada.sem_put(KEY, "scarlet")
    promoted(job, "tea at five")
    job.commit()
    ada.forget(seen[0][0].entry.episodic_id)

    council_seq = int(told.sem_snapshot_id.split("@")[1])
    loaded = (
        ada.episodic_query("tea", 8, told.episodic_snapshot_id),
        ada.cwm_get(told.brainstate_snapshot_id, session="s").items,
        hub(of).facts.seen_by(TUFF, council_stream("main"), council_seq).facts,
    )
    assert [each.entry for each in loaded[0]] == [each.entry for each in seen[0]]
    assert loaded[1:] == seen[1:]
    assert (ada.episodic_query("tea"), ada.sem_search("")) != (seen[0], seen[2])


@pytest.mark.covers("A-007")
@pytest.mark.parametrize(
    "snapshot",
    ["", "none@0", "ffffffff@3", "@3", "3", "bs:3", "bs:x:00", "bs:99999:00", "bs:-1:00", "٣@٣", 3],
)
def test_a_snapshot_that_is_not_of_this_log_is_not_loaded(snapshot: object) -> None:
    ada = memory().agent("ada")
    ada.remember("tea at noon")

    if snapshot == "":
        assert len(ada.episodic_query("tea", 8, "")) == 1
    else:
        with pytest.raises(InputError):
            ada.episodic_query("tea", 8, snapshot)  # type: ignore[arg-type]
        with pytest.raises(InputError):
            ada.cwm_get(snapshot, session="s")  # type: ignore[arg-type]


@pytest.mark.covers("A-007")
def test_the_snapshot_of_another_persona_is_not_of_this_log() -> None:
    of = memory()
    ada, shadow = of.agent("ada"), of.subconscious("ada")
    foreign = shadow.job("seed-1").episodic_snapshot_id
    ada.remember("tea at noon")

    with pytest.raises(InputError):
        ada.episodic_query("tea", 8, foreign)


# ── Replay ──────────────────────────────────────────────────────────────────────────────────────


def whole_day(of: Memory) -> None:
    """Every layer: promotions, a return, expiry, goals, episodes, a governed fact, two jobs."""
    ada = of.agent("ada", user="tuff")
    one = ada.job("one", session="s", trace_id="trace-one")
    other = ada.job("other", session="s")
    one.set_goal("g", "a good breakfast", major=True)
    promoted(one, {"drink": "tea", "sugar": 0.5})
    (item,) = one.cwm_find()
    for _ in range(3):
        other.reference(item.cwm_id_item)
    other.tick()
    other.wm_insert({"type": "hint", "value": "日本茶", "ttl_ticks": 1})
    other.tick()
    written = one.episodic_write("tea was served", {"cups": 2})
    one.episodic_query("tea")
    request = one.memory_promote_request(written, KEY, "asked twice", value="cerulean")
    of.council("carol").approve(request)
    other.sem_get(KEY)
    one.commit()
    other.commit()


@pytest.mark.covers("A-001", "A-066", "A-111")
def test_every_decision_of_a_day_is_decided_again_and_comes_out_the_same() -> None:
    of = memory()
    whole_day(of)

    proofs = of.prove()

    assert [proof.entries for proof in proofs] == [len(of.log(each)) for each in of.streams()]
    assert all(proof.shredded == 0 for proof in proofs)
    wanted = {"promotion_event", "wm_expired", "cwm_expired", "episodic_written", "memory_recall"}
    assert wanted <= set(types(of))
    assert {"action_request", "vote_cast", "sem_put"} <= set(types(of, "council"))


@pytest.mark.covers("A-003")
@pytest.mark.parametrize("clock", [SteppingClock(), SteppingClock(4_000_000_000_000)])
def test_what_is_decided_does_not_depend_on_the_clock(clock: Clock) -> None:
    def decided(when: Clock) -> list[tuple[str, AnyEvent | Shredded]]:
        of = memory(clock=when)
        with of.agent("ada").job("seed-1") as job:
            promoted(job, "tea")
            job.episodic_write("tea was served")
            job.episodic_write("cake was served")
            job.wm_insert({"value": "gone", "ttl_ticks": 1})
            job.wm_insert({"value": "stays", "ttl_ticks": 9})
            job.set_goal("g", "serve", major=True)
            job.tick()
            assert [entry.value for entry in job.wm_find()] == ["stays"]
            assert len(job.episodic_query("served")) == 2
        return [
            (line.header.ts, line.event)
            for line in lines(of)
            if line.header.job and not isinstance(line.event, Received)
        ]

    assert decided(clock) == decided(SilentClock())


@pytest.mark.covers("A-002")
def test_every_read_of_a_job_can_be_repeated_from_the_heads_it_stood_on() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    reader, writer = ada.job("reader"), ada.job("writer")
    answers = []
    for number in range(4):
        writer.episodic_write(f"tea number {number}")
        answers.append([each.entry.episodic_id for each in reader.episodic_query("tea number")])
        reader.tick()
        if number == 1:
            ada.forget(answers[0][0])
    writer.commit()

    ref = hub(of).stream(stream(of, "agent")).ref
    receipts = [event for event in events(of) if isinstance(event, Recalled)]
    repeated = [ada.episodic_query(each.query, at=each.reads[ref]) for each in receipts]

    assert [list(each.ids) for each in receipts] == answers
    assert [[one.entry.episodic_id for one in found] for found in repeated] == answers
    assert [tuple(one.score_ppm for one in found) for found in repeated] == [
        each.scores_ppm for each in receipts
    ]


READS: dict[str, Callable[[Agent | Job, int | None], object]] = {
    "recall": lambda who, at: [(hit.id, hit.score_ppm) for hit in who.recall("tea", at=at).hits],
    "context": lambda who, at: who.context("tea", at=at).text,
    "episodic_query": lambda who, at: [
        (each.entry.episodic_id, each.score_ppm) for each in who.episodic_query("tea", at=at)
    ],
    "sem_get": lambda who, at: who.sem_get(KEY, at=at).value,
    "sem_search": lambda who, at: [fact.value for fact in who.sem_search("user/", at=at)],
    "rag_query": lambda who, at: [hit.entry.id for hit in who.rag_query("tea", at=at)],
}


@pytest.mark.covers("A-002")
@pytest.mark.parametrize("verb", sorted(READS))
def test_what_a_job_has_read_is_read_again_at_the_entry_it_was_read_at(verb: str) -> None:
    """Reads are at the head; whatever is written since, the entry they stood on gives the same."""
    of = memory()
    ada = of.agent("ada", user="tuff")
    with ada.do("serve the tea") as doing:
        doing.answer("tea number 0 is served")
    ada.remember("tea number 1 is green")
    ada.sem_put(KEY, "cerulean")
    reader = ada.job("reader")
    stood_at = ada.seq
    told = READS[verb](reader, None)

    ada.remember("tea number 2 is black")
    ada.sem_put(KEY, "scarlet")
    with ada.do("serve more tea") as doing:
        doing.answer("tea number 3 is served")
    ada.forget(ada.recall("green tea").hits[0].id)

    assert told
    assert READS[verb](reader, None) != told
    assert READS[verb](reader, stood_at) == told


@pytest.mark.covers("A-107")
def test_no_name_is_drawn_and_equal_seeds_elsewhere_give_other_names() -> None:
    def names(ada: Agent, of: Memory) -> set[str]:
        with ada.job("seed-1") as job:
            promoted(job, "tea")
            job.episodic_write("tea was served")
        episodes = {e.episodic_id for e in events(of) if isinstance(e, EpisodeWritten)}
        return episodes | {line.header.id for line in lines(of) if line.header.job}

    first, again = memory(), memory()
    elsewhere, shadow = memory(tenant="other"), memory()
    told = names(first.agent("ada"), first)

    assert len(told) > 10
    assert names(again.agent("ada"), again) == told
    assert not names(elsewhere.agent("ada"), elsewhere) & told
    assert not names(shadow.subconscious("ada"), shadow) & told


# ── Append only ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-008", "A-009")
def test_whatever_is_done_only_adds_entries_after_those_that_are_there() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    seen: list[bytes] = []

    def still_a_prefix() -> None:
        now = [line.hash for line in lines(of)]
        assert now[: len(seen)] == seen
        assert len(now) > len(seen)
        seen[:] = now

    job = ada.job("seed-1")
    still_a_prefix()
    wm_id = job.wm_insert({"value": "tea"})
    still_a_prefix()
    for _ in range(2):
        job.reference(wm_id)
        still_a_prefix()
    job.tick()
    still_a_prefix()
    written = job.episodic_write("tea was served")
    still_a_prefix()
    ada.forget(written)
    still_a_prefix()
    with pytest.raises(RefusedError):
        job.reference("nothing")
    still_a_prefix()
    job.commit()
    still_a_prefix()


@pytest.mark.covers("A-009")
def test_an_overwritten_fact_leaves_both_values_in_the_log() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.sem_put(KEY, "cerulean")
    ada.remember("before")
    then = ada.seq
    ada.sem_get(KEY)
    ada.remember("the entry that saw the first value")
    seen = ada.seq

    ada.sem_put(KEY, "scarlet")

    assert types(of, "council").count("sem_put") == 2
    assert ada.sem_get(KEY).value == "scarlet"
    assert ada.sem_get(KEY, at=seen).value == "cerulean"
    assert then < seen


@pytest.mark.covers("A-098")
def test_every_entry_of_a_job_leads_to_its_trace() -> None:
    of = memory()
    ada = of.agent("ada")
    with ada.job("seed-1", trace_id="trace-1") as job, ada.job("seed-2") as other:
        promoted(job, "tea")
        for each in (job, other):
            each.episodic_query("tea")
            each.sem_get(KEY)
            each.sem_search("user/")
            each.recall("tea")
            each.rag_query("tea")
            each.context("tea")
        other.episodic_write("tea was served")
        job.set_goal("g", "tea")

    traces = {event.number: event.trace_id for event in opened(of)}
    assert traces[1] == "trace-1"
    assert traces[2] == next(line.header.id for line in lines(of) if line.header.job == 2)
    assert {line.header.job for line in lines(of, after=2)} == set(traces)
    asked: dict[int, list[str]] = {job: [] for job in traces}
    for line in lines(of, after=2):
        if isinstance(line.event, Received):
            asked[line.header.job].append(line.event.asked)
    for number in traces:  # reads and writes alike
        assert asked[number].count("record_recall") == 5
        assert asked[number].count("record_context") == 1
    assert {"wm_insert", "reference", "tick", "set_goal"} <= set(asked[1])
    assert "episodic_write" in asked[2]
    written = [event for event in events(of) if isinstance(event, EpisodeWritten)]
    assert {event.trace_id for event in written} == set(traces.values())


# ── Canonical bytes ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-110")
def test_the_order_of_keys_and_the_spelling_of_numbers_change_no_hash() -> None:
    def head(value: object) -> bytes:
        of = memory()
        of.agent("ada").job("seed-1").wm_insert({"value": value})
        return lines(of)[-1].hash

    assert head({"b": 1, "a": 0.30000000000000004}) == head({"a": 0.1 + 0.2, "b": 1})
    assert head({"a": 1e2}) == head({"a": 100.0})
    assert head("caf\u00e9") == head("cafe\u0301")
    assert head({"a": 1}) != head({"a": 1.5})
    assert head({"a": 1}) != head({"a": True})


@pytest.mark.covers("A-110")
def test_what_is_hashed_is_canonical_json_without_any_fraction() -> None:
    of = memory()
    of.agent("ada").job("seed-1").wm_insert({"value": {"z": 0.1, "🌍": [1], "\ufb01": None}})
    store, ref = hub(of).parts.store, hub(of).stream(stream(of, "agent")).ref

    for entry in store.read(ref):
        assert entry.header == rfc8785.dumps(json.loads(entry.header))
        assert canonical_json.parse(entry.header) == json.loads(entry.header)
