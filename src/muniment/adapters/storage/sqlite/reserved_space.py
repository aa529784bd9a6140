"""Reserved disk space, so that a full disk can still be recorded."""

import contextlib
import errno
import os
from pathlib import Path
from typing import Final

from muniment.adapters.system.durable_files import FILE_MODE, sync_folder
from muniment.adapters.system.path_exists import is_there

BALLAST_BYTES: Final = 8 * 1024 * 1024
BLOCK: Final = bytes(64 * 1024)
SLICE_BYTES: Final = 4 * len(BLOCK)  # what opening a file takes: the index of its write-ahead log


class ReservedFile:
    """A file of nothing: thrown overboard to record a failure, taken back when there is room."""

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._size = size

    @property
    def held(self) -> bool:
        return is_there(self._path) and self._path.stat().st_size >= self._size

    def lend(self) -> bool:
        """Give up a slice, so that a file can be opened and read; False when there is none left."""
        try:
            left = self._path.stat().st_size - SLICE_BYTES
            if left < 0:
                return False
            os.truncate(self._path, left)
        except OSError:
            return False
        return True

    def release(self) -> bool:
        """Give the room to the log; False when it was already given, or cannot be."""
        try:
            self._path.unlink()
        except OSError:  # whoever asked for room goes on without it, and hears if there is none
            return False
        return True

    def restore(self, *, partly: bool = False) -> bool:
        """Take the room again; False while the disk has not all of it to spare.

        Then nothing is taken; or what there is, by whoever has just given it away.
        """
        if self.held or not self._size or self._is_taken():
            return self.held
        if partly:
            with contextlib.suppress(OSError):
                _fill(self._path, self._within_reach())
        return self.held

    def _within_reach(self) -> int:
        import shutil  # late: a disk is seldom full, and it loads every compressor

        mine = self._path.stat().st_size if is_there(self._path) else 0
        return min(self._size, mine + shutil.disk_usage(self._path.parent).free)

    def _is_taken(self) -> bool:
        half = self._path.with_suffix(".part")
        try:
            if is_there(self._path):  # a slice of it was lent
                _fill(self._path, self._size)
                return True
            _fill(half, self._size)
            half.replace(self._path)
            sync_folder(self._path.parent)
        except OSError:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            return False
        return True


def _fill(path: Path, size: int) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, FILE_MODE)
    try:
        if not reserve(descriptor, size):
            for _ in range(os.fstat(descriptor).st_size, size, len(BLOCK)):
                os.write(descriptor, BLOCK)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def reserve(descriptor: int, size: int) -> bool:
    """Room on the disk and no hole in a file; False where the system knows no such thing."""
    if not hasattr(os, "posix_fallocate"):
        return False
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno in {errno.EINVAL, errno.EOPNOTSUPP}:
            return False
        raise
    return True
