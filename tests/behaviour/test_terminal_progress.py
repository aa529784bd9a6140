"""Progress says how far it is, of how much, and how long it will still take."""

import pytest
from tests.world import memory

from muniment.adapters.cli.progress import entries_of, so_far


@pytest.mark.parametrize(
    ("done", "of", "seconds", "told"),
    [
        (1_200, 50_000, 0.5, "1,200 of 50,000 lines"),
        (10_000, 50_000, 5.0, "10,000 of 50,000 lines, about 20 s left"),
        (10_000, 50_000, 60.0, "10,000 of 50,000 lines, about 5 min left"),
        (50_000, 50_000, 9.0, "50,000 of 50,000 lines, about 0 s left"),
        (7, 0, 9.0, "7 lines"),
        (8, 7, 9.0, "8 lines"),
    ],
)
def test_an_estimate_follows_from_what_is_done(
    done: int, of: int, seconds: float, told: str
) -> None:
    assert so_far(done, of, seconds, "lines") == told


def test_the_total_of_a_proof_is_every_entry_of_every_log() -> None:
    world = memory()
    world.agent("ada").remember("I moved to Lisbon")

    assert entries_of(world) == sum(proof.entries for proof in world.prove())
