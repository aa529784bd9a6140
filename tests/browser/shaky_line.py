"""A line between a browser and a studio that can be slow, break, and hold again."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CHUNK = 512
SLOW_SECONDS = 0.002  # for each part of an answer


class ShakyLine:
    """Carries bytes both ways; once cut, nobody comes through, and whoever was is thrown out."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._holds = True
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        self._holds = False
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self) -> None:
        self._holds = True

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                if not self._holds:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._port))
                self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while told := one.recv(CHUNK):
            time.sleep(SLOW_SECONDS)
            other.sendall(told)
    for each in (one, other):
        with suppress(OSError):
            each.close()


@contextmanager
def shaky_line(home: str) -> Iterator[ShakyLine]:
    line = ShakyLine(int(home.rpartition(":")[2]))
    try:
        yield line
    finally:
        line.close()
