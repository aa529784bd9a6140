"""A disk that fails when told to, and bytes that should not be on one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from muniment.log.keyring import SeededEntropy


class FailingDisk(apsw.VFS):
    """The real file system, except where a fault is planted in the write-ahead log."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.opened = 0
        self.on_open: Callable[[], None] = nothing
        self.on_sync: Callable[[], None] = nothing
        self.on_write: Callable[[], None] = nothing
        super().__init__(name, base="")

    def xOpen(  # noqa: N802
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            self.opened += 1
        if flags[0] & apsw.SQLITE_OPEN_WAL:
            self.on_open()
            return _Log(self, name, flags)
        return apsw.VFSFile("", name, flags)


class _Log(apsw.VFSFile):
    def __init__(
        self, disk: FailingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.on_sync()
        super().xSync(flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802
        self._disk.on_write()
        super().xWrite(data, offset)


class Chance:
    """Bytes without a pattern, the same ones every time."""

    def __init__(self, seed: int) -> None:
        self._draw = SeededEntropy(b"%d" % seed)

    def bytes(self, size: int) -> bytes:
        return self._draw(size)

    def below(self, limit: int) -> int:
        return int.from_bytes(self._draw(4), "big") % limit


def nothing() -> None:
    """A healthy disk."""


def fail_sync() -> None:
    raise apsw.IOError("the disk did not take it")


def fail_full() -> None:
    raise apsw.FullError("no room")


def residue(folder: Path, *needles: bytes) -> list[str]:
    """The files below a folder that hold any eight bytes in a row of a needle."""
    pieces = {needle[at : at + 8] for needle in needles for at in range(len(needle) - 7)}
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if any(data[at : at + 8] in pieces for at in range(len(data) - 7)):
            found.append(path.name)
    return found
