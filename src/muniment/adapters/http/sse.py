"""Server-sent events: follow a log or a watch, and resume after the last event."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from typing import Final

import msgspec
from starlette.types import Receive, Send

from muniment.adapters.http.responses import ALWAYS, envelope
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.log import LogEntry
from muniment.engine.evidence.watch import WatchChange
from muniment.model.errors import MunimentError

LOOK_SECONDS: Final = 0.25  # between two looks at a log that stands still
BEAT_SECONDS: Final = 15.0  # a comment now and then keeps proxies from hanging up
STREAM: Final = (b"content-type", b"text/event-stream")

Followed = Page[LogEntry] | Page[WatchChange]
Look = Callable[[str], Awaitable[Followed]]
Reading = Callable[[], Coroutine[None, None, Followed]]
_encoder = msgspec.json.Encoder()


class Together:
    """Whoever looks at a log behind the same entry while somebody does shares that look."""

    def __init__(self) -> None:
        self._looks: dict[Hashable, asyncio.Task[Followed]] = {}

    async def look(self, what: Hashable, read: Reading) -> Followed:
        known = self._looks.get(what)
        if known is None:
            known = self._looks[what] = asyncio.ensure_future(read())
            known.add_done_callback(lambda done: self._over(what, done))
        # Whoever began it may hang up; the others still wait for it.
        return await asyncio.shield(known)

    def _over(self, what: Hashable, done: asyncio.Task[Followed]) -> None:
        del self._looks[what]
        if not done.cancelled():
            done.exception()  # where everybody has left, nobody else asks what went wrong


async def follow(receive: Receive, send: Send, look: Look, after: str) -> None:
    """Send entries as they come, until the caller hangs up or `look` says that it is over."""
    first = await look(after)  # a first look that fails is answered as any other error
    await send({"type": "http.response.start", "status": 200, "headers": [STREAM, *ALWAYS]})
    gone = asyncio.ensure_future(_hung_up(receive))
    try:
        async for part in _parts(first, look, after):
            await send({"type": "http.response.body", "body": part, "more_body": True})
            if gone.done():
                return
        await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()


async def _parts(first: Followed, look: Look, after: str) -> AsyncIterator[bytes]:
    page, silent = first, 0.0
    yield b": following\n\n"
    while True:
        for entry in page.items:
            yield _event(entry)
        after = page.next or after
        if not page.next:
            await _moment()
            silent += LOOK_SECONDS
        if page.items or silent >= BEAT_SECONDS:
            silent = 0.0
            yield b": still here\n\n"
        try:
            page = await look(after)
        except MunimentError as error:
            yield b"event: end\ndata: " + _encoder.encode(envelope(error)) + b"\n\n"
            return
        except asyncio.CancelledError:
            return


async def _moment() -> None:
    """Until the next look; all who follow look at the same moments, and so can look together."""
    await asyncio.sleep(LOOK_SECONDS - asyncio.get_running_loop().time() % LOOK_SECONDS)


def _event(told: LogEntry | WatchChange) -> bytes:
    if isinstance(told, LogEntry):
        head = f"id: {told.seq}\nevent: {told.type}\ndata: "
    else:
        head = f"id: {told.cursor}\nevent: {told.change}\ndata: "
    return head.encode() + _encoder.encode(told) + b"\n\n"


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
