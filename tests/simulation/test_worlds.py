"""Simulated worlds: a store that fails and is asked again costs time, never a byte."""

import pytest
from tests.simulation.worlds import live
from tests.soaking import times

WORLDS = times(120, soak=4_000)
PER_TEST = 20


@pytest.mark.covers("A-134", "A-135")
@pytest.mark.parametrize("first", range(0, WORLDS, PER_TEST))
def test_a_stormy_life_leaves_the_same_logs_as_a_calm_one(first: int) -> None:
    outcomes = [live(seed) for seed in range(first, first + PER_TEST)]

    assert [each.seed for each in outcomes if not each.is_good] == []
    assert sum(each.faults for each in outcomes) > PER_TEST, "hardly anything failed"


def test_a_world_is_the_same_on_every_run() -> None:
    assert live(7) == live(7)


def test_a_world_in_which_one_of_two_tenants_was_told_nothing_is_proved_too() -> None:
    assert live(2498).is_good
