"""Turns at the memory: one call at a time for each who shares views, and others go on meanwhile.

A view keeps what it has read, so two calls must not be inside one at once. The house behind the
views is made for many threads: whoever waits for a slow model, or proves a long log, holds up
those who share their views and nobody else.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock


class CallLocks:
    """A turn for each name; a name that nobody waits for takes no room."""

    def __init__(self) -> None:
        self._door = Lock()
        self._turns: dict[Hashable, _CallLock] = {}

    @contextmanager
    def take(self, who: Hashable) -> Iterator[None]:
        """Wait until it is our turn; inside, it may be taken again."""
        turn = self._enter(who)
        try:
            with turn.lock:
                yield
        finally:
            self._leave(who, turn)

    @contextmanager
    def take_if_free(self, who: Hashable) -> Iterator[bool]:
        """As `take`, without waiting: whoever holds one turn must not wait for another."""
        turn = self._enter(who)
        free = turn.lock.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                turn.lock.release()
            self._leave(who, turn)

    def _enter(self, who: Hashable) -> "_CallLock":
        with self._door:
            turn = self._turns.setdefault(who, _CallLock())
            turn.users += 1
            return turn

    def _leave(self, who: Hashable, turn: "_CallLock") -> None:
        with self._door:
            turn.users -= 1
            if not turn.users:
                del self._turns[who]


class _CallLock:
    def __init__(self) -> None:
        self.lock = RLock()
        self.users = 0  # who has it, and who waits for it
