"""A line that breaks: a TCP proxy in front of a server, which cuts connections in mid-sentence.

Or falls silent: nobody closes it, and nothing comes any more.
"""

import contextlib
import socket
from collections.abc import Callable
from threading import Lock, Thread
from typing import Self

CHUNK = 4096


class CuttingProxy:
    """Forwards to a server's socket; `budget` says after how many bytes each connection is cut."""

    def __init__(self, target: str, budget: Callable[[], int]) -> None:
        self._target = target
        self._budget = budget
        self._door = socket.create_server(("127.0.0.1", 0))
        self._guard = Lock()
        self._open = True
        self.cuts = 0
        self.cutting = True
        self.mute_after = b""  # the next message with these words gets through, and no answer
        self._threads = [Thread(target=self._accept, daemon=True)]

    @property
    def port(self) -> int:
        return int(self._door.getsockname()[1])

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *told: object) -> None:
        self._open = False
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        self._threads[0].join(5)
        self._door.close()

    def _accept(self) -> None:
        while self._open:
            with contextlib.suppress(OSError):
                client, _ = self._door.accept()
                if not self._open:
                    client.close()
                    return
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                line = _Line(self, client, server, self._budget())
                for ends in ((client, server), (server, client)):
                    Thread(target=line.pump, args=ends, daemon=True).start()

    def is_the_last(self, data: bytes) -> bool:
        found = bool(self.mute_after) and self.mute_after in data
        if found:
            self.mute_after = b""
        return found

    def count(self) -> None:
        with self._guard:
            self.cuts += 1


class _Line:
    """One connection, and the bytes it may still carry in both directions together."""

    def __init__(
        self, proxy: CuttingProxy, client: socket.socket, server: socket.socket, left: int
    ) -> None:
        self._proxy, self._client, self._server, self._left = proxy, client, server, left
        self._guard = Lock()
        self._done = False
        self._mute = False

    def pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                part = self._allowed(data)
                if not self._mute:
                    self._mute = self._proxy.is_the_last(data)
                    target.sendall(part)
                if len(part) < len(data):
                    self._end(cut=True)
                    return
        self._end(cut=False)

    def _allowed(self, data: bytes) -> bytes:
        with self._guard:
            if not self._proxy.cutting:
                return data
            part = data[: self._left]
            self._left -= len(part)
            return part

    def _end(self, *, cut: bool) -> None:
        with self._guard:
            if self._done:
                return
            self._done = True
        if cut:
            self._proxy.count()
        for each in (self._client, self._server):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
