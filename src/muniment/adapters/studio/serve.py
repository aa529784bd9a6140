"""Serving the studio: a loopback socket, the address with its token, and an orderly end."""

import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import msgspec

from muniment.adapters.gateway import allowed_origins, request_limits
from muniment.adapters.gateway.api_keys import Credentials
from muniment.adapters.studio.app import app
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.background_jobs import Opener
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.system.clock import SystemClock
from muniment.model.errors import MunimentError

HOST = "127.0.0.1"


class StudioServing(msgspec.Struct, frozen=True, kw_only=True):
    """How to serve: nothing here can make it leave this machine."""

    place: str
    port: int = 0
    may_write: bool = False
    token: str = ""
    show: bool = False
    credentials: Credentials | None = None  # of the store: who may come with an API key


def serve(opener: Opener, asked: StudioServing, told: Callable[[str], None]) -> None:
    """Serve until it is interrupted; `told` gets the address as soon as it can be opened."""
    listening = allowed_origins.listen(HOST, asked.port)
    sessions = Sessions(asked.token)
    studio = Studio(
        opener,
        sessions,
        place=asked.place,
        may_write=asked.may_write,
        credentials=asked.credentials,
        now=SystemClock().now,
    )
    try:
        address = f"http://{HOST}:{listening.getsockname()[1]}/sign-in?token={sessions.token}"
        config = request_limits.configured(app(studio), {"log_level": "warning", "lifespan": "off"})
        threading.Thread(target=_warm, args=(studio,), daemon=True).start()
        told(address)
        if asked.show:
            webbrowser.open(address)
        server = request_limits.HttpServer(config)
        server.run(sockets=[listening])
        if server.interrupted:
            raise KeyboardInterrupt
    finally:
        listening.close()
        studio.close()


def _warm(studio: Studio) -> None:
    """Read what is known before somebody asks; a page tells what goes wrong, not this thread."""
    with suppress(MunimentError):
        studio.counting.warm()
