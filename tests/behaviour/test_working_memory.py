"""Working memory: what a job holds for a few ticks, newest first."""

import pytest
from tests.world import SteppingClock, events, hub, lines, memory, stream, types

from muniment import Job
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.errors import InputError, JobClosedError, RefusedError
from muniment.model.events import EpisodeWritten, Received, WorkingExpired, WorkingInserted
from muniment.model.kinds.episode import WorkingType
from muniment.model.policy import Brainstate, Policy

TEMP = {"type": "temp", "value": "noted"}


def working(policy: Brainstate | None = None, seed: str = "seed-1") -> Job:
    return memory(Policy(brainstate=policy or Brainstate())).agent("ada").job(seed)


def values(job: Job) -> list[object]:
    return [entry.value for entry in job.wm_find()]


# ── What an entry is ────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-014")
def test_the_newest_entry_stands_first() -> None:
    job = working()

    for word in ("first", "second", "third"):
        job.wm_insert({"type": "hint", "value": word})

    assert values(job) == ["third", "second", "first"]


@pytest.mark.covers("A-014")
def test_using_an_old_entry_does_not_move_it() -> None:
    job = working()
    old = job.wm_insert({"value": "old"})
    job.wm_insert({"value": "new"})

    job.reference(old)

    assert values(job) == ["new", "old"]


@pytest.mark.covers("A-015", "A-090", "A-107")
def test_entries_are_named_after_the_seed_and_counted() -> None:
    job = working(seed="seed-7")

    names = [job.wm_insert(TEMP), job.wm_insert(TEMP)]
    job.tick()
    names.append(job.wm_insert(TEMP))

    assert names == ["wm:seed-7:1", "wm:seed-7:2", "wm:seed-7:3"]
    assert [entry.wm_id for entry in job.wm_find()] == names[::-1]


@pytest.mark.covers("A-015")
def test_a_name_is_not_given_again_after_its_entry_is_gone() -> None:
    job = working()
    job.wm_insert(TEMP | {"ttl_ticks": 1})
    job.tick()

    assert job.wm_find() == []
    assert job.wm_insert(TEMP) == "wm:seed-1:2"


@pytest.mark.covers("A-016")
@pytest.mark.parametrize("kind", ["fact", "context", "hint", "temp"])
def test_an_entry_has_one_of_four_types(kind: str) -> None:
    job = working()

    job.wm_insert({"type": kind, "value": 1})

    assert [entry.type for entry in job.wm_find({"type": kind})] == [kind]


@pytest.mark.covers("A-016")
@pytest.mark.parametrize("kind", ["note", "", "FACT", None, 3, [], {}])
def test_another_type_is_no_type(kind: object) -> None:
    job = working()
    before = job.seq

    with pytest.raises(InputError):
        job.wm_insert({"type": kind, "value": 1})

    assert job.seq == before


@pytest.mark.covers("A-017")
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -1,
        INTEGER_MAX,
        0.1,
        -0.0,
        1e300,
        5e-324,
        "",
        "naïve 東京 🌍 \u202e",
        "\x00",
        [],
        {},
        [1, [2, [3, {"four": None}]]],
        {"": 0, "a b": 1, "ü": 2, "🌍": 3},
        {"$fraction": "not a number", "$$": 1, "$exists": True},
    ],
)
def test_a_value_is_any_json_and_comes_back_as_it_was_given(value: object) -> None:
    job = working()

    wm_id = job.wm_insert({"value": value})

    (found,) = job.wm_find({"wm_id": wm_id})
    assert found.value == value
    assert type(found.value) is type(value)


@pytest.mark.covers("A-017")
@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        INTEGER_MAX + 1,
        -INTEGER_MAX - 1,
        object(),
        {1, 2},
        b"bytes",
        {1: "a number is no key"},
        "\ud800",
        {"\udfff": 1},
        "x" * 300_000,
        ["x" * 100_000] * 3,
    ],
)
def test_what_is_not_json_is_refused_and_changes_nothing(value: object) -> None:
    job = working()
    before = job.seq

    with pytest.raises(InputError):
        job.wm_insert({"value": value})

    assert job.seq == before
    assert job.wm_insert(TEMP) == "wm:seed-1:1"


def test_a_value_nested_without_end_is_refused() -> None:
    job = working()
    deep: object = 0
    for _ in range(10_000):
        deep = [deep]

    with pytest.raises(InputError, match="deeper"):
        job.wm_insert({"value": deep})


@pytest.mark.parametrize(
    "entry", [None, [], "text", {}, {"type": "fact"}, TEMP | {"wm_id": "mine"}]
)
def test_an_entry_without_a_value_or_with_foreign_fields_is_refused(entry: object) -> None:
    job = working()

    with pytest.raises(InputError):
        job.wm_insert(entry)  # type: ignore[arg-type]


@pytest.mark.covers("A-018")
def test_an_entry_knows_the_tick_it_was_created_at() -> None:
    job = working()
    job.wm_insert(TEMP | {"ttl_ticks": 9})
    job.tick()
    job.tick()
    job.wm_insert(TEMP)

    assert [entry.created_at_tick for entry in job.wm_find()] == [2, 0]


# ── How long it lives ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-019", "A-022")
def test_an_entry_that_names_no_life_lives_three_ticks() -> None:
    job = working()
    job.wm_insert(TEMP)

    seen = []
    for _ in range(3):
        seen.append([entry.ttl_ticks for entry in job.wm_find()])
        job.tick()

    assert seen == [[3], [2], [1]]
    assert job.wm_find() == []


@pytest.mark.covers("A-019")
def test_the_policy_sets_the_default_life() -> None:
    job = working(Brainstate(working_ttl_ticks=7))
    job.wm_insert(TEMP)

    assert [entry.ttl_ticks for entry in job.wm_find()] == [7]


@pytest.mark.covers("A-022", "A-091")
def test_a_tick_takes_one_from_every_entry() -> None:
    job = working()
    for ttl in (5, 9, 2):
        job.wm_insert(TEMP | {"ttl_ticks": ttl})

    job.tick()

    assert [entry.ttl_ticks for entry in job.wm_find()] == [1, 8, 4]


@pytest.mark.covers("A-023")
@pytest.mark.parametrize(("ttl", "ticks"), [(0, 1), (1, 1), (2, 2), (5, 5)])
def test_an_entry_is_removed_when_nothing_of_its_life_is_left(ttl: int, ticks: int) -> None:
    job = working()
    wm_id = job.wm_insert(TEMP | {"ttl_ticks": ttl})

    for _ in range(ticks - 1):
        job.tick()
    assert [entry.wm_id for entry in job.wm_find()] == [wm_id]

    job.tick()
    assert job.wm_find() == []


@pytest.mark.covers("A-023")
def test_a_removal_is_written_down() -> None:
    world = memory()
    job = world.agent("ada").job("seed-1")
    wm_id = job.wm_insert(TEMP | {"ttl_ticks": 1})

    job.tick()

    assert events(world)[-1] == WorkingExpired(wm_id=wm_id, reason="ttl")


def test_the_longest_life_there_is_outlasts_many_ticks() -> None:
    job = working()
    job.wm_insert(TEMP | {"ttl_ticks": INTEGER_MAX})

    for _ in range(50):
        job.tick()

    assert [entry.ttl_ticks for entry in job.wm_find()] == [INTEGER_MAX - 50]


@pytest.mark.parametrize("ttl", [-1, 1.5, True, "3", INTEGER_MAX + 1, [3]])
def test_a_life_is_a_whole_number_of_ticks(ttl: object) -> None:
    job = working()

    with pytest.raises(InputError):
        job.wm_insert(TEMP | {"ttl_ticks": ttl})


@pytest.mark.covers("A-012")
def test_a_thousand_days_are_not_one_tick() -> None:
    clock = SteppingClock()
    job = memory(clock=clock).agent("ada").job("seed-1")
    job.wm_insert(TEMP | {"ttl_ticks": 2})

    clock.later(days=1000)
    job.wm_insert(TEMP)

    assert [entry.ttl_ticks for entry in job.wm_find()] == [3, 2]
    job.tick()
    assert [entry.ttl_ticks for entry in job.wm_find()] == [2, 1]
    job.tick()
    assert [entry.ttl_ticks for entry in job.wm_find()] == [1]


def test_the_oldest_entry_makes_room_when_the_desk_is_full() -> None:
    world = memory(Policy(brainstate=Brainstate(working_capacity_items=2)))
    job = world.agent("ada").job("seed-1")

    for word in ("first", "second", "third"):
        job.wm_insert({"value": word})

    assert values(job) == ["third", "second"]
    assert WorkingExpired(wm_id="wm:seed-1:1", reason="capacity") in events(world)


# ── Being used ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-020", "A-024")
def test_each_use_counts_one_reference_and_only_for_the_item_used() -> None:
    job = working(Brainstate(promotion_references=9))
    used = job.wm_insert(TEMP)
    job.wm_insert(TEMP)

    counts = [references(job)]
    for _ in range(3):
        job.reference(used)
        counts.append(references(job))

    assert counts == [[0, 0], [0, 1], [0, 2], [0, 3]]


def references(job: Job) -> list[int]:
    return [entry.references for entry in job.wm_find()]


@pytest.mark.covers("A-024")
def test_looking_is_not_using() -> None:
    job = working()
    job.wm_insert(TEMP)

    job.wm_find()
    job.wm_find({"value": "noted"})

    assert references(job) == [0]


def test_a_use_does_not_lengthen_a_life() -> None:
    job = working(Brainstate(promotion_references=9))
    wm_id = job.wm_insert(TEMP | {"ttl_ticks": 2})

    job.reference(wm_id)
    job.tick()
    job.reference(wm_id)
    job.tick()

    assert job.wm_find() == []


def test_a_policy_may_let_a_use_lengthen_a_life() -> None:
    job = working(Brainstate(promotion_references=9, reference_refreshes_ttl=True))
    wm_id = job.wm_insert(TEMP)

    for _ in range(5):
        job.tick()
        job.reference(wm_id)

    assert [entry.ttl_ticks for entry in job.wm_find()] == [3]


@pytest.mark.parametrize("name", ["wm:seed-1:2", "wm:other:1", "", "ep:nothing", "𝕨𝕞:seed-1:1"])
def test_what_is_not_there_cannot_be_used_and_the_refusal_is_kept(name: str) -> None:
    world = memory()
    job = world.agent("ada").job("seed-1")
    job.wm_insert(TEMP)

    with pytest.raises(RefusedError) as refused:
        job.reference(name)

    assert refused.value.reason == "item_unknown"
    assert types(world)[-1] == "memory_denied"
    assert references(job) == [0]


def test_an_expired_item_cannot_be_used_any_more() -> None:
    job = working()
    gone = job.wm_insert(TEMP | {"ttl_ticks": 1})
    job.reference(gone)
    job.tick()

    with pytest.raises(RefusedError) as refused:
        job.reference(gone)

    assert refused.value.reason == "item_unknown"


# ── Whose it is ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-013")
def test_working_memory_belongs_to_one_job() -> None:
    ada = memory().agent("ada")
    one, other = ada.job("one"), ada.job("other")
    mine = one.wm_insert(TEMP)

    assert other.wm_find() == []
    with pytest.raises(RefusedError):
        other.reference(mine)


@pytest.mark.covers("A-013", "A-120")
def test_nothing_of_it_outlives_its_job() -> None:
    world = memory()
    ada = world.agent("ada")
    job = ada.job("one")
    job.wm_insert(TEMP)

    job.commit()

    assert job.wm_find() == []
    assert ada.job("two").wm_find() == []
    assert hub(world).writer(stream(world, "agent")).desk.working == {}


def test_jobs_side_by_side_keep_their_own_ticks_and_counters() -> None:
    ada = memory().agent("ada")
    one, other = ada.job("one"), ada.job("other")

    made = [one.wm_insert(TEMP), other.wm_insert(TEMP), one.wm_insert(TEMP)]
    ticks = [one.tick(), one.tick(), other.tick()]

    assert made == ["wm:one:1", "wm:other:1", "wm:one:2"]
    assert ticks == [1, 2, 1]
    assert [entry.ttl_ticks for entry in one.wm_find()] == [1, 1]
    assert [entry.ttl_ticks for entry in other.wm_find()] == [2]


@pytest.mark.covers("A-021")
def test_nothing_is_inserted_outside_of_a_job() -> None:
    job = working()
    job.commit()
    before = job.seq

    with pytest.raises(JobClosedError):
        job.wm_insert(TEMP)

    assert job.seq == before


@pytest.mark.covers("A-107")
def test_a_seed_serves_one_job_only() -> None:
    ada = memory().agent("ada")
    ada.job("seed-1").commit()

    with pytest.raises(RefusedError) as refused:
        ada.job("seed-1")

    assert refused.value.reason == "job_seed_used"
    assert "another seed, or none" in refused.value.sentence


@pytest.mark.covers("A-107")
def test_a_caller_cannot_take_the_seed_that_a_later_job_will_count_to() -> None:
    ada = memory().agent("ada")

    with pytest.raises(RefusedError) as refused:
        ada.job("auto:3")

    assert refused.value.reason == "job_seed_used"
    assert [ada.job().seed, ada.job().seed] == ["auto:2", "auto:3"]


# ── What the log says ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-090")
def test_an_insert_appends_what_was_asked_and_what_was_decided() -> None:
    world = memory()
    job = world.agent("ada").job("seed-1")
    before = job.seq

    wm_id = job.wm_insert({"type": "fact", "value": {"n": 1}})

    asked, decided = events(world, after=before)
    assert isinstance(asked, Received)
    assert asked.asked == "wm_insert"
    assert decided == WorkingInserted(
        n=1, wm_id=wm_id, kind=WorkingType.FACT, value={"n": 1}, created_at_tick=0, ttl_ticks=3
    )


@pytest.mark.covers("A-021", "A-090")
def test_the_same_calls_give_the_same_entries_to_the_byte() -> None:
    def run() -> list[bytes]:
        world = memory()
        job = world.agent("ada").job("seed-1")
        job.reference(job.wm_insert({"type": "fact", "value": {"b": 1, "a": 0.5}}))
        job.tick()
        return [line.hash for line in lines(world)]

    assert run() == run()


@pytest.mark.covers("A-121", "A-150")
def test_working_memory_is_rebuilt_from_the_log_alone() -> None:
    world = memory()
    job = world.agent("ada").job("seed-1")
    for value in ("kept", 0.25, {"deep": [1, None]}):
        job.reference(job.wm_insert({"value": value, "ttl_ticks": 6}))
    job.tick()
    live = hub(world).writer(stream(world, "agent")).desk

    folded = desks.fold(Desk(), lines(world))

    assert folded.working == live.working
    assert len(folded.working[job.number]) == 3


@pytest.mark.covers("A-150")
def test_a_desk_that_is_opened_again_holds_what_it_held() -> None:
    world = memory()
    job = world.agent("ada").job("seed-1")
    for number in range(120):  # more entries than lie between two checkpoints
        job.wm_insert({"value": {"number": number, "half": number / 2}, "ttl_ticks": 50})
        job.tick()
    writer = hub(world).writer(stream(world, "agent"))
    live = writer.desk

    writer.forget_state()

    assert writer.desk == live
    assert len(job.wm_find()) == 49


@pytest.mark.covers("A-027")
def test_working_memory_never_becomes_a_governed_fact_by_itself() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    with ada.job("seed-1") as job:
        wm_id = job.wm_insert({"type": "fact", "value": "my favourite color is cerulean"})
        for _ in range(3):
            job.reference(wm_id)
        job.tick()

    assert ada.sem_search("") == []
    assert [each.kind for each in world.streams()] == ["agent"]


# ── What it leaves behind ───────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-028")
def test_facts_and_context_that_were_used_leave_an_episode_at_job_end() -> None:
    world = memory()
    with world.agent("ada").job("seed-1") as job:
        for kind in ("fact", "context", "hint", "temp"):
            job.reference(job.wm_insert({"type": kind, "value": f"a used {kind}"}))
            job.wm_insert({"type": kind, "value": f"an unused {kind}"})

    (written,) = [event for event in events(world) if isinstance(event, EpisodeWritten)]
    assert (written.form, written.source) == ("working", "brainstate")
    assert written.summary == "a used fact; a used context"
    assert written.payload == {
        "working": [
            {"wm_id": "wm:seed-1:1", "value": "a used fact"},
            {"wm_id": "wm:seed-1:3", "value": "a used context"},
        ]
    }


@pytest.mark.covers("A-028")
def test_a_job_that_used_nothing_leaves_nothing_behind() -> None:
    world = memory()
    with world.agent("ada").job("seed-1") as job:
        job.wm_insert({"type": "fact", "value": "never used"})

    assert "episodic_written" not in types(world)


def test_a_fraction_is_told_as_a_number_in_the_episode_it_leaves() -> None:
    ada = memory().agent("ada")
    with ada.job("seed-1") as job:
        job.reference(job.wm_insert({"type": "fact", "value": {"share": 0.5, "of": "cake"}}))

    (found,) = ada.episodic_query("cake")
    assert found.entry.summary == '{"of":"cake","share":0.5}'
    assert found.entry.payload == {
        "working": [{"wm_id": "wm:seed-1:1", "value": {"share": 0.5, "of": "cake"}}]
    }


def test_what_does_not_fit_into_one_episode_is_told_by_its_name() -> None:
    world = memory()
    large = ["tea " * 1000] * 20
    with world.agent("ada").job("seed-1") as job:
        for number in range(4):
            job.reference(job.wm_insert({"type": "fact", "value": [number, *large]}))

    (written,) = [event for event in events(world) if isinstance(event, EpisodeWritten)]
    assert written.payload == {
        "working": [
            {"wm_id": "wm:seed-1:1", "value": [0, *large]},
            {"wm_id": "wm:seed-1:2"},
            {"wm_id": "wm:seed-1:3"},
            {"wm_id": "wm:seed-1:4"},
        ]
    }
