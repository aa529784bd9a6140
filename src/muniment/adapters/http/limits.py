"""How often: a bucket of tokens for each key, and for each address that guesses at keys."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

import msgspec

from muniment.adapters.doors.faults import RateLimitedError

BUCKETS_MAX: Final = 10_000  # the longest unused goes: it would be full again by then


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """So many a second on average, and so many at once; 0 a second: no limit."""

    per_second: float
    burst: int


class Limiter:
    """Buckets by name, filled by a clock that is handed in."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> None:
        """One token; none left is an error that says how long to wait."""
        if not self._rate.per_second:
            return
        left = self._level(name)
        if left < 1:
            wait = ceil((1 - left) / self._rate.per_second)
            raise RateLimitedError(retry_after=str(max(wait, 1)))
        self._keep(name, left - 1)

    def check(self, name: str) -> None:
        """As `take`, without taking."""
        if self._rate.per_second and (left := self._level(name)) < 1:
            wait = ceil((1 - left) / self._rate.per_second)
            raise RateLimitedError(retry_after=str(max(wait, 1)))

    def _level(self, name: str) -> float:
        now = self._clock()
        left, then = self._buckets.get(name, (float(self._rate.burst), now))
        return min(self._rate.burst, left + (now - then) * self._rate.per_second)

    def _keep(self, name: str, left: float) -> None:
        self._buckets.pop(name, None)
        self._buckets[name] = (left, self._clock())
        if len(self._buckets) > BUCKETS_MAX:
            self._buckets.popitem(last=False)
