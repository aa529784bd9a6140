"""Consolidated memory: what a session keeps together, by promotion and in no other way."""

import msgspec
import pytest
from tests.world import SteppingClock, events, hub, lines, memory, stream, types

from muniment import Agent, Job
from muniment.engine.api.memory import Memory
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.model.commands import AnyCommand
from muniment.model.errors import RefusedError
from muniment.model.events import (
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    EpisodeWritten,
    JobOpened,
    Promoted,
    WorkingInserted,
)
from muniment.model.kinds.episode import ConsolidatedItem
from muniment.model.policy import Brainstate, Policy


def world(**constants: int) -> Memory:
    return memory(Policy(brainstate=msgspec.convert(constants, Brainstate)))


def promoted(job: Job, value: object = "tea", uses: int = 2) -> ConsolidatedItem:
    """Insert a value and use it until the next tick promotes it."""
    wm_id = job.wm_insert({"type": "fact", "value": value})
    for _ in range(uses):
        job.reference(wm_id)
    job.tick()
    (item,) = job.cwm_find({"promoted_from": wm_id})
    return item


def promotions(of: Memory) -> list[Promoted]:
    return [event for event in events(of) if isinstance(event, Promoted)]


def ttls(job: Job) -> list[int]:
    return [item.ttl_ticks_cwm for item in job.cwm_find()]


# ── Promotion ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-025", "A-060", "A-063", "A-091")
def test_two_uses_move_an_item_into_consolidated_memory_at_the_next_tick() -> None:
    job = world().agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea"})
    job.reference(wm_id)
    job.reference(wm_id)
    assert (len(job.wm_find()), job.cwm_find()) == (1, [])

    job.tick()

    assert job.wm_find() == []
    assert [item.value for item in job.cwm_find()] == ["tea"]


@pytest.mark.covers("A-061", "A-062")
def test_two_references_within_four_ticks_are_the_defaults() -> None:
    constants = Policy().brainstate

    assert (constants.promotion_references, constants.promotion_window_ticks) == (2, 4)


@pytest.mark.covers("A-025", "A-060", "A-061", "A-062")
@pytest.mark.parametrize(
    ("uses_at", "promoted_at"),
    [
        ([0], None),
        ([0, 0], 0),
        ([0, 1], 1),
        ([0, 3], 3),
        ([0, 4], None),
        ([0, 4, 7], 7),
        ([0, 4, 8, 12], None),
        ([2, 2], 2),
        ([0, 5, 5], 5),
    ],
)
def test_the_window_slides_over_the_last_four_ticks(
    uses_at: list[int], promoted_at: int | None
) -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea", "ttl_ticks": 99})

    for tick in range(max(uses_at) + 1):
        for _ in range(uses_at.count(tick)):
            job.reference(wm_id)
        job.tick()

    assert [event.tick for event in promotions(of)] == (
        [] if promoted_at is None else [promoted_at]
    )


@pytest.mark.covers("A-026", "A-060")
def test_the_constants_are_those_of_the_snapshot_the_job_began_with() -> None:
    of = world(promotion_references=3, promotion_window_ticks=2)
    job = of.agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea", "ttl_ticks": 9})

    job.reference(wm_id)
    job.tick()
    job.reference(wm_id)
    job.tick()
    assert job.cwm_find() == []
    job.reference(wm_id)
    job.reference(wm_id)
    job.tick()

    assert len(job.cwm_find()) == 1


@pytest.mark.covers("A-026")
def test_the_constants_change_between_jobs_and_never_inside_one() -> None:
    of = world()
    ada, admin = of.agent("ada"), of.admin()
    eager = Policy(brainstate=Brainstate(promotion_references=1))
    job = ada.job("before")
    with pytest.raises(RefusedError) as refused:
        admin.adopt_policy(eager, agent="ada")
    job.reference(job.wm_insert({"value": "tea"}))
    job.tick()
    assert job.cwm_find() == []
    job.commit()

    admin.adopt_policy(eager, agent="ada")
    after = ada.job("after")
    after.reference(after.wm_insert({"value": "tea"}))
    after.tick()

    assert refused.value.reason == "policy_change_inside_job"
    assert len(after.cwm_find()) == 1
    assert after.brainstate_snapshot_id != job.brainstate_snapshot_id


def test_an_item_used_on_its_last_tick_is_promoted_and_does_not_expire() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea", "ttl_ticks": 1})
    job.reference(wm_id)
    job.reference(wm_id)

    job.tick()

    assert [item.value for item in job.cwm_find()] == ["tea"]
    assert "wm_expired" not in types(of)


@pytest.mark.covers("A-060", "A-065")
def test_of_several_items_due_in_one_tick_the_oldest_is_promoted_first() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    names = [job.wm_insert({"value": word}) for word in ("first", "second", "third")]
    for wm_id in [*names[::-1], *names]:
        job.reference(wm_id)

    job.tick()

    assert [event.wm_id for event in promotions(of)] == names


@pytest.mark.covers("A-064", "A-107")
def test_a_promotion_is_an_event_whose_id_follows_from_the_seed() -> None:
    def run(seed: str) -> Promoted:
        of = world()
        promoted(of.agent("ada").job(seed))
        (event,) = promotions(of)
        return event

    first, again, other = run("seed-1"), run("seed-1"), run("seed-2")

    assert first == again
    assert first.wm_id == "wm:seed-1:1"
    assert len(first.event_id) == 32
    assert first.event_id != other.event_id


@pytest.mark.covers("A-034")
def test_nobody_can_promote_what_is_not_due() -> None:
    job = world().agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea"})
    job.reference(wm_id)

    with pytest.raises(RefusedError) as refused:
        job.promote(wm_id)

    assert refused.value.reason == "promotion_not_due"
    assert job.cwm_find() == []


@pytest.mark.covers("A-034")
def test_no_command_carries_an_item_into_consolidated_memory() -> None:
    named = {kind.__struct_config__.tag for kind in AnyCommand.__args__}

    assert not {name for name in named if "cwm" in str(name) or "consolidate" in str(name)}


@pytest.mark.covers("A-034")
def test_every_item_was_promoted_from_working_memory() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    job.set_goal("g", "brew", major=True)
    items = [promoted(job, word) for word in ("tea", "cake")]

    assert [item.promoted_from for item in items] == [event.wm_id for event in promotions(of)]
    assert all(item.promoted_from_wm for item in job.cwm_find())


def test_one_promotion_by_name_is_enough() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "tea"})
    job.reference(wm_id)
    job.reference(wm_id)

    job.promote(wm_id)
    with pytest.raises(RefusedError) as refused:
        job.promote(wm_id)
    job.tick()

    assert refused.value.reason == "PROMOTION_LOOP"
    assert len(promotions(of)) == 1


# ── What it looks like ──────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-030", "A-031", "A-032", "A-033")
def test_consolidated_memory_has_the_fields_of_the_specification() -> None:
    job = world().agent("ada").job("seed-1", session="breakfast")
    job.set_goal("g", "a warm drink", major=True)
    item = promoted(job, {"drink": "tea"})

    found = msgspec.to_builtins(job.cwm())

    assert found["cwm_id"] == "cwm:breakfast"
    assert found["topic"] == "a warm drink"
    assert found["token_estimate"] == item.token_estimate == 4
    (kept,) = found["items"]
    assert kept["cwm_id_item"] == "cwm:breakfast:wm:seed-1:1"
    assert kept["value"] == {"drink": "tea"}
    assert kept["promoted_from_wm"] is True


@pytest.mark.covers("A-030")
def test_without_a_session_it_is_named_after_the_job() -> None:
    job = world().agent("ada").job("seed-1")

    assert job.cwm().cwm_id == "cwm:seed-1"
    assert job.cwm().items == ()


@pytest.mark.parametrize("value", [0.5, {"ratio": [1.25, None]}, "日本茶 🍵", None, ""])
def test_a_value_is_the_same_after_its_promotion(value: object) -> None:
    ada = world().agent("ada")
    job = ada.job("seed-1", session="s")
    item = promoted(job, value)

    assert item.value == value
    assert job.cwm().items[0].value == value
    assert job.cwm_get().items[0].value == value
    assert ada.cwm_get(session="s").items[0].value == value


# ── The token cap ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-033", "A-035", "A-065")
def test_the_most_used_items_stay_within_the_cap() -> None:
    of = world(consolidated_token_cap=10)
    job = of.agent("ada").job("seed-1")

    for word, uses in (("aaaa" * 3, 2), ("bbbb" * 3, 4), ("cccc" * 3, 3)):  # four tokens each
        wm_id = job.wm_insert({"value": word})
        for _ in range(uses):
            job.reference(wm_id)
    job.tick()

    assert [item.value for item in job.cwm_find()] == ["bbbb" * 3, "cccc" * 3]
    assert job.cwm().token_estimate == 8
    last = [event for event in events(of) if isinstance(event, ConsolidatedRecomputed)][-1]
    assert last.dropped == ("cwm:seed-1:wm:seed-1:1",)
    assert last.token_estimate == 8


@pytest.mark.covers("A-035", "A-065")
def test_of_equally_used_items_the_newest_stay() -> None:
    job = world(consolidated_token_cap=8).agent("ada").job("seed-1")

    for word in ("aaaa" * 3, "bbbb" * 3, "cccc" * 3):
        wm_id = job.wm_insert({"value": word})
        job.reference(wm_id)
        job.reference(wm_id)
        job.tick()

    assert [item.value for item in job.cwm_find()] == ["cccc" * 3, "bbbb" * 3]


@pytest.mark.covers("A-035")
def test_an_item_larger_than_the_whole_cap_stays_in_working_memory() -> None:
    """Nothing is lost by being used: what could never be held is not moved."""
    of = world(consolidated_token_cap=4)
    job = of.agent("ada").job("seed-1")
    wm_id = job.wm_insert({"value": "x" * 400})
    job.reference(wm_id)
    job.reference(wm_id)

    with pytest.raises(RefusedError, match="promotion_too_large"):
        job.promote(wm_id)
    job.tick()

    assert [entry.wm_id for entry in job.wm_find()] == [wm_id]
    assert (job.cwm_find(), job.cwm().token_estimate, promotions(of)) == ([], 0, [])
    assert of.prove()


@pytest.mark.covers("A-035")
def test_an_item_that_fits_the_cap_exactly_is_promoted_beside_one_that_does_not() -> None:
    of = world(consolidated_token_cap=4)
    job = of.agent("ada").job("seed-1")
    small, large = (job.wm_insert({"value": "x" * letters}) for letters in (4, 400))
    for wm_id in (small, small, large, large):
        job.reference(wm_id)

    job.tick()

    assert [item.promoted_from for item in job.cwm_find()] == [small]
    assert [entry.wm_id for entry in job.wm_find()] == [large]


# ── When it is recomputed ───────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-036")
def test_it_is_recomputed_when_an_item_is_promoted_and_when_a_major_goal_starts() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")

    promoted(job)
    job.set_goal("small", "stir the tea")
    job.set_goal("waiting", "some day", major=True, status="paused")
    job.set_goal("big", "give a party", major=True)

    told = [event for event in events(of) if isinstance(event, ConsolidatedRecomputed)]
    assert [(each.cause, each.topic) for each in told] == [
        ("promotion", ""),
        ("goal", "give a party"),
    ]
    assert job.cwm().topic == "give a party"
    assert len(job.cwm_find()) == 1


def test_a_topic_stays_until_another_major_goal_starts() -> None:
    job = world().agent("ada").job("seed-1")
    job.set_goal("one", "tea", major=True)
    promoted(job)
    assert job.cwm().topic == "tea"

    job.set_goal("two", "cake", major=True)

    assert job.cwm().topic == "cake"


def test_a_goal_without_any_item_leaves_nothing_on_the_desk_when_its_job_ends() -> None:
    of = world()
    ada = of.agent("ada")
    for number in range(3):
        with ada.job(f"seed-{number}") as job:
            job.set_goal(f"goal-{number}", "something large", major=True)

    desk = hub(of).writer(stream(of, "agent")).desk
    assert desk.consolidated.sessions == {}
    assert desk.consolidated.members == {}


# ── How long it lives ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-012", "A-038", "A-039")
def test_an_item_lives_ten_ticks_counted_from_its_promotion() -> None:
    clock = SteppingClock()
    of = memory(clock=clock)
    job = of.agent("ada").job("seed-1")
    promoted(job)
    assert promotions(of)[0].ttl_ticks_cwm == 10

    seen = [ttls(job)]
    for _ in range(8):
        job.tick()
        clock.later(days=400)
        seen.append(ttls(job))
    assert seen == [[9], [8], [7], [6], [5], [4], [3], [2], [1]]

    job.tick()
    assert job.cwm_find() == []
    assert events(of)[-1] == ConsolidatedExpired(
        cwm_id="cwm:seed-1", cwm_id_item="cwm:seed-1:wm:seed-1:1", reason="ttl"
    )


@pytest.mark.covers("A-039")
def test_an_item_does_not_age_in_a_tick_in_which_it_was_used() -> None:
    job = world().agent("ada").job("seed-1")
    used = promoted(job, "used")
    promoted(job, "unused")
    before = {item.value: item.ttl_ticks_cwm for item in job.cwm_find()}

    job.reference(used.cwm_id_item)
    job.tick()
    job.tick()

    after = {item.value: item.ttl_ticks_cwm for item in job.cwm_find()}
    assert after == {"used": before["used"] - 1, "unused": before["unused"] - 2}


@pytest.mark.covers("A-039")
def test_a_use_in_one_job_does_not_keep_an_item_young_in_the_ticks_of_another() -> None:
    ada = world().agent("ada")
    first = ada.job("first", session="s")
    item = promoted(first)
    second = ada.job("second", session="s")
    second.reference(item.cwm_id_item)  # at the second job's tick 0
    second.tick()
    assert ttls(second) == [item.ttl_ticks_cwm]

    third = ada.job("third", session="s")
    third.tick()  # ends the third job's tick 0, in which nobody used it

    assert ttls(third) == [item.ttl_ticks_cwm - 1]


@pytest.mark.covers("A-040")
def test_heavy_use_brings_an_item_back_under_a_new_name() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    item = promoted(job)

    for _ in range(3):
        job.reference(item.cwm_id_item)
    job.tick()

    assert job.cwm_find() == []
    (back,) = job.wm_find()
    assert (back.value, back.wm_id) == ("tea", "wm:seed-1:2")
    assert (back.demoted_from, back.references, back.ttl_ticks) == (item.cwm_id_item, 0, 3)
    assert isinstance(events(of)[-1], WorkingInserted)


@pytest.mark.covers("A-040")
def test_what_came_back_can_be_promoted_again() -> None:
    of = world()
    job = of.agent("ada").job("seed-1")
    item = promoted(job)
    for _ in range(3):
        job.reference(item.cwm_id_item)
    job.tick()

    (back,) = job.wm_find()
    job.reference(back.wm_id)
    job.reference(back.wm_id)
    job.tick()

    assert [event.wm_id for event in promotions(of)] == ["wm:seed-1:1", "wm:seed-1:2"]
    assert [each.value for each in job.cwm_find()] == ["tea"]
    assert of.prove()


@pytest.mark.covers("A-040")
def test_two_uses_are_not_heavy_and_old_uses_do_not_add_up() -> None:
    job = world().agent("ada").job("seed-1")
    item = promoted(job)

    for _ in range(2):
        job.reference(item.cwm_id_item)
        job.reference(item.cwm_id_item)
        for _ in range(4):
            job.tick()

    assert [each.value for each in job.cwm_find()] == ["tea"]


def test_uses_in_jobs_of_long_ago_are_not_heavy_use_now() -> None:
    ada = world().agent("ada")
    with ada.job("first", session="s") as first:
        item = promoted(first)
        first.reference(item.cwm_id_item)
        first.reference(item.cwm_id_item)
        for _ in range(5):
            first.tick()

    second = ada.job("second", session="s")
    second.tick()
    second.reference(item.cwm_id_item)
    second.tick()

    assert [each.value for each in second.cwm_find()] == ["tea"]


# ── Sessions ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-029")
def test_a_session_carries_its_items_from_one_job_to_the_next() -> None:
    ada = world().agent("ada")
    with ada.job("first", session="s") as first:
        promoted(first, "tea")

    second = ada.job("second", session="s")
    promoted(second, "cake")

    assert sorted(str(item.value) for item in second.cwm_find()) == ["cake", "tea"]
    assert ada.job("third", session="other").cwm_find() == []
    assert ada.job("fourth").cwm_find() == []


@pytest.mark.covers("A-029")
def test_two_open_jobs_of_a_session_share_what_either_promotes() -> None:
    of = world()
    ada = of.agent("ada")
    one, other = ada.job("one", session="s"), ada.job("other", session="s")

    promoted(one, "tea")
    promoted(other, "cake")

    assert {item.value for item in one.cwm_find()} == {"tea", "cake"}
    assert one.cwm_find() == other.cwm_find()
    assert of.prove()


@pytest.mark.covers("A-029")
def test_without_a_session_nothing_outlives_the_job() -> None:
    of = world()
    with of.agent("ada").job("seed-1") as job:
        promoted(job)

    assert hub(of).writer(stream(of, "agent")).desk.consolidated.sessions == {}


@pytest.mark.parametrize("filled", [True, False])
def test_a_job_cannot_take_the_name_of_a_session_and_end_it(*, filled: bool) -> None:
    ada = world().agent("ada")
    member = ada.job("member", session="kitchen")
    if filled:
        promoted(member)

    with pytest.raises(RefusedError) as refused:
        ada.job("kitchen")

    assert refused.value.reason == "job_seed_used"
    assert len(member.cwm_find()) == (1 if filled else 0)
    assert ada.job("kitchen", session="kitchen").cwm_find() == member.cwm_find()


def test_the_session_that_was_fed_longest_ago_makes_room() -> None:
    of = world(sessions_max=2)
    ada = of.agent("ada")

    for session in ("one", "two", "three"):
        with ada.job(f"seed-{session}", session=session) as job:
            promoted(job, session)

    assert [ada.cwm_get(session=each).items != () for each in ("one", "two", "three")] == [
        False,
        True,
        True,
    ]


# ── Job end ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-037", "A-050", "A-067", "A-068")
def test_at_job_end_a_summary_of_it_becomes_an_episode() -> None:
    of = world()
    ada = of.agent("ada")
    with ada.job("seed-1", trace_id="trace-1") as job:
        job.set_goal("g", "breakfast", major=True)
        promoted(job, "tea")
        promoted(job, {"cake": 2})
        at_the_end = job.cwm()

    (opened,) = [event for event in events(of) if isinstance(event, JobOpened)]
    (written,) = [event for event in events(of) if isinstance(event, EpisodeWritten)]
    assert (written.form, written.source) == ("summary", "brainstate")
    assert written.summary == 'breakfast: {"cake":2}; tea'
    assert [each.sem_snapshot_hash for each in written.evidence] == [opened.sem_snapshot_hash]
    assert written.trace_id == "trace-1"
    assert ada.get_by_id(written.reflective_log_id).header.type == "received"
    assert written.payload == {
        "cwm": {
            "cwm_id": "cwm:seed-1",
            "topic": "breakfast",
            "items": [
                {"cwm_id_item": i.cwm_id_item, "value": i.value, "promoted_from_wm": True}
                for i in at_the_end.items
            ],
            "token_estimate": at_the_end.token_estimate,
        }
    }


@pytest.mark.covers("A-067")
def test_the_summary_is_the_same_whenever_the_job_is_run_again() -> None:
    def run() -> list[EpisodeWritten]:
        of = world()
        with of.agent("ada").job("seed-1") as job:
            promoted(job, {"b": 1, "a": [0.5]})
        return [event for event in events(of) if isinstance(event, EpisodeWritten)]

    assert run() == run()
    assert len(run()) == 1


def test_a_job_that_consolidated_nothing_writes_no_summary() -> None:
    of = world()
    with of.agent("ada").job("seed-1") as job:
        job.wm_insert({"value": "tea"})
        job.tick()

    assert "episodic_written" not in types(of)


@pytest.mark.covers("A-037", "A-069", "A-157")
def test_a_session_fact_goes_up_to_an_episode_and_no_governed_fact_changes() -> None:
    of = world()
    ada = of.agent("ada", user="tuff")
    with ada.job("seed-1", session="s") as job:
        wm_id = job.wm_insert({"type": "fact", "value": "likes tea"})
        job.reference(wm_id)
        assert job.wm_find() != []
        job.reference(wm_id)
        job.tick()
        assert (job.wm_find(), len(job.cwm_find())) == ([], 1)

    assert [found.entry.summary for found in ada.episodic_query("tea")] == ["likes tea"]
    assert ada.sem_search("") == []
    assert of.council().requests() == []
    assert [each.kind for each in of.streams()] == ["agent"]


# ── Reading it ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-086")
def test_items_are_found_by_exact_structure() -> None:
    job = world().agent("ada").job("seed-1")
    promoted(job, {"kind": "tea", "hot": True})
    promoted(job, {"kind": "cake"})

    assert [i.value for i in job.cwm_find({"value.kind": "tea"})] == [{"kind": "tea", "hot": True}]
    assert [i.value for i in job.cwm_find({"value": {"kind": "cake"}})] == [{"kind": "cake"}]
    assert len(job.cwm_find({"value.hot": {"$exists": False}})) == 1
    assert job.cwm_find({"value.kind": "te"}) == []
    assert job.cwm_find({"value.hot": 1}) == []


@pytest.mark.covers("A-092", "A-007")
def test_a_job_reads_consolidated_memory_as_its_snapshot_had_it() -> None:
    ada = world().agent("ada")
    with ada.job("first", session="s") as first:
        promoted(first, "tea")
        then = first.cwm()
    second = ada.job("second", session="s")
    promoted(second, "cake")

    found = second.cwm_get(second.brainstate_snapshot_id)

    assert [item.value for item in found.items] == ["tea"]
    assert found.items == then.items
    assert len(second.cwm_get().items) == 2


@pytest.mark.covers("A-092")
def test_reading_consolidated_memory_changes_nothing() -> None:
    ada = world().agent("ada")
    job = ada.job("seed-1", session="s")
    promoted(job)
    before = job.seq

    found = job.cwm_get(job.brainstate_snapshot_id)
    again = ada.cwm_get(session="s")
    with pytest.raises(AttributeError):
        again.topic = "changed"  # type: ignore[misc]

    assert found.items == ()
    assert job.seq == before


@pytest.mark.covers("A-066", "A-111", "A-150")
def test_promotions_are_decided_again_from_the_same_ticks() -> None:
    of = world()
    busy(of.agent("ada"))

    (proof,) = of.prove()

    live = hub(of).writer(stream(of, "agent")).desk
    folded = desks.fold(Desk(), lines(of))
    assert proof.entries == len(lines(of))
    assert folded.consolidated == live.consolidated
    assert len(promotions(of)) == 4


def busy(ada: Agent) -> None:
    """Two jobs of a session side by side, with promotions, expiry and a return."""
    one, other = ada.job("one", session="s"), ada.job("other", session="s")
    item = promoted(one, "tea")
    promoted(other, {"cake": 0.5})
    for _ in range(3):
        other.reference(item.cwm_id_item)
    one.tick()
    other.tick()
    promoted(one, "jam")
    promoted(other, "bread")
    other.commit()
