"""Work beside the event loop: in order, one at a time, with an end that forgets nobody."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest

from muniment.adapters.gateway import work_queues
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.gateway.work_queue import Joint, Lane, LoopLane, ThreadLane
from muniment.adapters.gateway.work_queues import Lanes
from muniment.adapters.system.keyed_locks import KeyedLocks, ReentrantLock

KINDS = [partial(ThreadLane, "beside"), LoopLane]
Make = Callable[[], Lane]


@pytest.mark.parametrize(("make", "place"), [*zip(KINDS, ["beside", "MainThread"], strict=True)])
def test_work_is_done_in_the_order_it_came(make: Make, place: str) -> None:
    done: list[int] = []
    threads: set[str] = set()

    def work(number: int) -> int:
        threads.add(threading.current_thread().name)
        done.append(number)
        return number

    async def many() -> list[int]:
        lane = make()
        asked = [lane.run(partial(work, number)) for number in range(20)]
        answers = await asyncio.gather(*asked)
        lane.close(finish=True)
        return answers

    assert asyncio.run(many()) == list(range(20)) == done
    assert threads == {place}


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("error", [KeyError("x"), StopIteration("it")])
def test_what_the_work_raises_is_raised_where_it_is_awaited(make: Make, error: Exception) -> None:
    def work() -> None:
        raise error

    async def ask() -> int:
        lane = make()
        with pytest.raises((KeyError, RuntimeError)):
            await lane.run(work)
        told = await lane.run(lambda: 7)  # the lane goes on
        lane.close(finish=True)
        return told

    assert asyncio.run(ask()) == 7


@pytest.mark.parametrize("make", KINDS)
def test_what_waits_together_is_done_together_and_each_hears_its_own(make: Make) -> None:
    groups: list[list[object]] = []

    def together(said: Sequence[object]) -> list[object]:
        groups.append([*said])
        return [ValueError(each) if each == 2 else each for each in said]

    def order(said: int) -> Joint:
        return Joint(kin=said > 4, said=said, together=together)

    async def many() -> list[object]:
        lane = make()
        asked: list[Awaitable[object]] = [lane.run(order(n)) for n in range(6)]
        told = await asyncio.gather(*asked, return_exceptions=True)
        lane.close(finish=True)
        return told

    told = asyncio.run(many())

    assert groups == [[0, 1, 2, 3, 4], [5]]
    assert isinstance(told.pop(2), ValueError)
    assert told == [0, 1, 3, 4, 5]


def test_between_two_things_the_loop_has_its_turn_and_who_left_is_passed_over() -> None:
    async def talk() -> tuple[list[str], list[object]]:
        lane, done = LoopLane(), list[str]()
        asked = [asyncio.ensure_future(lane.run(partial(done.append, name))) for name in "abc"]
        asked[0].add_done_callback(lambda _: asked[1].cancel())
        return done, await asyncio.gather(*asked, return_exceptions=True)

    done, told = asyncio.run(talk())

    assert done == ["a", "c"]
    assert isinstance(told[1], asyncio.CancelledError)


@pytest.mark.parametrize("left", [{1}, {0, 1, 2}])
def test_who_left_before_their_turn_is_passed_over_among_those_who_wait_together(
    left: set[int],
) -> None:
    """A sentence that was taken back in time is not written down with its neighbours."""
    groups: list[list[object]] = []

    def together(said: Sequence[object]) -> Sequence[object]:
        groups.append([*said])
        return said

    async def talk() -> list[object]:
        lane = LoopLane()
        orders = [Joint(kin="said", said=n, together=together) for n in range(3)]
        asked: list[asyncio.Future[object]]
        asked = [asyncio.ensure_future(lane.run(each)) for each in orders]
        await asyncio.sleep(0)
        for each in left:
            asked[each].cancel()
        told = await asyncio.gather(*asked, lane.run(lambda: "goes on"), return_exceptions=True)
        return [each for each in told if not isinstance(each, asyncio.CancelledError)]

    kept = sorted({0, 1, 2} - left)

    assert asyncio.run(talk()) == [*kept, "goes on"]
    assert groups == ([kept] if kept else [])


@pytest.mark.parametrize("finish", [True, False])
def test_whoever_waits_at_the_end_is_served_or_told_so(finish: bool) -> None:  # noqa: FBT001
    begun, go = threading.Event(), threading.Event()

    def first() -> str:
        begun.set()
        go.wait(30)
        return "first"

    async def close() -> list[object]:
        lane = ThreadLane("beside")
        asked = [asyncio.ensure_future(lane.run(work)) for work in (first, lambda: "second")]
        await asyncio.to_thread(begun.wait, 30)
        closing = asyncio.ensure_future(asyncio.to_thread(lane.close, finish=finish))
        await asyncio.sleep(0.05)
        go.set()
        await closing
        with pytest.raises(BusyError):
            await lane.run(lambda: "late")
        return await asyncio.gather(*asked, return_exceptions=True)

    told = asyncio.run(close())

    assert told[0] == "first"
    assert told[1] == "second" if finish else isinstance(told[1], BusyError)


# ── Lanes side by side, and turns ───────────────────────────────────────────────────────────────


def test_where_nothing_takes_long_one_thread_does_it_all() -> None:
    threads: list[str] = []

    async def many() -> None:
        lanes = Lanes("side")
        for number in range(20):
            await lanes.run(number, lambda: threads.append(threading.current_thread().name))
        lanes.close(finish=True)

    asyncio.run(many())

    assert threads == ["side-0"] * 20


def test_whoever_waits_is_overtaken_by_others_and_keeps_their_own_order() -> None:
    go, done = threading.Event(), list[str]()

    def slow() -> None:
        go.wait(30)
        done.append("slow")

    async def come() -> None:
        lanes = Lanes("side")
        first = asyncio.ensure_future(lanes.run("ada", slow))
        second = asyncio.ensure_future(lanes.run("ada", lambda: done.append("second")))
        await lanes.run("bob", lambda: done.append("bob"))
        go.set()
        await asyncio.gather(first, second)
        await lanes.done()
        lanes.close(finish=True)

    asyncio.run(come())

    assert done == ["bob", "slow", "second"]


def test_where_every_lane_is_busy_the_rest_waits_and_is_done() -> None:
    go = threading.Event()

    async def come() -> list[bool]:
        lanes = Lanes("side", 2)
        asked = [asyncio.ensure_future(lanes.run(n, lambda: go.wait(30))) for n in range(6)]
        await asyncio.sleep(0)
        go.set()
        told = [*await asyncio.gather(*asked)]
        lanes.close(finish=True)
        with pytest.raises(BusyError):
            await lanes.run("late", lambda: None)
        return told

    assert asyncio.run(come()) == [True] * 6


def test_what_was_begun_for_one_who_left_keeps_its_thread() -> None:
    """Somebody else's call is not put behind it."""
    begun, go = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        go.wait(30)

    async def come() -> str:
        lanes = Lanes("side")
        left = asyncio.ensure_future(lanes.run("ada", slow))
        await asyncio.to_thread(begun.wait, 30)
        left.cancel()
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            told = await lanes.run("bob", lambda: threading.current_thread().name)
        go.set()
        lanes.close(finish=True)
        return told

    assert asyncio.run(come()) == "side-1"


def test_a_lock_is_free_for_another_name_and_not_for_the_same() -> None:
    locks = KeyedLocks[str, ReentrantLock](lambda _: ReentrantLock())
    seen = list[bool]()

    def look() -> None:
        for who in ("ada", "bob"):
            with locks.held_if_free(who) as free:
                seen.append(free)

    with locks.held("ada"), locks.held("ada"):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()

    assert seen == [False, True]
    assert len(locks) == 0


def test_when_all_places_are_taken_the_next_is_told_so_whoever_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_queues, "WAITING_MAX", 2)
    going = threading.Event()

    async def crowd() -> None:
        places = Lanes("test")
        slow = partial(going.wait, 30)
        waiting = [asyncio.ensure_future(places.run(who, slow)) for who in ("ada", "bob")]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await places.run("cyd", lambda: None)
        going.set()
        await asyncio.gather(*waiting)
        await places.run("cyd", lambda: None)
        places.close(finish=True)

    asyncio.run(crowd())
