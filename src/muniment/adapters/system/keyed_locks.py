"""Per-key locks: one reentrant lock for each key, safe against signals and forks.

A signal may cut off whoever takes or gives back a lock between any two steps. What it left behind
would keep all others waiting, and so it is let go when the hold on it is, if not before.
"""

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Generic, TypeVar


class ReentrantLock:
    """A lock for the threads of this process; what keeps other processes out is added to it."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.users = 0  # who has it, and who waits for it

    @property
    def is_ours(self) -> bool:
        """Whether this thread has it; the lock itself knows, whatever came in between."""
        return bool(self.lock._is_owned())  # type: ignore[attr-defined]  # noqa: SLF001 - as Condition asks

    @property
    def may_go(self) -> bool:
        """Whether one that nobody uses may be forgotten."""
        return True

    def shut_out(self) -> None:
        """Keep other processes from it."""

    def let_in(self) -> None:
        """Let other processes have it again; said twice, it is no mistake."""

    def close(self) -> None:
        """Give up what it holds open; nobody has it."""

    def abandon(self) -> None:
        """After a fork: let go of what is the parent's, without unlocking it for the parent."""


class Hold:
    """One lock that is held; meanwhile the same thread may hold it again."""

    _first = False  # until it is taken here, and by nobody before

    def __init__(self, lock: ReentrantLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        lock = self._lock
        if lock.is_ours:
            return
        try:
            lock.lock.acquire()
            self._first = True
            lock.shut_out()
        except BaseException:
            self._first = lock.is_ours  # it may be taken although the word did not arrive
            self._end()
            raise

    def __exit__(self, *told: object) -> None:
        self._end()

    def __del__(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._first and self._lock.is_ours:
            self._lock.let_in()
            # No signal is heard between these two: nothing is called there.
            self._first = False
            self._lock.lock.release()


Key = TypeVar("Key", bound=Hashable)
Held = TypeVar("Held", bound=ReentrantLock)


class KeyedLocks(Generic[Key, Held]):
    """The locks of one process by their keys; a forked child starts with none."""

    def __init__(self, make: Callable[[Key], Held], *, idle_max: int = 0) -> None:
        """`idle_max`: how many that nobody uses are kept, the longest unused go first."""
        self._make = make
        self._idle_max = idle_max
        self._pid = os.getpid()
        self._guard = Lock()
        self._locks: dict[Key, Held] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @contextmanager
    def held(self, key: Key) -> Iterator[None]:
        """Wait for it and hold it; inside, it may be held again."""
        with self.at(key) as lock, Hold(lock):
            yield

    @contextmanager
    def held_if_free(self, key: Key) -> Iterator[bool]:
        """As `held`, without waiting: whoever holds one key must not wait for another."""
        with self.at(key) as lock:
            free = lock.lock.acquire(blocking=False)
            try:
                yield free
            finally:
                if free:
                    lock.lock.release()

    @contextmanager
    def at(self, key: Key) -> Iterator[Held]:
        """The lock itself, not taken; it is not forgotten for as long as the block lasts."""
        lock = self._enter(key)
        try:
            yield lock
        finally:
            self._leave(key, lock)

    def close(self) -> None:
        with self._guard:
            self._forget(list(self._locks))

    def _enter(self, key: Key) -> Held:
        if self._pid != os.getpid():
            for each in self._locks.values():
                each.abandon()
            self._pid, self._guard, self._locks = os.getpid(), Lock(), {}
        with self._guard:
            lock = self._locks.pop(key, None) or self._make(key)
            self._locks[key] = lock  # last in, so that the longest unused comes first
            lock.users += 1
        return lock

    def _leave(self, key: Key, lock: Held) -> None:
        with self._guard:
            lock.users -= 1
            surplus = len(self._locks) - self._idle_max
            if surplus > 0:
                self._forget(list(self._locks)[:surplus] if self._idle_max else [key])

    def _forget(self, keys: list[Key]) -> None:
        for key in keys:
            lock = self._locks.get(key)
            if lock is not None and not lock.users and lock.may_go:
                lock.close()
                del self._locks[key]
