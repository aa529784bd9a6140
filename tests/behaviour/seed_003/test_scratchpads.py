"""Who leaves a full scratchpad: found quickly where memos came in order, and never another one."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world

from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import ids
from muniment.model.kinds.memo import Memo, MemoType
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating
from muniment.rules.memos import eviction

NOW_MS = ids.time_ms("2026-11-15T12:00:00.000Z")
STEP = 30
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
TOKENS = 3
GATING = Gating(working_items_max=8)
# Milliseconds ago, step, importance, and how long it lasts if it says so itself.
Told = tuple[int, int, int, int | None]
TOLD = st.tuples(
    st.integers(0, 90).map(lambda minutes: minutes * MINUTE_MS) | st.just(HOUR_MS + 1),
    st.integers(0, STEP),
    st.sampled_from([0, 299_999, 300_000, 699_999, 700_000, 1_000_000]),
    st.sampled_from([None, None, None, 60, 7_200]),
)


def memo(n: int, ago_ms: int, step: int, weight: int, ttl: int | None = None) -> Memo:
    return Memo(
        id=f"m{n}",
        type=MemoType.OBSERVATION,
        text=f"memo {n}",
        tokens_estimate=TOKENS,
        timestamp=ids.time_text(NOW_MS - ago_ms),
        agent_id="ada",
        task_id="t",
        importance_ppm=weight,
        step_index=step,
        ttl=ttl,
    )


def filled(memos: list[Memo]) -> Scratchpad:
    pad = Scratchpad()
    for seq, each in enumerate(memos, start=1):
        pad = pad.kept(seq, each, each.tokens_estimate)
    return pad


def leaving(pad: Scratchpad, gating: Gating, step: int = STEP) -> tuple[list[str], str]:
    """Who leaves for one more, and which limit asks for it."""
    gone, limit = eviction.from_working(pad, memo(99, 0, step, 500_000), gating, step=step)
    return [each.id for each in gone], limit


# ── Order ───────────────────────────────────────────────────────────────────────────────────────


def lasts(each: Memo, step: int) -> bool:
    age_ms = NOW_MS - ids.time_ms(each.timestamp)
    own_ms = HOUR_MS if each.ttl is None else each.ttl * 1000
    return age_ms <= own_ms and step - each.step_index <= 20


@given(
    told=st.lists(TOLD, min_size=8, max_size=16),
    ordered=st.booleans(),
    step=st.integers(0, 40),
    data=st.data(),
)
@settings(max_examples=150, deadline=None)
def test_the_same_memos_leave_however_they_came(
    *, told: list[Told], ordered: bool, step: int, data: st.DataObject
) -> None:
    """Whose time is over, then what matters least, then what is not recent, then the oldest."""
    if ordered:
        moments, steps = sorted((it[0] for it in told), reverse=True), sorted(it[1] for it in told)
        told = [(m, s, it[2], None) for m, s, it in zip(moments, steps, told, strict=True)]
    pad = filled([memo(n, *it) for n, it in enumerate(told)])
    names = st.sampled_from([each.memo.id for each in pad.held])
    pad = pad.without(sorted(data.draw(st.sets(names, max_size=3))))
    pad = pad.marked(data.draw(names), 700_000)
    assert pad.weights == tuple(each.memo.importance_ppm for each in pad.held)
    assert not ordered or pad.in_order

    found, _ = leaving(pad, GATING, step)

    ranked = sorted(
        (each.memo for each in pad.held),
        key=lambda its: (
            lasts(its, step),
            (its.importance_ppm >= 300_000) + (its.importance_ppm >= 700_000),
            step - its.step_index < 5,
        ),
    )
    assert found == [each.id for each in ranked][: max(len(pad.held) + 1 - 8, 0)]


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize(
    ("older", "newer", "gone"),
    [
        ((HOUR_MS, 20, 700_000), (0, 20, 0), "m2"),
        ((HOUR_MS + 1, 20, 700_000), (0, 20, 0), "m1"),
        ((0, STEP - 20, 700_000), (0, STEP, 0), "m2"),
        ((0, STEP - 21, 700_000), (0, STEP, 0), "m1"),
        ((0, 20, 700_000), (0, 20, 699_999), "m2"),
        ((0, 20, 699_999), (0, 20, 300_000), "m1"),
        ((0, 20, 300_000), (0, 20, 299_999), "m2"),
        ((0, 20, 299_999), (0, 20, 0), "m1"),
        ((0, 20, 300_000), (0, STEP, 0), "m2"),
    ],
    ids=[
        "an hour is not over at its end", "an hour is over",
        "twenty steps are not over at their end", "twenty steps are over",
        "what matters most is guarded", "what matters nearly most is not",
        "the unimportant leaves first", "of two that are unimportant the older leaves",
        "what matters stays before what is recent",
    ],
)  # fmt: skip
def test_each_limit_counts_from_its_exact_value(
    *, older: tuple[int, int, int], newer: tuple[int, int, int], gone: str, in_order: bool
) -> None:
    pad = filled([memo(1, *older), memo(2, *newer)])
    assert pad.in_order
    pad = msgspec.structs.replace(pad, in_order=in_order)

    assert leaving(pad, Gating(working_items_max=2)) == ([gone], "items")


def test_what_the_last_five_steps_brought_stays_though_it_came_before_the_rest() -> None:
    recent, older = memo(1, 0, STEP - 4, 500_000), memo(2, 0, STEP - 5, 500_000)

    assert leaving(filled([recent, older]), Gating(working_items_max=2)) == (["m2"], "items")


def test_what_is_over_leaves_first_however_much_it_matters_and_however_late_it_came() -> None:
    lasting, over = memo(1, 0, STEP - 5, 0), memo(2, HOUR_MS + 1, STEP, 1_000_000)

    assert leaving(filled([lasting, over]), Gating(working_items_max=2)) == (["m2"], "items")


def test_a_memo_with_a_time_of_its_own_lasts_to_its_last_millisecond() -> None:
    ends, over = memo(1, MINUTE_MS, 9, 0, ttl=60), memo(2, MINUTE_MS + 1, 9, 1_000_000, ttl=60)

    assert leaving(filled([ends, over]), Gating(working_items_max=2), step=9) == (["m2"], "items")


def test_one_that_lasts_otherwise_or_came_late_ends_the_order_until_the_pad_is_empty() -> None:
    early, late = memo(1, 50, 1, 0), memo(2, 10, 2, 0)

    assert filled([early, late]).in_order
    assert not filled([late, early]).in_order
    assert not filled([early, memo(3, 5, 3, 0, ttl=60)]).in_order
    assert filled([late, early]).without(["m1", "m2"]).kept(9, early, TOKENS).in_order


def test_a_scratchpad_counts_what_it_holds_and_a_mark_is_of_one_memo() -> None:
    pad = filled([memo(n, 0, n, 100 * n) for n in range(4)])

    pad = pad.marked("m2", 700_000).without(["m1", "nobody"])
    pad = pad.kept(9, memo(4, 0, 4, 400), TOKENS, displaced=["m0"])

    assert [each.memo.id for each in pad.held] == ["m2", "m3", "m4"]
    assert [each.memo.importance_ppm for each in pad.held] == [700_000, 300, 400]
    assert pad.weights == (700_000, 300, 400)
    assert (pad.tokens, pad.touched_seq) == (3 * TOKENS, 9)
    assert pad.marked("nobody", 1) is pad.marked("m3", 300) is pad
    assert pad.without(["m4"]).tokens == 2 * TOKENS
    assert pad.without(["m2", "m3", "m4"]) == Scratchpad(touched_seq=9)


# ── Room ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tokens_max", "gone"), [(12, 0), (11, 1), (9, 1), (8, 2), (6, 2), (3, 3), (2, 3)]
)
def test_as_many_leave_as_it_takes_to_fit_to_the_last_token(tokens_max: int, gone: int) -> None:
    """One that is larger than the whole scratchpad empties it; each leaves once."""
    pad = filled([memo(n, 0, STEP, 500_000) for n in range(3)])

    found = leaving(pad, Gating(working_tokens_max=tokens_max))

    assert found == (["m0", "m1", "m2"][:gone], "tokens" if gone else "")


@pytest.mark.parametrize("pad", [Scratchpad(), filled([memo(1, 0, STEP, 0)]).without(["m1"])])
def test_from_an_empty_scratchpad_nothing_leaves_however_large_what_comes(pad: Scratchpad) -> None:
    assert leaving(pad, Gating(working_tokens_max=1)) == ([], "")


@pytest.mark.parametrize(("held", "gone"), [(8, 0), (9, 0), (10, 1), (12, 3)])
def test_a_shelf_is_cleared_to_nine_tenths_and_no_further(held: int, gone: int) -> None:
    living = [memo(n, 0, 0, n) for n in reversed(range(held))]

    found = eviction.from_shelf(living, 10)

    assert [each.id for each in found] == [f"m{n}" for n in range(gone)]


@pytest.mark.covers("D-147", "D-027")
@pytest.mark.parametrize(
    ("smaller", "kept", "left"),
    [
        (Gating(working_items_max=4), 24, 4),
        (Gating(working_tokens_max=25), 20, 1),
        (Gating(working_tokens_max=4, working_recent_steps=0), 8, 1),
    ],
    ids=["in items", "in tokens", "in tokens, and all of it is the tail"],
)
def test_a_scratchpad_that_a_new_policy_made_smaller_is_compacted_and_fits(
    smaller: Gating, kept: int, left: int
) -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    with ada.job(session="s") as job:
        for n in range(kept):
            job.memorize({"type": "thought", "text": f"Step {n} found part {n * 7}."})
            job.tick()
    memory.admin().adopt_policy(Policy(gating=smaller), agent="ada")

    with ada.job(session="s") as job:
        (told,) = ada.compact()

        held = [memo.id for memo in job.memos("WM")]
        assert told.done
        assert told.told_by in held
        assert len(held) == left
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}
