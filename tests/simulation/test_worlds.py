"""Simulated worlds: a store that fails and is asked again costs time, never a byte."""

import pytest
from tests.simulation.worlds import STORMS, live, undisturbed
from tests.soaking import times

WORLDS = times(1_000, soak=4_000)
PER_TEST = 5 * STORMS
ENGINE_OF_OPERATIONS = (
    2_200  # a world in which the engine acts for a tenant in its operations alone
)
ONE_SIDED = 755  # a history in which only one of the two tenants does anything


@pytest.mark.covers("A-134", "A-135")
@pytest.mark.parametrize("first", range(0, WORLDS, PER_TEST))
def test_a_stormy_life_leaves_the_same_logs_as_a_calm_one(first: int) -> None:
    outcomes = [live(seed) for seed in range(first, first + PER_TEST)]

    assert [each.seed for each in outcomes if not each.is_good] == []
    assert sum(each.faults for each in outcomes) > PER_TEST, "hardly anything failed"


def test_a_world_is_the_same_on_every_run() -> None:
    once = live(7)
    undisturbed.cache_clear()

    assert live(7) == once


def test_the_storms_of_a_history_are_not_the_same() -> None:
    lived = [live(seed) for seed in range(STORMS)]

    assert len({each.entries for each in lived}) == 1
    assert len({each.faults for each in lived}) > 1


def test_a_world_in_which_one_of_two_tenants_was_told_nothing_is_proved_too() -> None:
    assert len({step.tenant for step in undisturbed(ONE_SIDED).steps}) == 1
    assert live(ONE_SIDED * STORMS).is_good


def test_who_acts_in_the_log_of_operations_alone_has_a_key_in_the_storm_alone() -> None:
    outcome = live(ENGINE_OF_OPERATIONS)

    assert outcome.faults
    assert outcome.is_good
