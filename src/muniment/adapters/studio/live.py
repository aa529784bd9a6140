"""Live updates as server-sent events: new entries, pending items, proof state."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from muniment.adapters.studio import page_header
from muniment.adapters.studio.page_context import Studio, Visitor

LOOK_SECONDS: Final = 1.0
# A browser comes back by itself: so a server that ends waits for nobody for long.
LOOKS_MAX: Final = 25


class News(msgspec.Struct, frozen=True, kw_only=True):
    fresh: int
    waiting: int
    proof: str
    tone: str


def stream(studio: Studio, asked: Visitor, request: Request) -> StreamingResponse:
    """Told at once, and again whenever something has changed."""
    return StreamingResponse(_told(studio, asked, request), media_type="text/event-stream")


async def _told(studio: Studio, asked: Visitor, request: Request) -> AsyncIterator[bytes]:
    # Whoever comes back after a while says how far they were told: nothing is lost on a slow line.
    given = request.headers.get("last-event-id", "")
    began = int(given) if given.isascii() and given.isdigit() else None
    last: News | None = None
    for _ in range(LOOKS_MAX):
        total, news = await run_in_threadpool(_look, studio, asked, began)
        began = total if began is None else began
        if news != last:
            yield b"id: %d\ndata: %s\n\n" % (began, msgspec.json.encode(news))
            last = news
        await asyncio.sleep(LOOK_SECONDS)
        if await request.is_disconnected():
            return


def _look(studio: Studio, asked: Visitor, began: int | None) -> tuple[int, News]:
    total = sum(studio.auditor.lengths().values())
    proof = page_header.proof(studio)
    return total, News(
        fresh=0 if began is None else max(total - began, 0),
        waiting=page_header.waiting(studio, asked, studio.may(asked)),
        proof=proof.words,
        tone=proof.tone,
    )
