"""Turns at a stream: writers queue instead of colliding.

Threads of one process always queue here. Writers of other processes are met at `expect`; only a
stream where that has just happened is worth the two extra round trips of a lock on the server.
A courtesy only: where the lock cannot be had, `expect` still keeps every append correct.
"""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from threading import Lock
from typing import Final

import psycopg

from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.connection_pool import Links
from muniment.adapters.storage.postgres.schema.migrations import lock_number
from muniment.adapters.system import reentrant_lock
from muniment.model.errors import MunimentError

CROWDED_TURNS: Final = 64  # how long a stream counts as crowded after the last collision
WAIT: Final = "SELECT pg_advisory_lock(%s)"
LEAVE: Final = "SELECT pg_advisory_unlock(%s)"


class ServerStreamLock(reentrant_lock.ReentrantLock):
    """One stream's queue: a lock for threads, and sometimes one for everybody on the server."""

    def __init__(self, links: Links, number: int) -> None:
        super().__init__()
        self.users = 0
        self.crowded = 0
        self._links = links
        self._number = number
        self._link: Link | None = None

    def shut_out(self) -> None:
        if self.crowded:
            self.crowded -= 1
            self.queue()

    def queue(self) -> None:
        """Wait behind the writers of other processes, for the rest of this turn."""
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
        link, self._link = self._link, None
        if link is None:
            return
        try:
            link.execute(LEAVE, (self._number,))
        except psycopg.Error:
            link.close()  # the server lets go of what a lost connection held
        except BaseException:
            link.close()
            raise
        else:
            self._links.give(link)

    def abandon(self) -> None:
        """After a fork: the parent still holds the lock, and still speaks on the line."""
        if self._link is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._link))


class ServerStreamLocks:
    """The turns of one process; a forked child starts with none."""

    def __init__(self, links: Links, schema: str) -> None:
        self._links = links
        self._schema = schema
        self._pid = os.getpid()
        self._guard = Lock()
        self._turns: dict[str, ServerStreamLock] = {}

    @contextlib.contextmanager
    def at(self, stream: str) -> Iterator[None]:
        turn = self._pin(stream)
        try:
            with reentrant_lock.Stay(turn):
                yield
        finally:
            self._unpin(stream, turn)

    def collided(self, stream: str) -> None:
        """Somebody else appended first: queue from now on, if this thread is at its turn."""
        turn = self._pin(stream)
        try:
            turn.crowded = CROWDED_TURNS
            if turn.is_ours:
                turn.queue()
        finally:
            self._unpin(stream, turn)

    def _pin(self, stream: str) -> ServerStreamLock:
        if self._pid != os.getpid():
            for old in self._turns.values():
                old.abandon()
            self._pid, self._guard, self._turns = os.getpid(), Lock(), {}
        with self._guard:
            turn = self._turns.get(stream)
            if turn is None:
                turn = self._turns[stream] = ServerStreamLock(
                    self._links, lock_number("turn", self._schema, stream)
                )
            turn.users += 1
            return turn

    def _unpin(self, stream: str, turn: ServerStreamLock) -> None:
        with self._guard:
            turn.users -= 1
            if not turn.users and not turn.crowded:
                self._turns.pop(stream, None)
