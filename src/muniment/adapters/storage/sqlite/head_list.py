"""Head list: where each log of a folder stood when last noted; one behind it has lost entries.

Nothing inside an emptied file says what it held, and a log that nobody else has read leaves no
trace in another. So the folder keeps a list: a line for each log when it begins, at its checkpoints
and when the store is closed. A note follows the append it tells of and is never waited for. One
that is lost, torn or late makes the list say less; it never says more than a log has held.
"""

import contextlib
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Final

from muniment.adapters.storage.sqlite import errors
from muniment.adapters.system import durable_files, file_lock
from muniment.log.entry import Head
from muniment.model.errors import MunimentError

HEADS: Final = "heads"  # inside a store's folder
SPARE_LINES_MAX: Final = 1_024  # lines that others have overtaken; then it is written anew


class Heads:
    """The list, for any number of threads and processes; whoever reads it reads what is new."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pid, self._guard = os.getpid(), Lock()
        self._known: dict[str, Head] = {}
        self._inode = self._upto = self._count = 0

    def noted(self) -> Mapping[str, Head]:
        with self._alone():
            self._read()
            return dict(self._known)

    def of(self, stream: str) -> Head | None:
        with self._alone():
            self._read()
            return self._known.get(stream)

    def note(self, heads: Mapping[str, Head]) -> None:
        """Add what is new; a disk that takes no note has taken the entries all the same."""
        with self._alone(), contextlib.suppress(OSError, MunimentError):
            self._read()
            fresh = {ref: head for ref, head in heads.items() if self._is_new(ref, head)}
            if fresh:
                _append(self._path, _lines(fresh))
            if self._count > len(self._known) + SPARE_LINES_MAX:
                self._write_anew()

    def _is_new(self, stream: str, head: Head) -> bool:
        known = self._known.get(stream)
        return known is None or known.seq < head.seq

    def _read(self) -> None:
        """What was added since we looked; from the beginning where the list was written anew."""
        try:
            handle = os.open(self._path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except FileNotFoundError:
            self._start_again()
            return
        except OSError as error:
            raise errors.told_by_system(error) from error
        with os.fdopen(handle, "rb") as file:
            seen = os.fstat(file.fileno())
            if seen.st_ino != self._inode or seen.st_size < self._upto:
                self._start_again()
                self._inode = seen.st_ino
            if seen.st_size == self._upto:
                return
            file.seek(self._upto)
            data = file.read()
        whole = data.rfind(b"\n") + 1
        self._upto += whole
        for line in data[:whole].splitlines():
            self._take(line)

    def _take(self, line: bytes) -> None:
        checksum, _, body = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(body):
            return
        self._count += 1
        stream, seq, digest, *_ = body.decode("ascii").split(" ")
        head = Head(seq=int(seq), hash=bytes.fromhex(digest))
        if self._is_new(stream, head):
            self._known[stream] = head

    def _write_anew(self) -> None:
        with file_lock.alone(lambda: os.open(self._path.parent, os.O_RDONLY)):
            self._read()
            fresh = self._path.with_suffix(".new")
            durable_files.put_file(self._path, _lines(self._known), fresh=fresh)

    def _alone(self) -> Lock:
        """One thread at a time; a forked child does not wait for a thread that it does not have."""
        if self._pid != os.getpid():
            self._pid, self._guard = os.getpid(), Lock()
        return self._guard

    def _start_again(self) -> None:
        self._known = {}
        self._inode = self._upto = self._count = 0


def _lines(heads: Mapping[str, Head]) -> bytes:
    bodies = (f"{ref} {its.seq} {its.hash.hex()}".encode() for ref, its in sorted(heads.items()))
    return b"".join(b"%08x %b\n" % (zlib.crc32(body), body) for body in bodies)


def _append(path: Path, lines: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags, durable_files.FILE_MODE)
    try:
        os.write(handle, b"\n" + lines)  # a line that was torn before takes none of ours with it
    finally:
        os.close(handle)
