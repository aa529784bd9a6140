"""What leaves first: by age, by a seeded draw, by worth for its size, by likeness."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.text.near_duplicates import saying
from muniment.rules.memos import clustering, thinning
from muniment.rules.memos.clustering import ClusterText
from muniment.rules.memos.thinning import Weighed

ALIKE = 850_000


def weighed(n: int, *, tokens: int = 10, importance: int = 500_000, age: int = 0) -> Weighed:
    return Weighed(id=f"memo:{n:04d}", tokens=tokens, importance_ppm=importance, age=age)


items = st.lists(
    st.builds(
        weighed,
        st.integers(0, 9999),
        tokens=st.integers(1, 400),
        importance=st.integers(0, 1_000_000),
        age=st.integers(0, 400),
    ),
    max_size=40,
    unique_by=lambda item: item.id,
)


@pytest.mark.covers("D-150")
@pytest.mark.parametrize("age", [0, 1, 7, 30, 45, 90, 365, 3_000])
def test_weight_fades_as_exp_of_minus_lambda_times_age(age: int) -> None:
    expected = math.exp(-math.log(2) / 30 * age) * 1_000_000

    assert abs(thinning.decayed_ppm(age, 30) - expected) <= 1


@pytest.mark.covers("D-151")
@given(items, st.randoms(use_true_random=False), st.integers(0, 20))
def test_a_sample_does_not_depend_on_the_order_of_arrival(
    found: list[Weighed], chance: object, size: int
) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]

    first = thinning.reservoir(found, size, seed="job-1", half_life=30)

    assert first == thinning.reservoir(shuffled, size, seed="job-1", half_life=30)
    assert len(first) == min(size, len(found))


@pytest.mark.covers("D-151")
def test_a_sample_favours_what_matters_and_another_seed_draws_another() -> None:
    found = [weighed(n, importance=900_000 if n % 2 else 100_000) for n in range(400)]

    drawn = [thinning.reservoir(found, 100, seed=f"job-{n}", half_life=30) for n in range(20)]

    counted = Counter(item.importance_ppm for sample in drawn for item in sample)
    assert counted[900_000] > 3 * counted[100_000] > 0
    assert len(set(drawn)) == 20


@pytest.mark.covers("D-152")
@given(items, st.integers(0, 3_000), st.integers(0, 40))
def test_eviction_reaches_its_target_and_spares_whoever_still_fits(
    found: list[Weighed], tokens: int, count: int
) -> None:
    gone = thinning.evicted(found, half_life=30, tokens_max=tokens, items_max=count)

    left = [item for item in found if item not in gone]
    used = sum(item.tokens for item in left)
    assert used <= tokens
    assert len(left) <= count
    assert all(used + item.tokens > tokens or len(left) + 1 > count for item in gone)


@pytest.mark.covers("D-152")
def test_what_is_worth_least_for_its_size_leaves_first() -> None:
    big, dull = weighed(1, tokens=100, importance=600_000), weighed(2, importance=50_000)
    old, good = weighed(3, importance=600_000, age=300), weighed(4, importance=600_000)

    gone = thinning.evicted([big, dull, old, good], half_life=30, items_max=1)

    assert [item.id for item in gone] == [old.id, dull.id, big.id]
    assert thinning.evicted([good], half_life=30, tokens_max=10) == ()


# ── Clusters ────────────────────────────────────────────────────────────────────────────────────


def alike(one: str, other: str) -> bool:
    two = [ClusterText(id="1", text=one), ClusterText(id="2", text=other)]
    return clustering.clusters(two, ALIKE) == (("1", "2"),)


@pytest.mark.covers("D-149")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "the deploy needs two approvals before",
            "the deploy needs two approvals before.",
        ),
        ("restart the worker, then drain the queue", "restart the worker then drain the queue"),
        ("会議は東京で開かれます", "会議は東京で開かれます。"),
    ],
)
def test_what_says_the_same_is_put_together(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.covers("D-149")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "this year's budget of the whole project is 1200 euros and no more was ever promised",
            "this year's budget of the whole project is 1300 euros and no more was ever promised",
        ),
        (
            "my sister has lived with two cats in Lisbon near the river and the old park station",
            "my sister has lived with two cats in Porto near the river and the old park station",
        ),
        (
            "do restart the worker before you drain the queue and close the gate behind it",
            "do not restart the worker before you drain the queue and close the gate behind it",
        ),
        (
            "we should never deploy on a friday evening unless the whole team is there to watch",
            "we should deploy on a friday evening unless the whole team is there to watch",
        ),
        (
            "田中さんは東京の大きな会社で長いあいだ働いています",
            "佐藤さんは東京の大きな会社で長いあいだ働いています",
        ),
        (
            "я живу в большом старом доме у реки недалеко от парка и очень доволен этим",
            "я не живу в большом старом доме у реки недалеко от парка и очень доволен этим",
        ),
        (
            'the hint that everybody in the office uses for the old printer is "blue door" as ever',
            'the hint that everybody in the office uses for the old printer is "red door" as ever',
        ),
    ],
)
def test_what_differs_in_a_value_is_never_put_together(one: str, other: str) -> None:
    assert not alike(one, other)


sentences = st.lists(
    st.sampled_from(
        [
            "alpha",
            "beta",
            "gamma",
            "delta",
            "12",
            "13",
            "Lisbon",
            "Porto",
            "not",
            "never",
            "runs",
            "stops",
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


@pytest.mark.covers("D-149")
@given(st.lists(sentences, max_size=25))
def test_no_cluster_ever_holds_two_values(told: list[str]) -> None:
    found = clustering.clusters(
        [ClusterText(id=str(n), text=text) for n, text in enumerate(told)], ALIKE
    )

    for group in found:
        assert len({saying(told[int(each)]).values for each in group}) == 1
    assert len({each for group in found for each in group}) == sum(map(len, found))


def test_texts_of_two_kinds_stay_apart() -> None:
    told = [
        ClusterText(id=kind, text="restart the worker", kind=kind) for kind in ("skill", "fact")
    ]

    assert clustering.clusters(told, ALIKE) == ()
