"""Working memory, entry by entry: what an insertion, a use and a promotion write down."""

from typing import Any

import pytest
from tests.deciding import context, denied, entry, job

from muniment.engine.decide import working_memory
from muniment.layers import shelves
from muniment.layers.jobs.consolidated_memory import ConsolidatedState
from muniment.model import canonical_json
from muniment.model.commands import InsertWorking, Promote, Reference
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    Promoted,
    Referenced,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    WorkingEntry,
    WorkingType,
)
from muniment.model.policy import Brainstate, Policy

JOB = job(tick=6, working_count=4)
SESSION = "cwm:seed-2"


def item(name: str, size: int = 1, uses: int = 0, since: int = 0) -> ConsolidatedItem:
    return ConsolidatedItem(
        cwm_id_item=name,
        value=name,
        promoted_from="wm:1",
        promoted_at_tick=since,
        ttl_ticks_cwm=10,
        token_estimate=size,
        references=uses,
    )


def memory(cwm_id: str, *items: ConsolidatedItem, touched: int = 0, ticks: int = 0) -> Any:  # noqa: ANN401
    size = sum(each.token_estimate for each in items)
    return ConsolidatedMemory(
        cwm_id=cwm_id, topic="", items=items, token_estimate=size, touched_seq=touched, ticks=ticks
    )


def holding(
    *memories: ConsolidatedMemory, members: dict[int, str] | None = None
) -> ConsolidatedState:
    return ConsolidatedState(
        sessions={each.cwm_id: each for each in memories}, members=members or {}
    )


def policy(**constants: Any) -> Policy:  # noqa: ANN401
    return Policy(brainstate=Brainstate(**constants))


# ── Inserted ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("given", "life"), [(None, 5), (0, 0), (9, 9)])
def test_an_entry_has_its_number_its_tick_and_the_life_that_is_given(
    given: int | None, life: int
) -> None:
    command = InsertWorking(kind=WorkingType.HINT, value={"k": 1}, ttl_ticks=given)
    now = context(command, jobs=[JOB], policy=policy(working_ttl_ticks=5))

    assert working_memory.insert(now, command) == [
        WorkingInserted(
            n=5,
            wm_id="wm:seed-2:5",
            kind=WorkingType.HINT,
            value={"k": 1},
            created_at_tick=6,
            ttl_ticks=life,
        )
    ]


@pytest.mark.parametrize(("capacity", "gone"), [(4, []), (3, ["old"]), (1, ["old"])])
def test_where_there_is_no_room_the_oldest_of_this_job_makes_it(
    capacity: int, gone: list[str]
) -> None:
    command = InsertWorking(kind=WorkingType.HINT, value=1)
    mine = (entry("new"), entry("middle"), entry("old"))
    others = (entry("other"), entry("another"))
    now = context(
        command,
        jobs=[JOB],
        policy=policy(working_capacity_items=capacity),
        working={2: mine, 3: others},
    )

    *made, inserted = working_memory.insert(now, command)

    assert made == [WorkingExpired(wm_id=each, reason="capacity") for each in gone]
    assert isinstance(inserted, WorkingInserted)


def test_the_first_entry_of_a_job_needs_no_room() -> None:
    command = InsertWorking(kind=WorkingType.HINT, value=1)

    assert len(working_memory.insert(context(command, jobs=[JOB]), command)) == 1


def test_without_a_job_nothing_is_held() -> None:
    insert = InsertWorking(kind=WorkingType.HINT, value=1)
    use, promote = Reference(item_id="a"), Promote(item_id="a")

    assert working_memory.insert(context(insert), insert) == denied("needs_an_open_job")
    assert working_memory.reference(context(use), use) == denied("needs_an_open_job")
    assert working_memory.promote(context(promote), promote) == denied("needs_an_open_job")


# ── Used ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("refreshes", "life"), [(False, 0), (True, 5)])
def test_a_use_of_an_entry_says_when_and_whether_it_lives_longer(
    *, refreshes: bool, life: int
) -> None:
    command = Reference(item_id="wm")
    rules = policy(working_ttl_ticks=5, reference_refreshes_ttl=refreshes)
    now = context(command, jobs=[JOB], policy=rules, working={2: (entry("wm"),)})

    assert working_memory.reference(now, command) == [
        Referenced(item_id="wm", layer="working", tick=6, ttl_ticks=life)
    ]


def test_a_use_of_an_item_of_the_session_is_told_of_its_layer() -> None:
    command = Reference(item_id="i2")
    held = holding(memory(SESSION, item("i1"), item("i2")))

    assert working_memory.reference(context(command, jobs=[JOB], consolidated=held), command) == [
        Referenced(item_id="i2", layer="consolidated", tick=6)
    ]


@pytest.mark.parametrize(
    "held", [holding(), holding(memory(SESSION, item("i1"))), holding(memory("cwm:x", item("i2")))]
)
def test_what_is_not_of_this_job_or_session_cannot_be_used(held: ConsolidatedState) -> None:
    command = Reference(item_id="i2")
    now = context(command, jobs=[JOB], consolidated=held, working={3: (entry("i2"),)})

    assert working_memory.reference(now, command) == denied("item_unknown", "i2")


# ── Promoted ────────────────────────────────────────────────────────────────────────────────────

USED = entry("wm", uses=(5, 6))
MOVED = Promoted(
    axis="layer",
    event_id="",
    wm_id="wm",
    cwm_id=SESSION,
    cwm_id_item=f"{SESSION}:wm",
    value="tea",
    references=2,
    token_estimate=2,
    ttl_ticks_cwm=10,
    tick=6,
)


def promoted(*entries: WorkingEntry, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    command = Promote(item_id="wm")
    now = context(command, jobs=[JOB], **{"working": {2: entries}, **known})
    return working_memory.promote(now, command)


def test_a_promotion_is_told_whole_and_the_memory_is_made_up_again() -> None:
    held = holding(memory(SESSION, item("i1", size=3, uses=3), ticks=4))
    now = context(jobs=[JOB], working={2: (USED,)}, consolidated=held)
    counted = canonical_json.digest("muniment/v1/promotion", now.entry_id.encode(), b"promotion:wm")

    moved, made_up = promoted(USED, consolidated=held)

    assert isinstance(moved, Promoted)
    assert moved.event_id == counted.hex()[:32]
    assert {**_fields(moved), "event_id": ""} == _fields(MOVED)
    assert made_up == ConsolidatedRecomputed(
        cwm_id=SESSION,
        topic="",
        cause="promotion",
        kept=("i1", f"{SESSION}:wm"),
        dropped=(),
        token_estimate=5,
    )


def test_beyond_its_cap_the_least_used_leave_and_the_newer_of_two_stays() -> None:
    held = holding(memory(SESSION, item("i1", size=3, since=3), ticks=4))

    _, made_up = promoted(USED, consolidated=held, policy=policy(consolidated_token_cap=4))

    assert isinstance(made_up, ConsolidatedRecomputed)
    assert (made_up.kept, made_up.dropped) == ((f"{SESSION}:wm",), ("i1",))
    assert made_up.token_estimate == 2


def test_a_promoted_item_is_as_new_as_the_session_is_old() -> None:
    older, newer = (
        holding(memory(SESSION, item("i1", since=3, size=3, uses=2), ticks=each)) for each in (2, 4)
    )
    rules = policy(consolidated_token_cap=4)

    kept = [promoted(USED, consolidated=each, policy=rules)[1] for each in (older, newer)]

    assert [getattr(each, "kept", ()) for each in kept] == [("i1",), (f"{SESSION}:wm",)]


@pytest.mark.parametrize(
    ("entries", "known", "reason", "detail"),
    [
        ((), {}, "item_unknown", "wm"),
        ((entry("wm", uses=(6,)),), {}, "promotion_not_due", "wm"),
        ((entry("wm", uses=(1, 2)),), {}, "promotion_not_due", "wm"),
        ((entry("other", uses=(5, 6)),), {}, "item_unknown", "wm"),
        ((USED,), {"policy": policy(consolidated_token_cap=1)}, "promotion_too_large", "wm"),
        ((USED,), {"shelves": {(shelves.PROMOTIONS, "wm"): MOVED}}, "PROMOTION_LOOP", "entry-5"),
    ],
)
def test_a_promotion_that_is_not_due_is_refused_with_the_reason(
    entries: tuple[WorkingEntry, ...], known: dict[str, Any], reason: str, detail: str
) -> None:
    assert promoted(*entries, **known) == denied(reason, detail)


def test_an_entry_of_another_job_is_not_promoted() -> None:
    assert promoted(working={3: (USED,)}) == denied("item_unknown", "wm")


def test_an_entry_fits_that_is_as_large_as_the_cap() -> None:
    large, small = entry("large", "a" * 40), entry("small")
    cap = working_memory._size(large)
    now = context(policy=policy(consolidated_token_cap=cap))
    tight = context(policy=policy(consolidated_token_cap=cap - 1))

    assert working_memory.fitting(now, (large, small)) == (large, small)
    assert working_memory.fitting(tight, (large, small)) == (small,)


def test_nothing_due_moves_nothing() -> None:
    assert working_memory.promotions(context(jobs=[JOB]), ()) == []


# ── Which session gives way ─────────────────────────────────────────────────────────────────────


def gone(*memories: ConsolidatedMemory, limit: int = 2, **members: str) -> list[AnyEvent]:
    busy = {int(each.removeprefix("job")): its for each, its in members.items()}
    found = promoted(
        USED, consolidated=holding(*memories, members=busy), policy=policy(sessions_max=limit)
    )
    return [each for each in found if not isinstance(each, Promoted | ConsolidatedRecomputed)]


ONE = memory("cwm:one", item("o1"), item("o2"), touched=3)
TWO = memory("cwm:two", item("t1"), touched=2)
THREE = memory("cwm:three", item("h1"), touched=2)
LEFT = {
    each.cwm_id: [
        ConsolidatedExpired(cwm_id=each.cwm_id, cwm_id_item=its.cwm_id_item, reason="session")
        for its in each.items
    ]
    for each in (ONE, TWO, THREE)
}


def test_a_new_session_takes_the_place_of_the_one_that_was_fed_longest_ago() -> None:
    assert gone(ONE, TWO) == LEFT["cwm:two"]
    assert gone(TWO, THREE) == LEFT["cwm:three"]  # by name, where both were fed at once
    assert gone(ONE, TWO, limit=3) == []
    assert gone(ONE, TWO, limit=1) == LEFT["cwm:two"]


def test_a_session_that_is_worked_in_gives_no_way() -> None:
    assert gone(ONE, TWO, job3="cwm:two") == LEFT["cwm:one"]
    assert gone(ONE, TWO, job3="cwm:two", job4="cwm:one") == []


def test_a_session_that_is_there_takes_nobodys_place() -> None:
    assert gone(ONE, memory(SESSION, item("i1"), touched=1)) == []


def test_a_goal_makes_the_memory_up_again_under_its_topic() -> None:
    now = context(jobs=[job(session="lisbon")])

    assert working_memory.recomputed(now, (item("i1", 3),), cause="goal", topic="tea") == (
        ConsolidatedRecomputed(
            cwm_id="cwm:lisbon",
            topic="tea",
            cause="goal",
            kept=("i1",),
            dropped=(),
            token_estimate=3,
        )
    )


def _fields(event: Promoted) -> dict[str, object]:
    return {each: getattr(event, each) for each in event.__struct_fields__}
