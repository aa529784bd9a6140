"""Advisory locks of streams on a server: writers queue.

Threads of one process always queue here. Writers of other processes are met at `expect`; only a
stream where that has just happened is worth the two extra round trips of a lock on the server.
A courtesy only: where the lock cannot be had, `expect` still keeps every append correct.
"""

import contextlib
import ctypes
from typing import Final

import psycopg

from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.connection_pool import Links
from muniment.adapters.storage.postgres.schema.migrations import lock_number
from muniment.adapters.system.keyed_locks import KeyedLocks, ReentrantLock
from muniment.model.errors import MunimentError

CROWDED_WRITES: Final = 64  # how long a stream counts as crowded after the last collision
WAIT: Final = "SELECT pg_advisory_lock(%s)"
LEAVE: Final = "SELECT pg_advisory_unlock(%s)"


class ServerStreamLock(ReentrantLock):
    """One stream's queue: a lock for threads, and sometimes one for everybody on the server."""

    def __init__(self, links: Links, number: int) -> None:
        super().__init__()
        self.crowded = 0
        self._links = links
        self._number = number
        self._link: Link | None = None

    @property
    def may_go(self) -> bool:
        return not self.crowded

    def shut_out(self) -> None:
        if self.crowded:
            self.crowded -= 1
            self.queue()

    def queue(self) -> None:
        """Wait behind the writers of other processes, for as long as this lock is held."""
        if self._link is not None:
            return
        with contextlib.suppress(MunimentError):
            link = self._links.take()
            try:
                link.execute(WAIT, (self._number,))
                self._link = link
            except psycopg.Error:
                link.close()
            except BaseException:
                link.close()  # nobody would know any more that it holds the lock
                raise

    def let_in(self) -> None:
        link = self._link
        if link is None:
            return
        try:
            link.execute(LEAVE, (self._number,))
        except psycopg.Error:
            link.close()  # the server lets go of what a lost connection held
        except BaseException:
            link.close()
            raise
        # Only now: whoever is cut off before this says it again, and that is no mistake.
        self._link = None
        self._links.give(link)

    def abandon(self) -> None:
        """After a fork: the parent still holds the lock, and still speaks on the line."""
        if self._link is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._link))


class ServerStreamLocks:
    """The write locks of one process at one server."""

    def __init__(self, links: Links, schema: str) -> None:
        self._locks = KeyedLocks[str, ServerStreamLock](
            lambda stream: ServerStreamLock(links, lock_number("write", schema, stream))
        )

    def held(self, stream: str) -> contextlib.AbstractContextManager[None]:
        return self._locks.held(stream)

    def collided(self, stream: str) -> None:
        """Somebody else appended first: queue from now on, if this thread holds the lock."""
        with self._locks.at(stream) as lock:
            lock.crowded = CROWDED_WRITES
            if lock.is_ours:
                lock.queue()
