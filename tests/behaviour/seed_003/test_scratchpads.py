"""Who leaves a full scratchpad: found quickly where memos came in order, and never another one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import ids
from muniment.model.kinds.memo import Memo, MemoType
from muniment.model.policy.memo_gate import Gating
from muniment.rules.memos import eviction

NOW_MS = ids.time_ms("2026-11-15T12:00:00.000Z")
GATING = Gating(working_items_max=8)
# Minutes ago, step, importance, and how long it lasts if it says so itself.
TOLD = st.tuples(
    st.integers(0, 90),
    st.integers(0, 30),
    st.sampled_from([0, 299_999, 300_000, 699_999, 700_000, 1_000_000]),
    st.sampled_from([None, None, None, 60, 7_200]),
)


def memo(n: int, minutes: int, step: int, weight: int, ttl: int | None) -> Memo:
    return Memo(
        id=f"m{n}",
        type=MemoType.OBSERVATION,
        text=f"memo {n}",
        tokens_estimate=3,
        timestamp=ids.time_text(NOW_MS - minutes * 60_000),
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


@given(
    told=st.lists(TOLD, min_size=8, max_size=24),
    ordered=st.booleans(),
    step=st.integers(0, 40),
    data=st.data(),
)
@settings(max_examples=150, deadline=None)
def test_the_same_memos_leave_however_they_came(
    *, told: list[tuple[int, int, int, int | None]], ordered: bool, step: int, data: st.DataObject
) -> None:
    if ordered:
        moments, steps = sorted((it[0] for it in told), reverse=True), sorted(it[1] for it in told)
        told = [(m, s, it[2], None) for m, s, it in zip(moments, steps, told, strict=True)]
    pad = filled([memo(n, *it) for n, it in enumerate(told)])
    gone = data.draw(st.sets(st.sampled_from([each.memo.id for each in pad.held]), max_size=3))
    marked = data.draw(st.sampled_from([each.memo.id for each in pad.held]))
    pad = pad.without(sorted(gone)).marked(marked, 700_000)
    incoming = memo(99, 0, step, 500_000, None)

    leaving, _ = eviction.from_working(pad, incoming, GATING, step=step)

    ranks = eviction.thorough(pad, GATING, step=step, at=incoming.timestamp)
    first = sorted(range(len(ranks)), key=lambda n: (ranks[n], n))
    assert [each.id for each in leaving] == [pad.held[n].memo.id for n in first[: len(leaving)]]
    assert len(pad.held) - len(leaving) + 1 <= GATING.working_items_max
    assert pad.weights == tuple(each.memo.importance_ppm for each in pad.held)
    assert not ordered or pad.in_order


def test_a_memo_with_a_time_of_its_own_lasts_to_its_last_second() -> None:
    pad = filled([memo(1, 1, 9, 0, 59), memo(2, 1, 9, 0, 60), memo(3, 61, 9, 0, None)])

    over, lasts, by_rule = eviction.thorough(pad, GATING, step=9, at=ids.time_text(NOW_MS))

    assert (lasts - over, by_rule) == (eviction.LASTS, over)


def test_one_that_lasts_otherwise_or_came_late_ends_the_order_until_the_pad_is_empty() -> None:
    early, late = memo(1, 50, 1, 0, None), memo(2, 10, 2, 0, None)

    assert filled([early, late]).in_order
    assert not filled([late, early]).in_order
    assert not filled([early, memo(3, 5, 3, 0, 60)]).in_order
    assert filled([late, early]).without(["m1", "m2"]).kept(9, early, 3).in_order
