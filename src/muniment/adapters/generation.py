"""A number that processes share: it tells a cache that something was destroyed elsewhere.

Looking costs one memory read. The number is odd while a destruction is under way, and then nobody
trusts a cache; if the destroyer dies in the middle, it stays odd until the next one puts it right.
"""

import contextlib
import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.adapters.sqlite.connection import FILE_MODE

try:
    import fcntl
except ImportError:  # Windows: two destroyers at the very same moment are then not kept apart
    fcntl = None  # type: ignore[assignment]

SIZE: Final = 8
UNSETTLED: Final = b""  # equal to no number, so a cache that bears it is never trusted


class Generation:
    """A counter in a mapped file; read by everyone, moved only by those who destroy."""

    def __init__(self, path: Path) -> None:
        self._path = path
        descriptor = self._open()
        try:
            if os.fstat(descriptor).st_size < SIZE:
                os.ftruncate(descriptor, SIZE)
            self._shared = mmap.mmap(descriptor, SIZE)
        finally:
            os.close(descriptor)
        self._repair()

    def now(self) -> bytes:
        return self._shared[:SIZE]

    @contextlib.contextmanager
    def moving(self) -> Iterator[None]:
        """Around a destruction: odd while it lasts, a new even number after it."""
        with self._alone():
            self._put(self._number() | 1)
            try:
                yield
            finally:
                self._put(self._number() + 1)

    def close(self) -> None:
        self._shared.close()

    def _repair(self) -> None:
        # Whoever cannot have the lock leaves the number to the one who has it.
        if self._number() & 1:
            with contextlib.suppress(BlockingIOError), self._alone(wait=False):
                self._put(self._number() + (self._number() & 1))

    @contextlib.contextmanager
    def _alone(self, *, wait: bool = True) -> Iterator[None]:
        # A descriptor for each time, so that threads and forked children exclude each other too.
        descriptor = self._open()
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            yield
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        return os.open(self._path, flags, FILE_MODE)

    def _number(self) -> int:
        return int.from_bytes(self._shared[:SIZE], "little")

    def _put(self, number: int) -> None:
        self._shared[:SIZE] = number.to_bytes(SIZE, "little")


def stamp(now: bytes) -> bytes:
    """What a cache begun now may be trusted for."""
    return UNSETTLED if now[0] & 1 else now
