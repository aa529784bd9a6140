"""Failure spool: failures that the log could not take yet, kept on disk until it has them.

Records are lines of canonical JSON with a checksum, appended and synced. A torn line (the process
died while writing it, or the disk was full) is the only damage that can happen: it is passed over,
and the next record begins a line of its own.
"""

import os
import zlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.system import durable_files, file_lock
from muniment.engine.streams.ports import Failure
from muniment.model import canonical_json
from muniment.model.errors import UNREADABLE, StoreError

MODE: Final = 0o600


class FileSpool:
    """One file for each store; empty and absent mean the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)

    def add(self, failure: Failure) -> None:
        line = _line(failure)
        try:
            with self._alone():
                written = _append(self._path, line)
        except OSError as error:
            raise StoreError(f"the spool cannot be written: {error.strerror}") from None
        if written < len(line):
            raise StoreError("the spool cannot be written: the write was incomplete")

    def pending(self, stream: str) -> list[Failure]:
        return [failure for failure in self._read() if failure.stream == stream]

    def waiting(self) -> int:
        """How many failures it holds; torn lines are none."""
        return len(self._read())

    def remove(self, failure: Failure) -> None:
        with self._alone():
            left = [each for each in self._read() if each != failure]
            if not left:
                self._path.unlink(missing_ok=True)
                return
            lines = b"".join(map(_line, left))
            durable_files.put_file(self._path, lines, fresh=self._path.with_suffix(".new"))

    def _alone(self) -> AbstractContextManager[None]:
        """No other process adds what we are about to leave out; the folder itself is the lock."""
        return file_lock.alone(lambda: os.open(self._path.parent, os.O_RDONLY))

    def _read(self) -> list[Failure]:
        # Asked before every write, and nearly always there is nothing: a look costs less than
        # an attempt to open.
        if not os.path.exists(self._name):  # noqa: PTH110
            return []
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return []
        return [failure for line in data.splitlines() if (failure := _failure(line))]


def _line(failure: Failure) -> bytes:
    body = canonical_json.encode(failure)
    return b"\n%08x " % zlib.crc32(body) + body + b"\n"


def _append(path: Path, line: bytes) -> int:
    """How many bytes the disk took; none of them is taken back."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, MODE)
    try:
        written = os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)
    durable_files.sync_folder(path.parent)
    return written


def _failure(line: bytes) -> Failure | None:
    checksum, _, body = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        return msgspec.json.decode(body, type=Failure)
    except UNREADABLE:
        return None
