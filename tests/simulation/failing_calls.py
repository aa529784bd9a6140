"""Failing system calls: the n-th call of a kind below a folder answers EIO or ENOSPC, once.

A kind is what the system is asked for: to open for writing, write, sync, rename, unlink, truncate,
and to sync a folder. SQLite is reached through a VFS, everybody else through the functions of the
standard library, so a call is counted whoever makes it.
"""

import errno
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import apsw

KINDS: Final = ("open", "write", "fsync", "rename", "unlink", "truncate", "directory sync")
ERRORS: Final = (errno.EIO, errno.ENOSPC)
# A lock is no file that anybody reads, and an index of a write-ahead log dies with its process.
PASSING = ("-shm", ".lock")
# A full disk still unlinks and makes a file shorter; a broken one does neither.
WITHOUT_ROOM = ("open", "write", "fsync", "rename", "directory sync")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Calls:
    """Counts the calls of each kind, and lets one of them fail."""

    def __init__(self, folder: Path, kind: str = "", nth: int = 0, error: int = errno.EIO) -> None:
        self.folder = folder.resolve()
        self.counted: Counter[str] = Counter()
        self.failed = ""  # where it happened
        self.in_doubt: set[str] = set()  # what could not be synced, and was not synced since
        self._synced: set[str] = set()  # and not touched since
        self._fails = (kind, nth)
        self._error = error

    def call(self, kind: str, path: object) -> None:
        """One more call; raises if it is the one that fails."""
        place = str(path)
        if not place.startswith(str(self.folder)) or place.endswith(PASSING):
            return
        self.counted[kind] += 1
        fails = (kind, self.counted[kind]) == self._fails
        if kind in {"fsync", "directory sync"}:
            self._sync(kind, place, fails=fails)
        else:
            self._synced.discard(place)
        if fails:
            self.failed = f"{kind} {self.counted[kind]} of {place.removeprefix(str(self.folder))}"
            raise OSError(self._error, os.strerror(self._error), place)

    def _sync(self, kind: str, place: str, *, fails: bool) -> None:
        """A file that was not touched since it was synced is there, whatever comes of another."""
        if not fails:
            self.in_doubt.discard(place)
            self._synced |= {place} if kind == "fsync" else set()
        elif place not in self._synced:
            self.in_doubt.add(place)

    def by_sqlite(self, kind: str, path: str) -> None:
        """The same, as SQLite's own layer would answer it."""
        try:
            self.call(kind, path)
        except OSError as error:
            if error.errno == errno.ENOSPC and kind in {"write", "open"}:
                raise apsw.FullError("no space left on device") from error
            raise apsw.IOError(str(error)) from error


class _Disk(apsw.VFS):
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        super().__init__(f"failing {calls.folder}", base="unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: ANN401, N802
        place = name.filename() if isinstance(name, apsw.URIFilename) else name
        if place is None:
            return apsw.VFSFile("unix", name, flags)
        if flags[0] & apsw.SQLITE_OPEN_CREATE:
            self._calls.by_sqlite("open", str(place))
        return _File(self._calls, str(place), name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802
        self._calls.by_sqlite("unlink", filename)
        super().xDelete(filename, False)  # noqa: FBT003 - nothing here needs a real sync
        if syncdir:
            self._calls.by_sqlite("directory sync", str(Path(filename).parent))


class _File(apsw.VFSFile):
    def __init__(self, calls: Calls, path: str, name: Any, flags: list[int]) -> None:  # noqa: ANN401
        self._calls, self._path = calls, path
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802
        self._calls.by_sqlite("write", self._path)
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._calls.by_sqlite("truncate", self._path)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._calls.by_sqlite("fsync", self._path)


class _Watch:
    """What the interpreter tells of its own files before it acts; it can be told to be silent."""

    def __init__(self) -> None:
        self.calls: Calls | None = None
        self._installed = False

    def on(self, calls: Calls) -> None:
        self.calls = calls
        if not self._installed:  # an audit hook stays for good
            self._installed = True
            sys.addaudithook(self._told)

    def _told(self, event: str, told: tuple[Any, ...]) -> None:
        calls = self.calls
        if calls is None:
            return
        if event == "open" and isinstance(told[2], int) and told[2] & WRITES:
            if not Path(os.fsdecode(told[0])).is_dir() if isinstance(told[0], str | bytes) else 0:
                calls.call("open", told[0])
        elif event == "os.rename":
            calls.call("rename", told[1])
        elif event in {"os.remove", "os.rmdir"}:
            calls.call("unlink", told[0])
        elif event == "os.truncate":
            calls.call("truncate", _place(told[0]))


def _place(path: object) -> str:
    if isinstance(path, int):
        return str(Path(f"/proc/self/fd/{path}").readlink())
    return str(path)


class _Raw(io.FileIO):
    """A file whose writes are counted."""

    calls: Calls

    def write(self, data: Any) -> int:  # noqa: ANN401
        self.calls.call("write", _place(self.fileno()))
        return super().write(data)


_WATCH = _Watch()


@contextmanager
def failing(folder: Path, kind: str = "", nth: int = 0, error: int = errno.EIO) -> Iterator[Calls]:
    """While the block lasts, the n-th call of a kind below a folder fails; without one, none does.

    Nothing is really synced meanwhile: only whether it was asked for counts.
    """
    calls = Calls(folder, kind, nth, error)
    disk = _Disk(calls)
    real = (os.fsync, os.write, os.fdopen, io.open)
    _WATCH.on(calls)
    os.fsync, os.write = _syncing(calls), _writing(calls, os.write)  # type: ignore[assignment]
    os.fdopen = io.open = _opening(calls, io.open)
    try:
        yield calls
    finally:
        _WATCH.calls = None
        os.fsync, os.write, os.fdopen, io.open = real
        disk.unregister()


def _syncing(calls: Calls) -> Callable[[int], None]:
    def fsync(descriptor: int) -> None:
        place = _place(descriptor)
        calls.call("directory sync" if Path(place).is_dir() else "fsync", place)

    return fsync


def _writing(calls: Calls, real: Callable[[int, Any], int]) -> Callable[[int, Any], int]:
    def write(descriptor: int, data: Any) -> int:  # noqa: ANN401
        if not os.path.exists(f"/proc/self/fd/{descriptor}"):  # noqa: PTH110 - no audit event
            return real(descriptor, data)
        calls.call("write", os.readlink(f"/proc/self/fd/{descriptor}"))  # noqa: PTH115
        return real(descriptor, data)

    return write


def _opening(calls: Calls, real: Callable[..., Any]) -> Callable[..., Any]:
    def opened(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        if mode not in {"wb", "xb", "ab"}:
            return real(file, mode, *rest, **more)
        raw = _Raw(file, mode)
        raw.calls = calls
        return io.BufferedWriter(raw)

    return opened
