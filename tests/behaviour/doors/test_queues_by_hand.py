"""One queue by hand: what is done together, how often a bell rings, and what closing means."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from muniment.adapters.gateway import work_queue
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.work_queue import Joint, Lane, LoopLane, ThreadLane

CLOSING = r"^the service is closing$"


def counted(lane: Lane) -> list[tuple[int, ...]]:
    """Every ring of the bell, with what is handed on from ring to ring."""
    rings: list[tuple[int, ...]] = []
    ring: Callable[..., None] = lane._ring

    def heard(*told: int) -> None:
        rings.append(told)
        ring(*told)

    lane._ring = heard  # type: ignore[method-assign]
    return rings


async def all_of(lane: Lane, *works: Callable[[], object] | Joint) -> list[object]:
    return list(await asyncio.gather(*(lane.run(each) for each in works)))


def test_more_than_may_be_done_together_are_done_in_two_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_queue, "TOGETHER_MAX", 3)
    groups: list[list[object]] = []

    def together(said: Sequence[object]) -> Sequence[object]:
        groups.append([*said])
        return said

    orders = [Joint(kin="k", said=n, together=together) for n in range(4)]

    told = asyncio.run(all_of(LoopLane(), *orders))

    assert told == [0, 1, 2, 3]
    assert groups == [[0, 1, 2], [3]]


def test_an_error_among_answers_is_raised_where_it_is_awaited() -> None:
    async def come() -> object:
        lane = LoopLane()
        orders = [
            Joint(kin="k", said=n, together=lambda said: [KeyError("no"), *said[1:]])
            for n in range(2)
        ]
        asked: list[asyncio.Future[object]]
        asked = [asyncio.ensure_future(lane.run(each)) for each in orders]
        with pytest.raises(KeyError, match="no"):
            await asked[0]
        return await asked[1]

    assert asyncio.run(come()) == 1


def test_what_stands_alone_is_done_alone_whatever_waits_behind_it() -> None:
    order = Joint(kin="k", said="said", together=lambda said: said)

    told = asyncio.run(all_of(LoopLane(), lambda: "alone", order, lambda: "again"))

    assert told == ["alone", "said", "again"]


def test_what_came_in_one_turn_goes_over_at_one_ring() -> None:
    async def come() -> int:
        with ThreadLane("beside") as lane:
            rings = counted(lane)
            await all_of(lane, *[lambda: None] * 5)
            first = len(rings)
            await all_of(lane, *[lambda: None] * 5)
            assert len(rings) == 2 * first
        return first

    assert asyncio.run(come()) == 1


def test_answers_that_are_ready_before_the_loop_has_looked_come_back_at_one_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def come() -> None:
        lane, loop = ThreadLane("beside"), asyncio.get_running_loop()
        waiting = [loop.create_future() for _ in range(3)]
        calls: list[object] = []
        soon = loop.call_soon_threadsafe

        def heard(call: Callable[[], None]) -> object:
            calls.append(call)
            return soon(call)

        monkeypatch.setattr(loop, "call_soon_threadsafe", heard)
        for each in waiting[:2]:
            lane._tell(each, ("told", None))
        assert len(calls) == 1
        assert await asyncio.gather(*waiting[:2]) == [("told", None)] * 2
        lane._tell(waiting[2], ("more", None))
        assert len(calls) == 2
        assert await waiting[2] == ("more", None)

    asyncio.run(come())


def test_who_waited_on_a_loop_that_has_ended_is_forgotten() -> None:
    lane, loop = ThreadLane("beside"), asyncio.new_event_loop()
    waiting = loop.create_future()
    loop.close()

    lane._tell(waiting, ("told", None))

    assert lane._telling is False
    assert lane._thread.daemon  # nobody waits for it at the end of a process


def test_a_queue_that_is_left_finishes_what_it_took() -> None:
    async def come() -> list[object]:
        with ThreadLane("beside") as lane:
            asked = [asyncio.ensure_future(lane.run(partial(str, n))) for n in range(3)]
            await asyncio.sleep(0)
        with pytest.raises(BusyError, match=CLOSING):
            await lane.run(lambda: None)
        return [*await asyncio.gather(*asked)]

    assert asyncio.run(come()) == ["0", "1", "2"]


def test_who_came_too_late_is_told_that_the_service_closes() -> None:
    async def come() -> None:
        lane = ThreadLane("beside")
        asked = asyncio.ensure_future(lane.run(lambda: None))
        await asyncio.sleep(0)
        lane.close(finish=False)
        with pytest.raises(BusyError, match=CLOSING):
            await asked

    asyncio.run(come())


def test_a_queue_on_the_loop_takes_nothing_once_it_is_closed() -> None:
    async def come() -> None:
        with LoopLane() as lane:
            pass
        with pytest.raises(BusyError, match=CLOSING):
            await lane.run(lambda: None)

    asyncio.run(come())


def test_on_the_loop_a_thing_is_done_once_nothing_more_has_come_for_four_turns() -> None:
    async def come(*works: Callable[[], object]) -> list[tuple[int, ...]]:
        lane = LoopLane()
        rings = counted(lane)
        await all_of(lane, *works)
        await asyncio.sleep(0)
        return rings

    def nothing() -> None:
        return None

    one = [(), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)]
    assert asyncio.run(come(nothing)) == one
    first = [(), *((2, n) for n in range(5))]
    assert asyncio.run(come(nothing, nothing)) == [*first, *((1, n) for n in range(5))]


def test_who_comes_while_the_bell_rings_does_not_ring_it_again_and_begins_the_wait_anew() -> None:
    async def come() -> list[tuple[int, ...]]:
        lane = LoopLane()
        rings = counted(lane)
        first = asyncio.ensure_future(lane.run(lambda: None))
        for _ in range(3):
            await asyncio.sleep(0)
        await asyncio.gather(first, lane.run(lambda: None))
        return rings

    told = asyncio.run(come())

    alone, both = [(1, n) for n in range(5)], [(2, n) for n in range(5)]
    assert told == [(), *alone[:3], *both, *alone]
