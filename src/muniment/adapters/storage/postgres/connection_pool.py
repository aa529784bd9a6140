"""PostgreSQL connection pool: each used by one thread at a time, none after a fork."""

import contextlib
import ctypes
import os
import select
import time
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from muniment.adapters.storage.postgres import connection, errors
from muniment.adapters.storage.postgres.connection import Link, Reach
from muniment.adapters.storage.postgres.errors import StreamMovingError
from muniment.model.errors import IntegrityError, StoreError

IDLE_MAX: Final = 8  # kept open for the next caller; a server's connections are dear
CONFLICTS_MAX: Final = 5  # a lost race between transactions is not a failure, but is bounded
PAUSE_SECONDS: Final = 0.02
PAUSES_MAX: Final = 1500  # half a minute: as long as a large stream may be fenced while it moves

Values = tuple[Any, ...] | dict[str, Any]
Answer = list[tuple[Any, ...]]
Question = Callable[[Link], Answer]


class _ServerPool:
    """The idle connections of one process; a forked child starts with none."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.guard = Lock()
        self.idle: list[Link] = []


class Links:
    """Ask and call: the two ways to speak with the server, and no driver error leaves either."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._held = _ServerPool()
        self._ready = Lock()
        self._prepared = False
        self._closed = False

    def ask(self, query: str, values: Values) -> Answer:
        return self._patiently(lambda: self._twice(lambda link: _fetch(link, query, values)))

    def call(self, query: str, values: Values) -> Answer:
        """A call that writes and commits by itself; a broken line leaves its outcome unknown."""
        return self._patiently(lambda: self._call(lambda link: _fetch(link, query, values)))

    def call_unhurried(self, query: str, values: Values) -> Answer:
        """A call to which all of a log falls: it takes as long as the log is long."""
        return self._patiently(lambda: self._call(lambda link: self._slowly(link, query, values)))

    @contextlib.contextmanager
    def use(self) -> Iterator[Link]:
        link = self.take()
        try:
            yield link
        except BaseException:
            self._give_if_sound(link)
            raise
        self.give(link)

    def take(self) -> Link:
        """An idle connection that is still alive, or a new one."""
        self.check_open()
        pool = self._pool()
        while True:
            with pool.guard:
                link = pool.idle.pop() if pool.idle else None
            if link is None:
                return self._connect()
            if _is_quiet(link):
                return link
            link.close()

    def give(self, link: Link) -> None:
        pool = self._pool()
        with pool.guard:
            if not self._closed and not link.closed and len(pool.idle) < IDLE_MAX:
                pool.idle.append(link)
                return
        link.close()

    def close(self) -> None:
        self._closed = True
        self.drop_idle()

    def drop_idle(self) -> None:
        pool = self._pool()
        with pool.guard:
            idle, pool.idle = pool.idle, []
        for link in idle:
            link.close()

    def check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def _patiently(self, act: Callable[[], Answer]) -> Answer:
        """A stream that is on its way to another server is waited for: nothing was written."""
        for _ in range(PAUSES_MAX):
            try:
                return act()
            except StreamMovingError:
                time.sleep(PAUSE_SECONDS)
        return act()

    def _call(self, act: Question) -> Answer:
        for conflict in range(CONFLICTS_MAX + 1):
            try:
                with self.use() as link:
                    return act(link)
            except psycopg.Error as error:
                if error.sqlstate in errors.CONFLICTS and conflict < CONFLICTS_MAX:
                    continue
                raise errors.told_by_call(error) from error
        raise AssertionError("unreachable: the last conflict raises")

    def _slowly(self, link: Link, query: str, values: Values) -> Answer:
        try:
            with connection.unhurried(link, self._reach):
                return _fetch(link, query, values)
        except BaseException:
            link.close()  # it may still have the patience of this call
            raise

    def _twice(self, question: Question) -> Answer:
        """A question changes nothing: if the line breaks, it is asked once more on a new one."""
        try:
            with self.use() as link:
                return question(link)
        except psycopg.Error as error:
            if not errors.is_lost(error):
                raise errors.told(error) from error
        self.drop_idle()  # the server has gone: the other connections went with it
        try:
            with self.use() as link:
                return question(link)
        except psycopg.Error as error:
            raise errors.told(error) from error

    def _connect(self) -> Link:
        link = connection.connect(self._reach)
        try:
            with self._ready:
                if not self._prepared:
                    connection.prepare(link, self._reach)
                    self._prepared = True
        except BaseException:
            link.close()
            raise
        return link

    def _give_if_sound(self, link: Link) -> None:
        # Somebody may have interrupted us in the middle of an answer.
        if not link.closed and link.info.transaction_status is TransactionStatus.IDLE:
            self.give(link)
        else:
            link.close()

    def _pool(self) -> _ServerPool:
        pool = self._held
        if pool.pid != os.getpid():
            # The parent still speaks on these lines: never used, never closed, never collected.
            for link in pool.idle:
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(link))
            self._ready = Lock()
            pool = self._held = _ServerPool()
        return pool


def _fetch(link: Link, query: str, values: Values) -> Answer:
    try:
        return link.execute(query.encode(), values, binary=True).fetchall()
    except UnicodeDecodeError as error:
        raise IntegrityError(f"a table of the server is damaged ({error})") from error


def _is_quiet(link: Link) -> bool:
    """Nothing waits to be read: an idle server says nothing unless it is going away."""
    if link.closed:
        return False
    waiting = select.poll()
    waiting.register(link.fileno(), select.POLLIN | select.POLLPRI)
    return not waiting.poll(0)
