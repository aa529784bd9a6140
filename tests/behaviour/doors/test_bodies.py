"""A body is waited for as long as it may take, whether it comes at once, in parts or never."""

import asyncio

import pytest
from starlette.types import Message

from muniment.adapters.gateway.errors import TooLargeError, TooSlowError
from muniment.adapters.http import parse_request


class Sender:
    """Sends parts of a body, each after a while; after the last of them nothing comes."""

    def __init__(self, *parts: bytes, after: float = 0.0, whole: bool = True) -> None:
        self._parts = list(parts)
        self._after = after
        self._whole = whole

    async def receive(self) -> Message:
        if self._after:
            await asyncio.sleep(self._after)
        if not self._parts:
            await asyncio.Event().wait()
        part = self._parts.pop(0)
        more = bool(self._parts) or not self._whole
        return {"type": "http.request", "body": part, "more_body": more}


def read(sender: Sender, *, seconds: float = 30.0) -> bytes:
    return asyncio.run(parse_request.body(sender.receive, {}, limit=8, seconds=seconds))


@pytest.mark.parametrize("after", [0.0, 0.001])
def test_a_body_is_whole_at_once_and_in_parts(after: float) -> None:
    assert read(Sender(b"abc", after=after)) == b"abc"
    assert read(Sender(b"a", b"b", b"c", after=after)) == b"abc"


@pytest.mark.parametrize("after", [0.0, 0.001])
def test_a_body_that_grows_too_large_is_refused_while_it_comes(after: float) -> None:
    with pytest.raises(TooLargeError):
        read(Sender(b"12345", b"6789", after=after))


@pytest.mark.parametrize("begun", [(), (b"a",)])
def test_a_body_that_does_not_come_ends_with_its_time(begun: tuple[bytes, ...]) -> None:
    with pytest.raises(TooSlowError):
        read(Sender(*begun, whole=False), seconds=0.02)


def test_whoever_waits_for_a_body_can_be_called_off() -> None:
    async def call_off() -> bool:
        reading = parse_request.body(Sender().receive, {}, limit=8, seconds=30)
        waiting = asyncio.ensure_future(reading)
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.wait([waiting])
        return waiting.cancelled()

    assert asyncio.run(call_off())
