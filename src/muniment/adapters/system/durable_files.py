"""Durable files: what is created, written or named here survives a power cut once it returns."""

import contextlib
import os
from pathlib import Path
from typing import Final

from muniment.adapters.system.path_exists import is_there

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# On macOS a plain fsync stops at the drive's own cache.
FULL_SYNC: Final[int | None] = getattr(fcntl, "F_FULLFSYNC", None)

FILE_MODE: Final = 0o600

FOLDER_MODE: Final = 0o700


def create(path: Path) -> bool:
    """Make an empty file that only its owner reads; False if there is one already."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    try:
        os.close(os.open(path, flags, FILE_MODE))
    except FileExistsError:
        return False
    return True


def sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    try:
        if FULL_SYNC is not None:
            fcntl.fcntl(descriptor, FULL_SYNC)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: a file's own fsync does not."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def put_file(path: Path, data: bytes, *, fresh: Path) -> None:
    """A small file, written whole beside its place: a crash leaves the old one or the new."""
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    try:
        with os.fdopen(os.open(fresh, flags, FILE_MODE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """A folder for its owner alone, whose name survives a power cut.

    One that is there may be the work of a process that was killed before it synced the name, so
    its name is synced as well, as far as we may look into the folder that holds it.
    """
    if is_there(folder):
        with contextlib.suppress(PermissionError):
            sync_folder(folder.parent)
        return
    make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=FOLDER_MODE)
    sync_folder(folder.parent)
