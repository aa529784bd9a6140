"""Progress of work in stages: the current stage, how much is done, of how much."""

from collections.abc import Callable
from typing import Final

Stages = Callable[[str, int, int], None]
Progress = Callable[[int], None]
COMPARING: Final = 8  # of the proof of a log, this part is the comparison with what is derived


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


class LogProgress:
    """The proof of one log as a share of its entries: first it is read, then compared."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._told = progress, 0
        self._entries, self._done, self._of = 0, 0, 1

    def read(self, seq: int) -> None:
        self._entries = seq
        self._tell(seq - seq // COMPARING)

    def begin(self, of: int) -> None:
        """The comparison, of so many rows."""
        self._done, self._of = 0, max(of, 1)

    def compared(self, rows: int) -> None:
        self._done = min(self._done + rows, self._of)
        left = self._entries // COMPARING * (self._of - self._done) // self._of
        self._tell(self._entries - left)

    def end(self) -> None:
        """All of it, also where nothing was to be compared."""
        if self._told != self._entries:
            self._tell(self._entries)

    def _tell(self, entries: int) -> None:
        self._told = entries
        self._progress(entries)
