"""Who leaves first, by what it is worth for its size, and who is drawn."""

import pytest

from muniment.rules.memos import thinning
from muniment.rules.memos.thinning import Weighed

HALF_LIFE = 10


def item(name: str, *, tokens: int = 1, importance: int = 1_000_000, age: int = 0) -> Weighed:
    return Weighed(id=name, tokens=tokens, importance_ppm=importance, age=age)


def names(found: tuple[Weighed, ...]) -> str:
    return "".join(each.id for each in found)


@pytest.mark.parametrize(
    ("importance", "age", "worth"),
    [(1_000_000, 0, 1_000_000), (1_000_000, 10, 500_000), (999_999, 10, 499_999), (1, 500, 1)],
)
def test_worth_fades_by_half_and_is_never_nothing(importance: int, age: int, worth: int) -> None:
    found = thinning.utility_ppm(item("a", importance=importance, age=age), HALF_LIFE)

    assert (found, type(found)) == (worth, int)


def test_of_two_that_are_worth_the_same_the_older_leaves() -> None:
    young, old = item("a", importance=500_000), item("b", age=10)

    for both in ([young, old], [old, young]):
        assert names(thinning.evicted(both, half_life=HALF_LIFE, items_max=1)) == "b"


def test_what_is_worth_less_for_each_token_leaves_first() -> None:
    small, large = item("a", importance=100_000), item("b", tokens=2, importance=150_000)

    assert names(thinning.evicted([small, large], half_life=HALF_LIFE, items_max=1)) == "b"


@pytest.mark.parametrize(("items_max", "gone"), [(4, "c"), (3, "c"), (2, "ac"), (1, "abc")])
def test_whoever_still_fits_once_the_large_one_is_gone_comes_back(
    items_max: int, gone: str
) -> None:
    items = [
        item("a", importance=10_000),
        item("b", importance=20_000),
        item("c", tokens=20),
        item("d", tokens=5),
    ]

    found = thinning.evicted(items, half_life=HALF_LIFE, tokens_max=10, items_max=items_max)

    assert names(found) == gone


def test_the_same_are_drawn_wherever_and_whenever_it_is_drawn() -> None:
    """A replay draws alike: this sample is part of what a log means."""
    items = [
        item(each, importance=(n + 1) * 40_000) for n, each in enumerate("abcdefghijklmnopqrst")
    ]

    found = {
        seed: names(thinning.reservoir(items, 6, seed=seed, half_life=HALF_LIFE))
        for seed in ("one", "two")
    }

    assert found == {"one": "jlmpqr", "two": "ajnprs"}
