"""The clock of this machine, stamped once at the edge; from there on a time is data."""

import time
from typing import Final

from muniment.model import ids

TICK_SECONDS: Final = 0.05  # one tick of waiting before a retry


class SystemClock:
    def now(self) -> str:
        return ids.time_text(time.time_ns() // 1_000_000)

    def wait(self, ticks: int) -> None:
        time.sleep(ticks * TICK_SECONDS)
