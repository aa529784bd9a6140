"""Write locks of stream files: writers queue, here and in other processes, instead of colliding.

A courtesy only: where the lock cannot be had, `expect` still keeps every append correct.
"""

import contextlib
import os
from pathlib import Path

from muniment.adapters.system import file_lock
from muniment.adapters.system.durable_files import FILE_MODE
from muniment.adapters.system.keyed_locks import KeyedLocks, ReentrantLock


class FileStreamLock(ReentrantLock):
    """A lock for threads and a lock file for processes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._descriptor = -1

    def shut_out(self) -> None:
        if file_lock.AT_HAND:
            with contextlib.suppress(OSError):
                file_lock.take(self._open())

    def let_in(self) -> None:
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                file_lock.let_go(self._descriptor)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def abandon(self) -> None:
        self.close()  # a descriptor that is shared is not unlocked by closing one of the two

    def _open(self) -> int:
        if self._descriptor < 0:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            self._descriptor = os.open(self._path, flags, FILE_MODE)
        return self._descriptor


def file_stream_locks(folder: Path, *, open_files_max: int) -> KeyedLocks[str, FileStreamLock]:
    """The write locks under one folder; so many lock files stay open at most."""
    return KeyedLocks(
        lambda stream: FileStreamLock(folder / f"{stream}.lock"), idle_max=open_files_max
    )
