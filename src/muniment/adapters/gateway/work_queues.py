"""Work queues by caller: callers that share nothing do not wait for each other.

Whoever has something under way stays on their lane, so that their calls keep their order, and
those that were made to be done together are. Everybody else takes the first lane that is free:
as long as nothing takes long, that is one thread.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.work_queue import Joint, ThreadLane

LANES_MAX: Final = 32  # threads; where all of them wait, the rest waits with them
WAITING_MAX: Final = 512  # calls that wait for their turn; more are told to come again
EACH_MAX: Final = 128  # of one who: others shall find room
FOLLOWING_MAX: Final = 64  # whoever follows a log has time, and takes nobody's place

Answer = TypeVar("Answer")


class Lanes:
    """As many threads as there are calls that take long, and not more than so many."""

    def __init__(self, name: str, lanes_max: int = LANES_MAX) -> None:
        self._name = name
        self._lanes_max = lanes_max
        self._lanes: list[ThreadLane] = []
        self._places: dict[Hashable, ThreadLane] = {}  # of those who have something under way
        self._waiting: dict[Hashable, int] = {}
        self._all = 0
        self._closed = False

    async def run(
        self, who: Hashable, work: Callable[[], Answer] | Joint, *, patient: bool = False
    ) -> Answer:
        """What the work answers, or what it raised; the loop goes on meanwhile."""
        if self._closed:
            raise BusyError("the service is closing")
        of_who = self._waiting.get(who, 0)
        room = min(WAITING_MAX, FOLLOWING_MAX) if patient else WAITING_MAX
        if self._all >= room or of_who >= EACH_MAX:
            raise BusyError
        self._all, self._waiting[who] = self._all + 1, of_who + 1
        try:
            return await self._lane(who).run(work)
        finally:
            self._all -= 1
            self._leave(who)

    def of(self, who: Hashable) -> "QueueSlot":
        """Where one who does all they do."""
        return QueueSlot(self, who)

    async def done(self) -> None:
        """Everything that came before this is done."""
        await asyncio.gather(*(lane.run(lambda: None) for lane in self._lanes))

    def close(self, *, finish: bool) -> None:
        """Take nothing more; what waits is done first, or told that it came too late."""
        self._closed = True
        for lane in self._lanes:
            lane.close(finish=finish)

    def _lane(self, who: Hashable) -> ThreadLane:
        place = self._places.get(who)
        if place is None or place.is_idle:
            place = self._places[who] = self._free()
        return place

    def _free(self) -> ThreadLane:
        """The first that has nothing to do, or a new one; else the one with the least to do."""
        for lane in self._lanes:
            if lane.is_idle:
                return lane
        if len(self._lanes) < self._lanes_max:
            self._lanes.append(ThreadLane(f"{self._name}-{len(self._lanes)}"))
            return self._lanes[-1]
        return min(self._lanes, key=lambda lane: lane.under_way)

    def _leave(self, who: Hashable) -> None:
        self._waiting[who] -= 1
        if not self._waiting[who]:
            # What was begun goes on where nobody waits for it any more; turns keep it apart.
            del self._waiting[who]
            self._places.pop(who, None)


class QueueSlot:
    """The lanes, as one who sees them."""

    def __init__(self, lanes: Lanes, who: Hashable) -> None:
        self._lanes = lanes
        self._who = who

    async def run(self, work: Callable[[], Answer] | Joint) -> Answer:
        return await self._lanes.run(self._who, work)
