"""Page checksums: SQLite's checksum VFS, so that a page which changed on the disk is noticed."""

import ctypes
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

EXTENSION: Final = "cksumvfs"
CHECKED_VFS: Final = "cksmvfs"
SYSTEMS: Final = ("unix", "win32")  # what SQLite itself has for a default
CHECKSUM_BYTES: Final = 8  # at the end of each page: with any other number the VFS does nothing


def vfs() -> str | None:
    """The name of the VFS that checks every page it reads; none where there is none to be used.

    It becomes the default of this process. Files of other programs are not affected: only a file
    whose header reserves the bytes for checksums has any. A program that has a default of its own
    means all files by it: it is left in its place, and what is made there has no checksums.
    """
    if _default() in SYSTEMS and (file := _extension()):
        with closing(apsw.Connection(":memory:")) as loading:
            loading.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1)
            loading.load_extension(file)
    return CHECKED_VFS if _default() == CHECKED_VFS else None


def _extension() -> str:
    """Its file, or nothing: looked for where it lies, for apsw loads a dozen modules to find it."""
    folder = Path(str(apsw.__file__)).with_name("sqlite_extra_binaries")
    near = (folder / f"{EXTENSION}{suffix}" for suffix in (".so", ".dylib", ".dll"))
    found = next((str(each) for each in near if each.exists()), "")
    if not found:
        from apsw import sqlite_extra

        found = sqlite_extra.path(EXTENSION) if sqlite_extra.has(EXTENSION) else ""
    return found


def _default() -> str:
    return apsw.vfs_names()[0]


def reserve(connection: apsw.Connection) -> None:
    """Let the pages of a new file end with a checksum; an older file stays as it was made."""
    if vfs() is not None:
        wanted = ctypes.c_int(CHECKSUM_BYTES)
        place = ctypes.addressof(wanted)
        connection.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, place)


def are_kept(connection: apsw.Connection) -> bool:
    """Whether every page that is read from a file is compared with its checksum."""
    return vfs() is not None and connection.pragma("checksum_verification") == "1"


@contextmanager
def unchecked(connection: apsw.Connection) -> Iterator[None]:
    """Let a connection pass over pages whose checksum is wrong, while it replaces them all."""
    connection.pragma("checksum_verification", 0)
    try:
        yield
    finally:
        connection.pragma("checksum_verification", 1)
