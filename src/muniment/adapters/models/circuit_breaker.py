"""Circuit breaker: a server that fails is left alone, longer each time, until it answers again."""

import time
from collections.abc import Callable
from typing import Final

REST_SECONDS: Final = 15.0  # after the first failure: nobody waits for a server that is down
REST_SECONDS_MAX: Final = 600.0


class CircuitBreaker:
    """Counts failures in a row; each doubles the rest, and one answer ends it."""

    def __init__(
        self, *, rest_seconds: float = REST_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.failures = 0
        self._rest_seconds = rest_seconds
        self._clock = clock
        self._resting_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked of the server now."""
        return self._clock() < self._resting_until

    def failed(self, *, retry_after_seconds: float = 0.0) -> None:
        """Rest: as long as the server wishes, or as its failures in a row say."""
        rest = self._rest_seconds * 2.0 ** min(self.failures, 16)
        self.failures += 1
        wait = min(max(rest, retry_after_seconds), REST_SECONDS_MAX)
        self._resting_until = self._clock() + wait

    def answered(self) -> None:
        self.failures, self._resting_until = 0, 0.0
