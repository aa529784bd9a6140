"""A thread of its own for what must not hold up the event loop: one thing after another.

An executor of the standard library does the same for twice the CPU: it keeps a future for threads
beside the future for the loop, and joins the two with callbacks. Here one future is enough.
"""

import asyncio
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from muniment.adapters.doors.faults import BusyError

Answer = TypeVar("Answer")
Outcome = tuple[Any, BaseException | None]
Order = tuple["asyncio.Future[Outcome]", Callable[[], object]]


class Lane:
    """Work in the order in which it came; its thread is started with the first of it."""

    def __init__(self, name: str) -> None:
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._door = Lock()  # nothing is put behind the word that ends the work
        self._closed = False

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """What the work answers, or what it raised; the loop goes on meanwhile."""
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        with self._door:
            if self._closed:
                raise BusyError("the service is closing")
            self._orders.put((done, work))
            if self._thread.ident is None:
                self._thread.start()
        answer, error = await done
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def close(self, *, finish: bool) -> None:
        """Take nothing more; what waits is done first, or told that it came too late."""
        with self._door:
            closed, self._closed = self._closed, True
            if not finish:
                self._refuse()
            self._orders.put(None)
        if not closed and self._thread.ident is not None:
            self._thread.join()

    def _refuse(self) -> None:
        try:
            while order := self._orders.get_nowait():
                _tell(order[0], (None, BusyError("the service is closing")))
        except Empty:
            return

    def _work(self) -> None:
        while order := self._orders.get():
            done, work = order
            if not done.cancelled():
                _tell(done, _outcome(work))
            del order, done, work  # while nothing is to do, nobody's words are held


def _outcome(work: Callable[[], object]) -> Outcome:
    try:
        return work(), None
    except BaseException as error:  # it is raised again where the answer is awaited
        return None, error


def _tell(done: "asyncio.Future[Outcome]", outcome: Outcome) -> None:
    try:
        done.get_loop().call_soon_threadsafe(_settle, done, outcome)
    except RuntimeError:  # the loop has ended, and with it whoever waited
        return


def _settle(done: "asyncio.Future[Outcome]", outcome: Outcome) -> None:
    if not done.done():
        done.set_result(outcome)
