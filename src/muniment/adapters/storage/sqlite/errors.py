"""Error mapping: errors of SQLite and the disk become Muniment's own."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

import apsw

from muniment.adapters.system.path_exists import FULL
from muniment.model.errors import (
    IntegrityError,
    MunimentError,
    OutcomeUnknownError,
    StorageFullError,
    StoreError,
)

TORN: Final = (apsw.CorruptError, apsw.NotADBError)
TORN_EXTENDED: Final = frozenset({apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_DATA})
WAITED: Final = (apsw.BusyError, apsw.LockedError)
# What to do about a folder that cannot be used.
ADVICE: Final = (
    ({errno.EACCES, errno.EPERM, errno.EROFS}, "; name another folder, or allow writing to it"),
    ({errno.ENOTDIR, errno.EEXIST}, "; a file is in the way: name another folder"),
    ({errno.ENOENT}, "; that folder cannot be made: name another"),
)
# After these the handle is not trusted again: a failed fsync that is retried on the same handle
# may succeed without having written anything.
WOUNDS: Final = (apsw.IOError, apsw.CantOpenError, apsw.NoMemError, *TORN)


def told(
    error: apsw.Error, system_errno: int = 0, where: str = "a file of the memory"
) -> MunimentError:
    """What an error means that came before COMMIT was sent: nothing was written."""
    detail = f"{type(error).__name__}: {error}"
    if _is_full(error, system_errno):
        return StorageFullError(detail)
    if is_torn(error):
        return damaged(where, detail)
    return StoreError(detail)


def is_torn(error: apsw.Error) -> bool:
    """Whether a page is damaged, by its structure or its checksum."""
    return isinstance(error, TORN) or extended(error) in TORN_EXTENDED


def damaged(where: str, detail: str) -> IntegrityError:
    return IntegrityError(f"{where} is damaged ({detail}): see muniment doctor --deep")


def told_by_commit(error: apsw.Error, system_errno: int = 0) -> MunimentError:
    """What an error means that COMMIT raised: mostly, nobody knows."""
    detail = f"COMMIT failed, {type(error).__name__}: {error}"
    if isinstance(error, WAITED):
        return StoreError(detail)
    # A write that found no room never finished the frame that would have made the commit count.
    if isinstance(error, apsw.FullError) or (
        extended(error) == apsw.SQLITE_IOERR_WRITE and system_errno in FULL
    ):
        return StorageFullError(detail)
    return OutcomeUnknownError(detail)


def log_of(stream: str) -> str:
    """How the file of a log is called where people read it."""
    return f"the file of the log {stream[:8]}"


def told_by_system(error: OSError) -> MunimentError:
    """What the file system says when a folder, a file or the ballast cannot be made."""
    where = PurePath(str(error.filename or "")).parts[-2:]  # enough to know it by, no more
    detail = ": ".join([error.strerror or type(error).__name__, "/".join(where)]).removesuffix(": ")
    detail += next((advice for numbers, advice in ADVICE if error.errno in numbers), "")
    return StorageFullError(detail) if error.errno in FULL else StoreError(detail)


@contextlib.contextmanager
def border() -> Iterator[None]:
    """No error of the file system's leaves as it is."""
    try:
        yield
    except OSError as error:
        raise told_by_system(error) from error


def extended(error: apsw.Error) -> int:
    return getattr(error, "extendedresult", 0)


def _is_full(error: apsw.Error, system_errno: int) -> bool:
    if isinstance(error, apsw.FullError):
        return True
    return isinstance(error, apsw.IOError | apsw.CantOpenError) and system_errno in FULL
