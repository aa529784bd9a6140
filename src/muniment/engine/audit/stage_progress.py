"""Progress of work in stages: the current stage, how much is done, of how much."""

from collections.abc import Callable

Stages = Callable[[str, int, int], None]
Progress = Callable[[int], None]


def unwatched(_stage: str, _done: int, _of: int) -> None:
    """Where nobody looks on."""


def over_logs(shown: Stages, stage: str, of: int) -> Progress:
    """A counter over several logs: each begins at one again, the sum goes on."""
    finished, here = 0, 0

    def step(seq: int) -> None:
        nonlocal finished, here
        if seq < here:
            finished += here
        here = seq
        shown(stage, finished + here, of)

    return step
