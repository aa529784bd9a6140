"""Request limits: size and time of a request's head, against slow clients.

Nobody is known before their head is whole, so nothing else keeps a stranger from holding
connections open with half a line, or from sending headers without an end.
"""

import asyncio
import signal
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_BYTES_MAX: Final = 64 * 1024
HEAD_END: Final = b"\r\n\r\n"
HEAD_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 20  # what is under way when the door closes has so long to end


def configured(app: ASGIApp, options: Mapping[str, Any]) -> uvicorn.Config:
    """What every door has alike: it names no server, and logs nothing of who comes."""
    return uvicorn.Config(
        app,
        access_log=False,
        server_header=False,
        http=BoundedProtocol,
        h11_max_incomplete_event_size=HEAD_BYTES_MAX,
        timeout_graceful_shutdown=GRACE_SECONDS,
        **options,
    )


class HttpServer(uvicorn.Server):
    """Ends when told to, instead of being killed by the same signal a second time.

    Killed, it would take the receipts of what was read with it.
    """

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._ending = ending
        self.interrupted = False  # by hand, at the keyboard

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        del frame
        self.force_exit = self.should_exit
        self.should_exit = True
        self.interrupted = sig == signal.SIGINT
        self._ending()


class BoundedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """What uvicorn speaks here, hung up on where no head of a request comes to its end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._begun = 0
        self._tail = b""  # of what came last: the end of a head may come in two pieces
        self._over: asyncio.TimerHandle | None = None
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before: Any = self.cycle
        if (before is None or before.response_complete) and self._head_bytes(data) > HEAD_BYTES_MAX:
            self.transport.abort()  # also where all of it came at once
            return
        super().data_received(data)
        if self.cycle is not before or (before is not None and not before.response_complete):
            self._rest()  # a head is whole, or something is being answered
            return
        self._begun += len(data)
        if self._begun > HEAD_BYTES_MAX:
            self.transport.abort()
        else:
            self._wait()

    def _head_bytes(self, data: bytes) -> int:
        """How long the head is by now; what follows its end is not counted."""
        seen = self._tail + data
        end = seen.find(HEAD_END)
        length = self._begun - len(self._tail) + (len(seen) if end < 0 else end + len(HEAD_END))
        self._tail = seen[1 - len(HEAD_END) :]
        return length

    def eof_received(self) -> bool:
        """Whoever has asked, says no more and still listens is answered; the line ends then.

        Who has gone altogether looks the same from here, so what is already being told to somebody
        (a log that is followed) is not told on. TLS knows no line that is open one way.
        """
        asked: Any = self.cycle
        if asked is None or asked.more_body or asked.response_started:
            return False
        if self.transport.get_extra_info("sslcontext") is not None:
            return False
        asked.keep_alive = False
        return True

    def _wait(self) -> None:
        if self._over is None and not self.transport.is_closing():
            self._over = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _rest(self) -> None:
        self._begun, self._tail = 0, b""
        if self._over is not None:
            self._over.cancel()
            self._over = None
