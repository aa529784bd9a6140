"""Turns at a stream: writers queue, here and in other processes, instead of colliding.

A courtesy only: where the lock cannot be had, `expect` still keeps every append correct.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from muniment.adapters.system import file_lock, reentrant_lock
from muniment.adapters.system.durable_files import FILE_MODE


class FileStreamLocks:
    """The turns at every stream under one folder; so many lock files stay open at most."""

    def __init__(self, folder: Path, *, open_files_max: int) -> None:
        self._folder = folder
        self._open_files_max = open_files_max
        self._pid = os.getpid()
        self._guard = Lock()
        self._turns: dict[str, _FileStreamLock] = {}

    @contextlib.contextmanager
    def take(self, stream: str) -> Iterator[None]:
        """Wait until it is our turn; a stream's name was checked before."""
        turn = self._enter(stream)
        try:
            with reentrant_lock.Stay(turn):
                yield
        finally:
            self._leave(turn)

    def close(self) -> None:
        with self._guard:
            self._close_idle(keep=0)

    def _enter(self, stream: str) -> "_FileStreamLock":
        if self._pid != os.getpid():
            self._start_again()
        with self._guard:
            turn = self._turns.pop(stream, None) or _FileStreamLock(self._folder / f"{stream}.lock")
            self._turns[stream] = turn  # last in, so that the longest unused comes first
            turn.users += 1
            self._close_idle(keep=self._open_files_max)
        return turn

    def _leave(self, turn: "_FileStreamLock") -> None:
        with self._guard:
            turn.users -= 1

    def _close_idle(self, *, keep: int) -> None:
        if len(self._turns) > keep:
            for stream, turn in list(self._turns.items())[: len(self._turns) - keep]:
                if not turn.users:
                    turn.close()
                    del self._turns[stream]

    def _start_again(self) -> None:
        """After a fork: let go of the shared descriptors, without unlocking them for the parent."""
        for turn in self._turns.values():
            turn.close()
        self._pid, self._guard, self._turns = os.getpid(), Lock(), {}


class _FileStreamLock(reentrant_lock.ReentrantLock):
    """A lock for threads and a lock file for processes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.users = 0
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

    def _open(self) -> int:
        if self._descriptor < 0:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            self._descriptor = os.open(self._path, flags, FILE_MODE)
        return self._descriptor
