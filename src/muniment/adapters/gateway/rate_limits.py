"""Rate limits: a token bucket for each key, and for each address that guesses keys."""

import time
from collections.abc import Callable
from math import ceil
from typing import Final

import msgspec

from muniment.adapters.gateway.errors import RateLimitedError, UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway, Visit
from muniment.model.lru_cache import LruCache

BUCKETS_MAX: Final = 10_000  # the longest unused goes: it would be full again by then
SCHEMES: Final = ("bearer ", "token ")  # `token` is what clients of mem0 say


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """So many a second on average, and so many at once; 0 a second: no limit."""

    per_second: float
    burst: int


RATE: Final = Rate(per_second=100, burst=200)
GUESSES: Final = Rate(per_second=5 / 60, burst=10)


class Allowance(msgspec.Struct, frozen=True):
    """How many calls at once, how many of them are left, and in how many seconds all are."""

    limit: int
    remaining: int
    reset_seconds: int


class Limiter:
    """Buckets by name, filled by a clock that is handed in."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets = LruCache[str, tuple[float, float]](BUCKETS_MAX)

    def take(self, name: str) -> None:
        """One token; none left is an error that says how long to wait."""
        if not self._rate.per_second:
            return
        left = self._level(name)
        if left < 1:
            wait = ceil((1 - left) / self._rate.per_second)
            raise RateLimitedError(retry_after=str(max(wait, 1)))
        self._keep(name, left - 1)

    def allowance(self, name: str) -> Allowance | None:
        """How it stands with a bucket; none where nothing is limited."""
        if not self._rate.per_second:
            return None
        left = self._level(name)
        whole = ceil((self._rate.burst - left) / self._rate.per_second)
        return Allowance(self._rate.burst, int(left), whole)

    def _level(self, name: str) -> float:
        now = self._clock()
        left, then = self._buckets.get(name) or (float(self._rate.burst), now)
        return min(self._rate.burst, left + (now - then) * self._rate.per_second)

    def _keep(self, name: str, left: float) -> None:
        self._buckets.put(name, (left, self._clock()))


class Doorkeeper:
    """Lets in whoever shows a key that is in force, and not too often.

    Who shows a wrong one is soon told to wait. Others at the same address are not: behind a proxy
    everybody has its address, and one who guesses there shall not shut the door for all.
    """

    def __init__(
        self,
        reception: Gateway,
        *,
        rate: Rate = RATE,
        guesses: Rate = GUESSES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reception = reception
        self._rate = Limiter(rate, clock)
        self._guesses = Limiter(guesses, clock)

    def admit(self, token: str, address: str) -> Visit:
        return self.let_in(lambda: self._reception.admit(token), address)

    def let_in(self, recognised: Callable[[], Visit], address: str) -> Visit:
        """The visit of whoever is recognised; who is not has guessed."""
        try:
            visit = recognised()
        except UnauthorizedError:
            self._guesses.take(address)
            raise
        self._rate.take(visit.key_id)
        return visit

    def allowance(self, visit: Visit) -> Allowance | None:
        """How often whoever was let in may still call."""
        return self._rate.allowance(visit.key_id)


def token(authorization: str) -> str:
    """The key that a header shows; empty when it shows none."""
    for scheme in SCHEMES:
        if authorization[: len(scheme)].lower() == scheme:
            return authorization[len(scheme) :].strip()
    return ""
