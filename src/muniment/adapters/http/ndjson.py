"""JSON lines responses: streamed, in bounded memory."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import msgspec
from starlette.types import Send

from muniment.adapters.http.responses import ALWAYS, Pairs, envelope
from muniment.model.errors import MunimentError

LINES: Final = (b"content-type", b"application/x-ndjson")
PART_BYTES: Final = 64 * 1024  # read at once; somebody else's turn comes after it

Work = Callable[[Callable[[], bytes]], Awaitable[bytes]]


async def send_lines(send: Send, lines: Any, work: Work, about: Pairs) -> None:  # noqa: ANN401
    """All lines; one that cannot be read ends the answer with its error, and no manifest."""
    rest: Iterator[bytes] = iter(lines)
    first = await work(lambda: _part(rest))  # what fails at once is answered as any other error
    await send({"type": "http.response.start", "status": 200, "headers": [LINES, *ALWAYS, *about]})
    part = first
    while part:
        await send({"type": "http.response.body", "body": part, "more_body": True})
        try:
            part = await work(lambda: _part(rest))
        except MunimentError as error:
            told = msgspec.json.encode({"error": envelope(error)}) + b"\n"
            await send({"type": "http.response.body", "body": told, "more_body": True})
            break
    await send({"type": "http.response.body", "body": b""})


def _part(lines: Iterator[bytes]) -> bytes:
    part = bytearray()
    for line in lines:
        part += line
        if len(part) >= PART_BYTES:
            break
    return bytes(part)
