"""Work queue: calls are executed one after another, beside the event loop or on it.

To hand one thing to a thread and back takes two wake-ups and two changes of the interpreter's
lock, which is more than the rest of an answer costs. So whatever came in one turn of the loop goes
over at one ring of a bell, and answers that are ready before the loop has woken come back at one.
Nothing ever waits for what is worked on after it, but what was made to be done together is:
several that wait to be written down share one durable append.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Final, TypeVar

import msgspec

from muniment.adapters.gateway.errors import BusyError

TOGETHER_MAX: Final = 64  # whoever came first waits for all of them
QUIET_TURNS: Final = 4  # a message is handed on that often before it has become an order

Answer = TypeVar("Answer")
Outcome = tuple[Any, BaseException | None]
Waiting = asyncio.Future[Outcome]


class Joint(msgspec.Struct, frozen=True, kw_only=True):
    """Work that is done together with its kin that waits right behind it; an answer for each."""

    kin: Hashable
    said: Any
    together: Callable[[Sequence[Any]], Sequence[object]]  # an error among them is raised


Work = Callable[[], object] | Joint
Order = tuple[Waiting, Work]


class Lane:
    """Work of one event loop in the order in which it came."""

    def __init__(self) -> None:
        self._orders: deque[Order] = deque()
        self._outcomes: deque[tuple[Waiting, Outcome]] = deque()
        self._door = Lock()  # nothing is put behind the word that ends the work
        self._closed = False
        self._ringing = False  # the loop will ring before its turn is over

    def __enter__(self) -> "Lane":
        return self

    def __exit__(self, *_: object) -> None:
        self.close(finish=True)

    async def run(self, work: Callable[[], Answer] | Joint) -> Answer:
        """What the work answers, or what it raised; the loop goes on meanwhile."""
        loop = asyncio.get_running_loop()
        waiting: Waiting = loop.create_future()
        with self._door:
            if self._closed:
                raise BusyError("the service is closing")
            self._orders.append((waiting, work))
        if not self._ringing:
            self._ringing = True
            loop.call_soon(self._ring)
        answer, error = await waiting
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def close(self, *, finish: bool) -> None:
        """Take nothing more; what waits is done first, or told that it came too late."""
        raise NotImplementedError

    def _ring(self) -> None:
        raise NotImplementedError

    def _take(self) -> list[Order]:
        """What is done next: one thing, or several of a kind that wait one behind the other."""
        taken: list[Order] = []
        with suppress(IndexError):
            taken.append(self._orders.popleft())
            first = taken[0][1]
            while isinstance(first, Joint) and len(taken) < TOGETHER_MAX:
                following = self._orders[0][1]
                if not isinstance(following, Joint) or following.kin != first.kin:
                    break
                taken.append(self._orders.popleft())
        return taken

    def _settle(self) -> None:
        with suppress(IndexError):
            while True:
                waiting, outcome = self._outcomes.popleft()
                if not waiting.done():
                    waiting.set_result(outcome)


class ThreadLane(Lane):
    """Beside the loop, for a door with many callers; its thread starts with the first of them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._bell = Lock()  # free once somebody has rung
        self._bell.acquire()
        self._telling = False  # the loop has been woken and has not looked yet
        self._came, self._done = 0, 0  # each is counted by one thread alone

    @property
    def under_way(self) -> int:
        """What was ordered and is not done; also what nobody waits for any more."""
        return self._came - self._done

    @property
    def is_idle(self) -> bool:
        return not self.under_way

    async def run(self, work: Callable[[], Answer] | Joint) -> Answer:
        self._came += 1
        return await super().run(work)

    def close(self, *, finish: bool) -> None:
        with self._door:
            self._closed = True
        with suppress(IndexError):
            while not finish:
                self._tell(self._orders.pop()[0], (None, BusyError("the service is closing")))
        self._ring()
        self._thread.join()

    def _ring(self) -> None:
        self._ringing = False
        if self._thread.ident is None:
            self._thread.start()
        with suppress(RuntimeError):  # rung already, and not heard yet
            self._bell.release()

    def _work(self) -> None:
        while self._orders or not self._closed:
            self._bell.acquire()
            while taken := self._take():
                for (waiting, _), outcome in zip(taken, _outcomes(taken), strict=True):
                    self._done += 1
                    self._tell(waiting, outcome)
                del taken, waiting, outcome  # while nothing is to do, nobody's words are held

    def _tell(self, waiting: Waiting, outcome: Outcome) -> None:
        self._outcomes.append((waiting, outcome))
        if not self._telling:
            self._telling = True
            try:
                waiting.get_loop().call_soon_threadsafe(self._settle)
            except RuntimeError:  # the loop has ended, and with it whoever waited
                self._telling = False

    def _settle(self) -> None:
        self._telling = False  # before looking: what comes after this wakes the loop again
        super()._settle()


class LoopLane(Lane):
    """On the loop itself, for a process with one caller: nobody else is kept waiting.

    Before each thing the loop has its turn until nothing more has come for a while: so an answer
    leaves before the next is worked on, and what arrived at one read is there together.
    """

    def close(self, *, finish: bool) -> None:
        del finish  # its loop has ended, and with it whoever waited
        self._closed = True

    def _ring(self, seen: int = 0, quiet: int = 0) -> None:
        waiting = len(self._orders)
        quiet = quiet + 1 if waiting == seen else 0
        if quiet > QUIET_TURNS:
            taken = self._take()
            self._outcomes.extend(
                (order[0], outcome) for order, outcome in zip(taken, _outcomes(taken), strict=True)
            )
            self._settle()
            waiting, quiet = len(self._orders), 0
        self._ringing = bool(waiting)
        if waiting:
            asyncio.get_running_loop().call_soon(self._ring, waiting, quiet)


def _outcomes(taken: list[Order]) -> list[Outcome]:
    """What is raised here is raised again where the answer is awaited."""
    first = taken[0][1]
    try:
        if not isinstance(first, Joint):
            return [(None if taken[0][0].cancelled() else first(), None)]
        waiting = [not each.cancelled() for each, _ in taken]  # who has left is passed over
        said = [each.said for (_, each), waits in zip(taken, waiting, strict=True) if waits]  # type: ignore[union-attr]
        told = iter(first.together(said) if said else ())
        return [_outcome(next(told)) if waits else (None, None) for waits in waiting]
    except BaseException as error:
        return [(None, error) for _ in taken]


def _outcome(told: object) -> Outcome:
    return (None, told) if isinstance(told, BaseException) else (told, None)
