"""Shared counters: cache invalidation between processes.

Looking costs one memory read. The first is odd while a destruction is under way, and then nobody
trusts a cache; if the destroyer dies in the middle, it stays odd until the next one puts it right.
The second moves whenever a name is made, so that what is not there need not be looked for again.
"""

import contextlib
import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from muniment.adapters.storage.sqlite.reserved_space import reserve
from muniment.adapters.system import file_lock
from muniment.adapters.system.durable_files import FILE_MODE
from muniment.adapters.system.path_exists import is_there

NUMBER: Final = 8  # bytes
SIZE: Final = 2 * NUMBER
UNSETTLED: Final = b""  # equal to no number, so a cache that bears it is never trusted


class Generation:
    """Two counters in a mapped file; read by everyone, moved by those who destroy or make."""

    def __init__(self, path: Path, *, still: bool = False) -> None:
        self._path = path
        if still:
            self._shared = _looked_at(path)
            return
        descriptor = self._open()
        try:
            # No hole: to write into one on a full disk would end the whole process.
            if os.fstat(descriptor).st_size < SIZE and not reserve(descriptor, SIZE):
                os.ftruncate(descriptor, SIZE)
            self._shared = mmap.mmap(descriptor, SIZE)
        finally:
            os.close(descriptor)
        self._repair()

    def now(self) -> bytes:
        return self._shared[:NUMBER]

    def made(self) -> bytes:
        """Another value for each name that was made; look before the names are looked at."""
        return self._shared[NUMBER:]

    def make(self) -> None:
        """One name more. The caller keeps all others from the names until it has added it.

        Who saw the number before knows by now that it has moved; who sees the new one finds the
        name, since its look has to wait. If the caller dies, the number has moved for nothing.
        """
        number = int.from_bytes(self.made(), "little") + 1
        self._shared[NUMBER:] = number.to_bytes(NUMBER, "little")

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

    def _alone(self, *, wait: bool = True) -> contextlib.AbstractContextManager[None]:
        return file_lock.alone(self._open, wait=wait)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        return os.open(self._path, flags, FILE_MODE)

    def _number(self) -> int:
        return int.from_bytes(self.now(), "little")

    def _put(self, number: int) -> None:
        self._shared[:NUMBER] = number.to_bytes(NUMBER, "little")


def stamp(now: bytes) -> bytes:
    """What a cache begun now may be trusted for."""
    return UNSETTLED if now[0] & 1 else now


def _looked_at(path: Path) -> mmap.mmap:
    """The numbers of a place where nothing can be written; where there are none, they stay 0."""
    if not is_there(path) or path.stat().st_size < SIZE:
        return mmap.mmap(-1, SIZE)
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), SIZE, access=mmap.ACCESS_READ)
