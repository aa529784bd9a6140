"""Work beside the event loop: in order, one at a time, with an end that forgets nobody."""

import asyncio
import threading
from functools import partial

import pytest

from muniment.adapters.doors.faults import BusyError
from muniment.adapters.doors.lane import Lane


def test_work_is_done_in_the_order_it_came_and_never_on_the_loop() -> None:
    done: list[int] = []
    threads: set[str] = set()

    def work(number: int) -> int:
        threads.add(threading.current_thread().name)
        done.append(number)
        return number

    async def many() -> list[int]:
        lane = Lane("beside")
        asked = [lane.run(partial(work, number)) for number in range(20)]
        answers = await asyncio.gather(*asked)
        lane.close(finish=True)
        return answers

    assert asyncio.run(many()) == list(range(20)) == done
    assert threads == {"beside"}


@pytest.mark.parametrize("error", [KeyError("x"), StopIteration("it")])
def test_what_the_work_raises_is_raised_where_it_is_awaited(error: Exception) -> None:
    def work() -> None:
        raise error

    async def ask() -> int:
        lane = Lane("beside")
        with pytest.raises((KeyError, RuntimeError)):
            await lane.run(work)
        return await lane.run(lambda: 7)  # the lane goes on

    assert asyncio.run(ask()) == 7


@pytest.mark.parametrize("finish", [True, False])
def test_whoever_waits_at_the_end_is_served_or_told_so(finish: bool) -> None:  # noqa: FBT001
    begun, go = threading.Event(), threading.Event()

    def first() -> str:
        begun.set()
        go.wait(30)
        return "first"

    async def close() -> list[object]:
        lane = Lane("beside")
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
