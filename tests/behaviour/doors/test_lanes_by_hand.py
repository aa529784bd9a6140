"""Lanes by hand: how many may wait, whose place is whose, and what is left when all have gone."""

import asyncio
import threading
from functools import partial

import pytest

from muniment.adapters.gateway import work_queues
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.work_queues import Lanes


class Crowd:
    """Some who wait for one thing, and let it go at the end."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes, self._go = lanes, threading.Event()
        self._waiting: list[asyncio.Future[bool]] = []

    async def wait(self, *names: str, patient: bool = False) -> None:
        slow = partial(self._go.wait, 3)
        self._waiting += [
            asyncio.ensure_future(self.lanes.run(who, slow, patient=patient)) for who in names
        ]
        await asyncio.sleep(0)

    async def refused(self, who: str, *, patient: bool = False) -> bool:
        """Whether somebody is told to come again; who is not waits with the others."""
        asked = asyncio.ensure_future(
            self.lanes.run(who, partial(self._go.wait, 3), patient=patient)
        )
        await asyncio.sleep(0)
        if asked.done():
            assert isinstance(asked.exception(), BusyError)
            return True
        self._waiting.append(asked)
        return False

    async def end(self) -> None:
        self._go.set()
        await asyncio.gather(*self._waiting)
        self._waiting.clear()
        self._go.clear()


def test_who_follows_takes_only_the_first_places_and_others_find_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_queues, "WAITING_MAX", 3)
    monkeypatch.setattr(work_queues, "FOLLOWING_MAX", 2)

    async def come() -> None:
        crowd = Crowd(Lanes("side", 1))
        await crowd.wait("ada", "bob", patient=True)
        assert await crowd.refused("cyd", patient=True)
        assert not await crowd.refused("cyd")
        assert await crowd.refused("dan")
        await crowd.end()
        await crowd.wait("ada", "bob")
        asked = asyncio.ensure_future(crowd.lanes.run("cyd", lambda: "in time"))
        await asyncio.sleep(0)
        await crowd.end()
        assert await asked == "in time"
        monkeypatch.setattr(work_queues, "FOLLOWING_MAX", 9)
        await crowd.wait("ada", "bob", "cyd", patient=True)
        assert await crowd.refused("dan", patient=True)
        await crowd.end()
        crowd.lanes.close(finish=True)

    asyncio.run(come())


def test_one_who_has_many_calls_under_way_is_told_to_come_again_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_queues, "EACH_MAX", 3)

    async def come() -> None:
        crowd = Crowd(Lanes("side", 1))
        for _ in range(2):
            await crowd.wait("ada", "ada", "bob")
            assert not await crowd.refused("ada")
            assert await crowd.refused("ada")
            assert not await crowd.refused("bob")
            await crowd.end()
        crowd.lanes.close(finish=True)

    asyncio.run(come())


def test_who_has_gone_is_counted_and_known_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_queues, "WAITING_MAX", 3)

    async def come() -> None:
        lanes = Lanes("side", 1)
        crowd = Crowd(lanes)
        for _ in range(3):
            await crowd.wait("ada", "bob", "bob")
            assert await crowd.refused("cyd")
            assert lanes._waiting == {"ada": 1, "bob": 2}
            await crowd.end()
            assert (lanes._all, lanes._waiting, lanes._places) == (0, {}, {})
        lanes.close(finish=True)

    asyncio.run(come())


def test_there_are_as_many_threads_as_are_allowed_and_the_least_busy_takes_the_next() -> None:
    async def come() -> None:
        lanes = Lanes("side", 2)
        crowd = Crowd(lanes)
        await crowd.wait("ada", "ada", "bob", "cyd")
        assert [lane.under_way for lane in lanes._lanes] == [2, 2]
        assert lanes._places["cyd"] is lanes._places["bob"]
        await crowd.end()
        lanes.close(finish=True)

    asyncio.run(come())


def test_a_slot_is_the_lanes_as_one_sees_them() -> None:
    async def come() -> tuple[str, dict[object, int]]:
        lanes = Lanes("side")
        seen: list[dict[object, int]] = []
        slot = lanes.of("ada")

        def look() -> str:
            seen.append(dict(lanes._waiting))
            return threading.current_thread().name

        name = await slot.run(look)
        lanes.close(finish=True)
        return name, seen[0]

    assert asyncio.run(come()) == ("side-0", {"ada": 1})


@pytest.mark.parametrize("finish", [True, False])
def test_lanes_that_close_finish_what_waits_or_say_that_they_close(finish: bool) -> None:  # noqa: FBT001
    async def come() -> object:
        lanes = Lanes("side", 1)
        begun, go = threading.Event(), threading.Event()

        def first() -> None:
            begun.set()
            go.wait(3)

        asked = [asyncio.ensure_future(lanes.run("ada", each)) for each in (first, lambda: "done")]
        await asyncio.to_thread(begun.wait, 3)
        closing = asyncio.ensure_future(asyncio.to_thread(lanes.close, finish=finish))
        await asyncio.sleep(0.05)
        go.set()
        await closing
        with pytest.raises(BusyError, match=r"^the service is closing$"):
            await lanes.run("bob", lambda: None)
        assert lanes._lanes[0].is_idle or not finish
        return (await asyncio.gather(*asked, return_exceptions=True))[1]

    told = asyncio.run(come())

    assert told == "done" if finish else str(told) == "the service is closing"


def test_lanes_that_were_never_used_take_nothing_once_they_are_closed() -> None:
    async def come() -> None:
        lanes = Lanes("side")
        lanes.close(finish=True)
        with pytest.raises(BusyError, match=r"^the service is closing$"):
            await lanes.run("bob", lambda: None)

    asyncio.run(come())
