"""Ticks and goals, entry by entry: what is promoted, what ends, what comes back."""

from typing import Any, Literal

import pytest
from tests.deciding import context, denied, entry, item, job

from muniment.engine.decide import jobs
from muniment.layers.governance.requests import Request, Requests
from muniment.layers.jobs.consolidated_memory import ConsolidatedState
from muniment.layers.jobs.jobs import Jobs
from muniment.model.commands import SetGoal, Tick
from muniment.model.events import (
    AnyEvent,
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    GoalSet,
    Promoted,
    RequestSettled,
    Ticked,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.kinds.episode import (
    ConsolidatedItem,
    ConsolidatedMemory,
    Goal,
    WorkingEntry,
    WorkingType,
)
from muniment.model.policy import Brainstate, Policy

JOB = job(tick=6, working_count=4)
SESSION = "cwm:seed-2"


def holding(*items: ConsolidatedItem, cwm_id: str = SESSION) -> ConsolidatedState:
    size = 2 * len(items)
    held = ConsolidatedMemory(cwm_id=cwm_id, topic="", items=items, token_estimate=size, ticks=3)
    return ConsolidatedState(sessions={cwm_id: held})


def ticked(*entries: WorkingEntry, constants: Any = None, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    policy = Policy(brainstate=Brainstate(**(constants or {})))
    working = {2: entries, 3: (entry("other", ttl=1),)}
    now = context(Tick(), jobs=[JOB], policy=policy, **{"working": working, **known})
    return jobs.tick(now, Tick())


def left(name: str, reason: str) -> ConsolidatedExpired:
    return ConsolidatedExpired(cwm_id=SESSION, cwm_id_item=name, reason=reason)


def back(n: int, name: str, life: int = 3) -> WorkingInserted:
    return WorkingInserted(
        n=n,
        wm_id=f"wm:seed-2:{n}",
        kind=WorkingType.CONTEXT,
        value=f"the {name}",
        created_at_tick=7,
        ttl_ticks=life,
        demoted_from=name,
    )


TICKED = Ticked(tick=7)
HOT = (1, 2, 3)  # uses of an item, of which the session has counted three ticks
USED = (5, 6)


# ── Time passes ─────────────────────────────────────────────────────────────────────────────────


def test_a_tick_of_a_job_without_anything_only_counts() -> None:
    assert ticked() == [TICKED]
    assert ticked(working={}) == [TICKED]


def test_entries_whose_life_is_over_end_the_oldest_first() -> None:
    found = ticked(entry("d", ttl=0), entry("c", ttl=1), entry("b", ttl=2), entry("a", ttl=1))

    assert found == [
        TICKED,
        *(WorkingExpired(wm_id=each, reason="ttl") for each in ("a", "c", "d")),
    ]


def test_what_is_used_is_promoted_before_time_passes_and_does_not_end() -> None:
    moved, made_up, *rest = ticked(entry("used", uses=USED, ttl=1), entry("old", ttl=1))

    assert isinstance(moved, Promoted)
    assert (moved.wm_id, moved.cwm_id) == ("used", SESSION)
    assert isinstance(made_up, ConsolidatedRecomputed)
    assert made_up.kept == (f"{SESSION}:used",)
    assert rest == [TICKED, WorkingExpired(wm_id="old", reason="ttl")]


def test_what_is_too_large_to_be_promoted_stays_until_its_life_is_over() -> None:
    large: dict[str, Any] = {"value": "a" * 80, "uses": USED}
    cap = {"consolidated_token_cap": 4}

    assert ticked(entry("used", ttl=2, **large), constants=cap) == [TICKED]
    assert ticked(entry("used", ttl=1, **large), constants=cap) == [
        TICKED,
        WorkingExpired(wm_id="used", reason="ttl"),
    ]


def test_without_a_job_the_council_counts_and_settles_what_is_due() -> None:
    due = Request(
        request_id="req:1",
        action="other",
        key="",
        value=None,
        justification="",
        evidence=(),
        requested_by="",
        subject="",
        created_seeded_ts="",
        required_approval="council",
        expires_at_tick=5,
        expected_head=0,
        binding="",
    )
    requests = Requests(open={"req:1": due})

    early, late = (
        jobs.tick(context(Tick(), requests=requests, jobs=Jobs(tick=at)), Tick()) for at in (3, 4)
    )

    assert early == [Ticked(tick=4)]
    assert late[0] == Ticked(tick=5)
    assert [type(each) for each in late[1:]] == [RequestSettled]


# ── Consolidated memory grows older ─────────────────────────────────────────────────────────────


def test_an_item_ends_with_its_last_tick_unless_it_was_just_used() -> None:
    held = holding(
        item("a", ttl=1), item("b", ttl=2), item("c", ttl=1, uses=(3,)), item("d", ttl=0)
    )

    assert ticked(consolidated=held) == [TICKED, left("a", "ttl"), left("d", "ttl")]


def test_another_sessions_items_do_not_grow_older() -> None:
    assert ticked(consolidated=holding(item("a", ttl=1), cwm_id="cwm:x")) == [TICKED]


def test_what_is_much_used_comes_back_last_with_the_next_numbers() -> None:
    held = holding(item("a", uses=HOT), item("b", ttl=1), item("c", uses=HOT, ttl=1))

    assert ticked(consolidated=held, constants={"working_ttl_ticks": 8}) == [
        TICKED,
        left("b", "ttl"),
        left("a", "returned"),
        back(5, "a", 8),
        left("c", "returned"),
        back(6, "c", 8),
    ]


@pytest.mark.parametrize(("capacity", "returns"), [(2, []), (3, ["a"]), (4, ["a", "b"])])
def test_only_so_many_come_back_as_there_is_room(capacity: int, returns: list[str]) -> None:
    """Of four entries one ends, and one is promoted: two are left."""
    entries = (entry("1"), entry("2"), entry("3", ttl=1), entry("4", uses=USED))
    held = holding(item("a", uses=HOT), item("b", uses=HOT))

    found = ticked(*entries, consolidated=held, constants={"working_capacity_items": capacity})

    gone = [each for each in found if isinstance(each, ConsolidatedExpired)]
    assert gone == [left(each, "returned") for each in returns]


def test_what_a_promotion_has_pushed_out_neither_ends_nor_comes_back() -> None:
    held = holding(item("a", ttl=1), item("b", uses=HOT))
    cap = {"consolidated_token_cap": 2}

    moved, made_up, *rest = ticked(entry("x", uses=(4, 5, 6, 6)), consolidated=held, constants=cap)

    assert isinstance(moved, Promoted)
    assert isinstance(made_up, ConsolidatedRecomputed)
    assert (made_up.kept, made_up.dropped) == ((f"{SESSION}:x",), ("b", "a"))
    assert rest == [TICKED]


# ── Goals ───────────────────────────────────────────────────────────────────────────────────────

GOAL = SetGoal(goal_id="g", text="Lisbon", priority=2, kind="plan", subject="tuff")
TOLD = GoalSet(
    subject="tuff",
    goal_id="g",
    text="Lisbon",
    priority=2,
    kind="plan",
    status="active",
    major=False,
    version=1,
)


def aimed(command: SetGoal, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    return jobs.set_goal(context(command, **{"jobs": [JOB], **known}), command)


def changed(version: int = 1, **fields: Any) -> tuple[SetGoal, GoalSet]:  # noqa: ANN401
    command = {each: getattr(GOAL, each) for each in GOAL.__struct_fields__} | fields
    event = {each: getattr(TOLD, each) for each in TOLD.__struct_fields__} | fields
    return SetGoal(**command), GoalSet(**event | {"version": version})


def test_a_goal_is_kept_whole() -> None:
    assert aimed(GOAL) == [TOLD]
    assert aimed(GOAL, jobs=[]) == denied("needs_an_open_job")


def test_a_goal_that_is_known_has_the_next_version_and_needs_no_room() -> None:
    known = {"tuff/g": Goal(goal_id="g", subject="tuff", text="x", version=4)}
    one, two = (Policy(brainstate=Brainstate(goals_max=each)) for each in (1, 2))
    other = {"bea/g": Goal(goal_id="g", subject="bea", text="x", version=4)}

    assert aimed(GOAL, goals=known, policy=one) == [changed(version=5)[1]]
    assert aimed(GOAL, goals=other, policy=one) == denied("too_many_goals")
    assert aimed(GOAL, goals=other, policy=two) == [TOLD]


@pytest.mark.parametrize(
    ("major", "status", "anew"),
    [(True, "active", True), (True, "succeeded", False), (False, "active", False)],
)
def test_a_major_goal_that_is_active_makes_the_memory_up_again(
    *,
    major: bool,
    status: Literal["active", "succeeded"],
    anew: bool,
) -> None:
    command, event = changed(major=major, status=status)
    held = holding(item("a"))
    made_up = ConsolidatedRecomputed(
        cwm_id=SESSION, topic="Lisbon", cause="goal", kept=("a",), dropped=(), token_estimate=2
    )

    assert aimed(command, consolidated=held) == [event, *([made_up] if anew else [])]


def test_a_major_goal_gives_an_empty_session_its_topic() -> None:
    command, event = changed(major=True)

    assert aimed(command) == [
        event,
        ConsolidatedRecomputed(
            cwm_id=SESSION, topic="Lisbon", cause="goal", kept=(), dropped=(), token_estimate=0
        ),
    ]
