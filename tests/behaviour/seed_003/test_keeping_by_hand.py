"""What keeping a memo writes down: where it went, what it replaced, and what made room for it."""

from typing import Any

import msgspec
import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.streams import admission
from muniment.model import ids
from muniment.model.commands import AnyCommand
from muniment.model.commands.memos import MarkMemo, Memorize, RestoreMemo
from muniment.model.errors import RefusedError
from muniment.model.events import Received, WriteDenied
from muniment.model.events.memos import (
    MemoDeclined,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemoShelved,
)
from muniment.model.kinds.memo import Memo
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating, RoutingRule

ONE, TWO = "The ferry leaves from quay four.", "Marta brings blankets and a stove."


def opened(**gating: object) -> tuple[Memory, Agent]:
    memory = world.memory(Policy(gating=msgspec.structs.replace(Gating(), **gating)))
    return memory, memory.agent("ada", user="tuff")


def told(ada: Agent, command: AnyCommand) -> list[Any]:
    found = [each.event for each in ada._session.append(admission.admit(command)).lines]
    return [each for each in found if not isinstance(each, Received)]


def keep(ada: Agent, text: str, **more: object) -> list[Any]:
    given = {"kind": "metric", "text": text, "subject": ada._session.subject} | more
    return told(ada, msgspec.convert({"importance_ppm": 500_000} | given, Memorize))


def kept(ada: Agent, text: str, **more: object) -> MemoKept:
    *_, found = keep(ada, text, **more)
    assert isinstance(found, MemoKept)
    return found


def memo(ada: Agent, text: str, **more: object) -> Memo:
    return kept(ada, text, **more).memo


# ── Where it went ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("store", "pad"), [("EM", ""), ("SM", ""), ("WM", "user_tuff/t1")], ids=["EM", "SM", "WM"]
)
def test_every_memo_is_counted_and_only_working_memory_has_a_scratchpad(
    store: str, pad: str
) -> None:
    _, ada = opened(working_items_max=1)
    kept(ada, "Something else.", store="WM", task_id="t1")

    found = kept(ada, ONE, store=store, task_id="t1")

    assert (found.n, found.places, found.pad) == (2, (store,), pad)
    assert (found.supersedes, found.chunks_before, found.rules) == ("", (), ())
    assert (len(found.displaced), found.limit) == ((1, "items") if pad else (0, ""))


def test_a_summary_of_an_episode_stays_with_it_and_another_is_knowledge() -> None:
    _, ada = opened()

    assert kept(ada, ONE, kind="summary", episode_id="ep:1").places == ("EM",)
    assert kept(ada, TWO, kind="summary").places == ("SM",)


def test_memos_that_say_the_same_have_names_of_their_own() -> None:
    """The count of a stream's memos is part of a name, and so is the stream."""
    memory, ada = opened()
    with ada.job("seed-1"):
        names = [memo(ada, ONE, store="EM").id for _ in range(3)]
    bob = memory.agent("bob", user="tuff")
    with bob.job("seed-1"):
        names += [memo(bob, ONE, store="EM").id for _ in range(3)]

    assert len(set(names)) == 6
    assert names[:2] == ["01R81V1TD8NG0ZTCWTJWGBC5N4", "01QEH1NYE8YS4QRA5DZN1QP5FT"]


def test_what_is_said_again_is_declined_with_the_memo_that_said_it() -> None:
    _, ada = opened()
    first = memo(ada, ONE, kind="fact", store="EM")

    (again,) = keep(ada, ONE, kind="fact", store="EM")
    (low,) = keep(ada, TWO, store="EM", importance_ppm=0)

    assert isinstance(again, MemoDeclined)
    assert (again.reasons, again.like) == (("asked:EM", "said_already"), first.id)
    assert again.scores.novelty == 0
    assert isinstance(low, MemoDeclined)
    assert (low.reasons, low.like) == (("asked:EM", "below_importance"), "")


def test_how_sure_somebody_is_counts_as_they_say() -> None:
    _, ada = opened()

    assert kept(ada, ONE, store="EM", confidence_ppm=120_000).scores.confidence == 120_000


def test_a_mandate_that_spoke_is_named_also_where_the_memo_is_declined() -> None:
    memory, ada = opened(importance_min_ppm=600_000)
    mandate: dict[str, object] = {"name": "watch the ferry", "types": ["metric"], "places": ["EM"]}
    with ada.job() as job:
        job.observe_mandates([mandate])

        (low,) = keep(ada, ONE)
        high = kept(ada, TWO, importance_ppm=700_000)

    assert isinstance(low, MemoDeclined)
    assert (low.reasons, low.rules) == (("mandate", "below_importance"), ("watch the ferry",))
    assert (high.places, high.rules) == (("EM",), ("watch the ferry",))
    assert memory.prove()


def test_the_same_words_in_another_order_are_new_where_they_have_a_key() -> None:
    _, ada = opened()
    memo(ada, "the dog bit the man", kind="fact", store="SM", key="news:1")

    assert keep(ada, "the dog bit the man", kind="fact", store="SM", key="news:1") != []
    assert memo(ada, "the man bit the dog", kind="fact", store="SM", key="news:1").version == 2


def test_goals_of_somebody_else_do_not_weigh_a_memo() -> None:
    memory, ada = opened()
    ida = memory.agent("ada", user="ida")
    with ida.job() as job:
        job.set_goal("g1", "leave with the ferry from quay four")

    assert kept(ada, ONE, store="EM").scores.goal == 500_000, "nobody can say"
    assert kept(ida, ONE, store="EM").scores.goal > 500_000


# ── Versions and parts ──────────────────────────────────────────────────────────────────────────


def test_a_key_of_one_place_does_not_replace_what_has_it_in_another() -> None:
    _, ada = opened()
    fact = memo(ada, ONE, store="SM", key="ferry:quay")

    told_elsewhere = kept(ada, TWO, store="EM", key="ferry:quay")
    next_one = kept(ada, TWO, store="SM", key="ferry:quay")

    assert (told_elsewhere.supersedes, told_elsewhere.memo.version) == ("", 1)
    assert (next_one.supersedes, next_one.memo.version) == (fact.id, 2)
    assert next_one.memo.lineage_ids == (fact.id,)


def test_facts_without_a_key_are_no_versions_of_each_other() -> None:
    _, ada = opened()
    kept(ada, ONE, store="SM")

    found = kept(ada, TWO, store="SM")

    assert (found.supersedes, found.memo.version, found.memo.lineage_ids) == ("", 1, ())


def test_parts_of_one_whole_are_one_version_even_where_they_say_the_same() -> None:
    _, ada = opened(novelty_exempt=())
    before = memo(ada, TWO, kind="fact", store="SM", key="k:1")
    whole = {"kind": "fact", "store": "SM", "key": "k:1", "parent_id": "whole:1"}

    first, second = (kept(ada, ONE, chunk_index=n, **whole) for n in (0, 1))
    other = kept(ada, ONE, **whole | {"parent_id": "whole:2"})

    assert (first.supersedes, second.supersedes) == (before.id, "")
    assert [each.memo.version for each in (first, second, other)] == [2, 2, 3]
    assert second.memo.lineage_ids == (before.id,)
    assert (other.supersedes, other.chunks_before) == (second.memo.id, (first.memo.id,))
    assert {each.scores.novelty for each in (first, second, other)} == {1_000_000}


# ── How long it lasts ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ends", "days"),
    [
        ({}, None),
        ({"ttl": 86_400}, 1),
        ({"retention": "observations"}, 7),
        ({"retention": "nobody's"}, None),
        ({"retention": "observations", "ttl": 2 * 86_400}, 2),
        ({"retention": "observations", "ttl": 9 * 86_400}, 7),
        ({"ttl": 9 * 86_400, "expires": "+432000"}, 5),
    ],
)
def test_a_memo_ends_at_the_first_of_its_ends(ends: dict[str, object], days: int | None) -> None:
    _, ada = opened()

    found = memo(ada, ONE, store="EM", **ends)

    lasts = ids.time_ms(found.expires) - ids.time_ms(found.timestamp) if found.expires else None
    assert lasts == (None if days is None else days * 86_400_000)


def test_a_memo_that_was_true_until_a_day_ends_with_that_day() -> None:
    _, ada = opened()

    found = memo(ada, ONE, store="EM", since="1999-12-01", until="2000-01-01", expires="+60")

    assert (found.validity.since, found.validity.until) == ("1999-12-01", "2000-01-01")
    assert found.expires == "2000-01-02T00:00:00.000Z"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (ONE, "none"),
        ("Call +1 415 555 2671 at noon.", "partial"),
        ("+1 415 555 2671", "full"),
    ],
)
def test_a_memo_says_whether_anything_is_left_of_it(text: str, status: str) -> None:
    _, ada = opened()

    assert memo(ada, text, store="EM").redaction_status == status


# ── Room ────────────────────────────────────────────────────────────────────────────────────────


def test_the_task_that_was_left_longest_makes_room_for_a_new_one() -> None:
    _, ada = opened(working_tasks_max=2)
    first, _, _ = (memo(ada, f"Thought {n}.", store="WM", task_id=n) for n in ("b", "z", "b"))

    left, *shelved, found = keep(ada, "Thought c.", store="WM", task_id="c")

    (second,) = left.memo_ids
    assert first.id != second
    assert left == MemosEvicted(
        place="WM",
        memo_ids=(second,),
        policy="least_recent_task",
        reason="tasks",
        subject="user_tuff",
        pad="user_tuff/z",
    )
    assert [(each.memo_id, each.places, each.reason, each.subject) for each in shelved] == [
        (second, ("EM",), "evicted", "user_tuff")
    ]
    assert isinstance(found, MemoKept)
    assert len(keep(ada, "Thought d.", store="WM", task_id="c")) == 1, "it has a place already"
    assert len(keep(ada, "Thought e.", store="EM", task_id="d")) == 1, "it needs none"


@pytest.mark.parametrize(("store", "limit"), [("SM", "semantic"), ("EM", "episodic")])
def test_a_full_shelf_of_a_person_loses_the_least_important_and_nobody_elses(
    store: str, limit: str
) -> None:
    memory, ada = opened(**{f"{limit}_items_max": 2})
    ida = memory.agent("ada", user="ida")
    low = memo(ada, ONE, store=store, importance_ppm=400_000).id
    kept(ada, TWO, store=store)
    assert len(keep(ida, ONE, store=store)) == 1

    left, _ = keep(ada, "It rains.", store=store)

    assert left == MemosEvicted(
        place=store,
        memo_ids=(low,),
        policy="least_important",
        reason="items",
        subject="user_tuff",
    )


BOTH = RoutingRule(tag="lasting", places=("SM", "EM"))


def test_what_goes_to_two_full_shelves_makes_room_in_both() -> None:
    _, ada = opened(routing=(BOTH,), semantic_items_max=1, episodic_items_max=1)
    first = memo(ada, ONE, tags=["lasting"]).id

    *left, _ = keep(ada, TWO, tags=["lasting"])

    assert [(each.place, each.memo_ids) for each in left] == [("SM", (first,)), ("EM", (first,))]


def test_a_next_version_needs_no_room_and_a_place_without_a_limit_none_at_all() -> None:
    _, ada = opened(semantic_items_max=2, episodic_items_max=0)
    kept(ada, ONE, store="SM", key="k:1")
    kept(ada, TWO, store="SM")

    assert len(keep(ada, "It rains.", store="SM", key="k:1")) == 1
    assert [len(keep(ada, f"It rains {n} times.", store="EM")) for n in range(4)] == [1] * 4


# ── Afterwards ──────────────────────────────────────────────────────────────────────────────────


def test_a_memo_that_is_not_there_is_neither_marked_nor_restored() -> None:
    _, ada = opened()
    kept(ada, ONE, store="EM")
    unknown = {"memo_id": "nobody", "subject": "user_tuff"}

    assert told(ada, MarkMemo(importance_ppm=1, **unknown)) == [
        WriteDenied(reason="memo_unknown", asked="mark_memo", detail="nobody")
    ]
    assert told(ada, RestoreMemo(**unknown)) == [
        WriteDenied(reason="memo_unknown", asked="restore_memo", detail="nobody")
    ]


def test_a_mark_says_what_a_memo_is_worth_and_why() -> None:
    _, ada = opened()
    name = memo(ada, ONE, store="EM").id
    mark: dict[str, Any] = {
        "memo_id": name,
        "importance_ppm": 900_000,
        "reason": "asked",
        "subject": "user_tuff",
    }

    assert told(ada, MarkMemo(**mark)) == [MemoMarked(**mark)]
    assert ada.memo(name).importance_ppm == 900_000


def test_what_was_forgotten_comes_back_to_the_places_that_it_had() -> None:
    _, ada = opened()
    name = memo(ada, ONE, store="SM", key="k:1").id
    restore = RestoreMemo(memo_id=name, subject="user_tuff")
    assert told(ada, restore) == [
        WriteDenied(reason="memo_is_there", asked="restore_memo", detail=name)
    ]
    ada.forget_memos("SM", "key:k:1")

    (back,) = told(ada, restore)

    assert isinstance(back, MemoShelved)
    assert (back.memo_id, back.places, back.reason) == (name, ("SM",), "restored")
    assert (back.subject, back.key) == ("user_tuff", "k:1")
    assert [each.id for each in ada.memos("SM")] == [name]


def test_only_where_it_is_missing_and_nothing_newer_has_its_key_a_memo_comes_back() -> None:
    _, ada = opened(routing=(BOTH,))
    first = memo(ada, ONE, tags=["lasting"], key="k:1").id
    restore = RestoreMemo(memo_id=first, subject="user_tuff")

    ada.forget_memos("SM", "key:k:1")
    assert [each.places for each in told(ada, restore)] == [("SM",)]

    kept(ada, TWO, tags=["lasting"], key="k:1")
    ada.forget_memos("EM", f"memory id:{first}")
    assert [each.places for each in told(ada, restore)] == [("EM",)]


def test_an_earlier_version_is_not_restored_beside_the_one_that_replaced_it() -> None:
    memory, ada = opened()
    ida = memory.agent("ada", user="ida")
    first = memo(ada, ONE, store="SM", key="k:1").id
    second = memo(ada, TWO, store="SM", key="k:1").id
    kept(ida, TWO, store="SM", key="k:2")
    restore = RestoreMemo(memo_id=first, subject="user_tuff")

    assert told(ada, restore) == [
        WriteDenied(reason="memo_is_there", asked="restore_memo", detail=first)
    ]
    ada.forget_memos("SM", "key:k:1")
    assert [each.memo_id for each in told(ada, restore)] == [first]
    assert second not in {each.id for each in ada.memos("SM")}


def test_nobody_restores_or_marks_what_somebody_else_has() -> None:
    memory, ada = opened()
    ida = memory.agent("ada", user="ida")
    name = memo(ada, ONE, store="SM", key="k:1").id
    ada.forget_memos("SM", "key:k:1")

    with pytest.raises(RefusedError, match="memo_unknown"):
        ida.restore_memo(name)
    with pytest.raises(RefusedError, match="memo_unknown"):
        ida.mark_memo(name, importance=0.1)
    assert ada.restore_memo(name) == ("SM",)
