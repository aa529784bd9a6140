"""System clock: stamped once at the edge; from there on a time is data."""

import time
from typing import Final

from muniment.model import ids

TICK_SECONDS: Final = 0.05  # one tick of waiting before a retry
MINUTE_MS: Final = 60_000


class SystemClock:
    def now(self) -> str:
        return ids.time_text(time.time_ns() // 1_000_000)

    def wait(self, ticks: int) -> None:
        time.sleep(ticks * TICK_SECONDS)


class PacedClock:
    """A clock that a story sets: it stands still until it is moved on."""

    def __init__(self, moment: str) -> None:
        self._start_ms = self._now_ms = ids.time_ms(moment)

    def now(self) -> str:
        return ids.time_text(self._now_ms)

    def wait(self, ticks: int) -> None:
        self._now_ms += int(ticks * TICK_SECONDS * 1000)

    def pass_minutes(self, minutes: int) -> None:
        self._now_ms += minutes * MINUTE_MS

    def move_to_minute(self, minute: int) -> None:
        """To so many minutes after its start, but never back."""
        self._now_ms = max(self._now_ms, self._start_ms + minute * MINUTE_MS)


class ToldClock(SystemClock):
    """The time of what is being read in, where that is known; else the time of this machine."""

    def __init__(self) -> None:
        self._told = ""

    def set(self, moment: str) -> None:
        self._told = moment

    def now(self) -> str:
        return self._told or super().now()
