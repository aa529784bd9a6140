"""The spool: failures that the log could not take yet, kept on disk until it has them.

Records are lines of canonical JSON with a checksum, appended and synced. A torn last line (the
process died while writing it) is the only damage that can happen, and it is passed over.
"""

import os
import zlib
from pathlib import Path
from typing import Final

import msgspec

from muniment.engine.ports import Failure
from muniment.model import canon
from muniment.model.errors import StoreError

MODE: Final = 0o600


class FileSpool:
    """One file for each store; empty and absent mean the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)

    def add(self, failure: Failure) -> None:
        body = canon.encode(failure)
        line = b"%08x " % zlib.crc32(body) + body + b"\n"
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, MODE)
            try:
                os.write(handle, line)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreError(f"the spool cannot be written: {error.strerror}") from None

    def pending(self, stream: str) -> list[Failure]:
        return [failure for failure in self._read() if failure.stream == stream]

    def remove(self, failure: Failure) -> None:
        left = [each for each in self._read() if each != failure]
        if not left:
            self._path.unlink(missing_ok=True)
            return
        fresh = self._path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        spool = FileSpool(fresh)
        for each in left:
            spool.add(each)
        fresh.replace(self._path)

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


def _failure(line: bytes) -> Failure | None:
    checksum, _, body = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(body):
        return None
    try:
        return msgspec.json.decode(body, type=Failure)
    except msgspec.DecodeError:
        return None
