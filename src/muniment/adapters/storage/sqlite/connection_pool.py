"""Connection pool: open stream files, so many at most, each for one thread, none after a fork."""

import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock, RLock
from types import TracebackType
from typing import Any, Final

import apsw

from muniment.adapters.storage.sqlite import connection, errors, page_checksums, schema
from muniment.adapters.storage.sqlite.head_list import Heads
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.log import store_checks
from muniment.log.entry import Head
from muniment.model.errors import (
    IntegrityError,
    OutcomeUnknownError,
    StorageFullError,
    StoreError,
)

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

SUFFIX: Final = ".db"
OPEN_FILES_MAX: Final = 64  # some 140 kB each
DESCRIPTORS: Final = 4  # of one stream: its file, the write-ahead log and its index, and the turn
DESCRIPTORS_LEFT: Final = 64  # for keys, sockets and whatever else the process does
HASH: Final = "SELECT hash FROM entry WHERE seq = ?"
LAST: Final = "SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1"

Value = int | str | bytes
Values = tuple[Value, ...] | dict[str, Value]


class StreamFile:
    """One stream's file; whoever uses it holds its lock. Its connection comes and goes."""

    def __init__(
        self, path: Path, page_limit: int | None, vfs: str, *, still: bool = False
    ) -> None:
        self.path = path
        self._still = still  # nothing can be written where it lies
        self._is_all = False
        # Whoever is interrupted by a signal between taking it and giving it back takes it again.
        self.lock = RLock()
        self.in_use = False
        self.last_used = 0
        self.retired = False  # out of the pool for good: look there again
        self.shredding = False
        self.in_doubt = False
        self._page_limit = page_limit
        self._vfs = vfs
        self._connection: apsw.Connection | None = None

    def _connected(self) -> apsw.Connection:
        if self._still:
            made, self._is_all = connection.connect_still(self.path)
            schema.check(made)
            made.authorizer = connection.authorize
            return made
        return connection.connect(
            self.path,
            shredding=lambda: self.shredding,
            page_limit=self._page_limit,
            vfs=self._vfs,
        )

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def is_ready(self) -> bool:
        return self.is_open and not self.in_doubt and not self._is_overtaken

    @property
    def _is_overtaken(self) -> bool:
        """Whether somebody has begun to write to a file that was taken for all there is."""
        return self._is_all and not connection.is_lying_still(self.path)

    @property
    def db(self) -> apsw.Connection:
        assert self._connection is not None, "Use opens a file before it hands it over"
        return self._connection

    def open(self, *, create: bool) -> bool:
        """Connect; False when there is no file and none is to be made."""
        if self._is_overtaken:
            self.close()
        if self._connection is None:
            made = create and durable_files.create(self.path)
            if not made and not is_there(self.path):
                return False
            self._connection = self._durable(made=made)
        if self.in_doubt:
            # What a failed commit left behind is brought to the disk through a new handle before
            # anyone may look it up: what is found is then durable.
            self.checkpoint()
            self.in_doubt = False
        return True

    def _durable(self, *, made: bool) -> apsw.Connection:
        """A connection, once what is found there and the file's name are on the disk."""
        connected = self._connected()
        try:
            if not made and not self._still:
                connection.sync_recovered(self.path)
            # One cursor for everything, since making one costs as much as a small statement; what
            # is asked is fetched to its end, so that no read transaction stays open behind it.
            cursor = connected.cursor()
            if made:
                durable_files.sync_folder(self.path.parent)
        except BaseException:
            with contextlib.suppress(apsw.Error):
                connected.close(force=True)
            raise
        self.run, self.run_many = cursor.execute, cursor.executemany
        return connected

    def ask(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        return self.run(sql, values).fetchall()

    def commit(self) -> None:
        """Make durable what was written, in the file that others find under its name."""
        if connection.has_moved(self.db):
            self.heal()
            self.close()
            log = errors.log_of(self.path.stem)
            raise StoreError(f"{log} was removed or replaced while it was open")
        try:
            self.run("COMMIT")
        except apsw.Error as error:
            broken = errors.told_by_commit(error, self.db.system_errno)
            self.in_doubt = isinstance(broken, OutcomeUnknownError)
            self.heal(error)
            raise broken from error

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file and cut it to nothing."""
        try:
            self.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except errors.WAITED as error:
            raise StoreError("somebody still reads the old pages; they are not gone yet") from error

    def rewrite(self) -> None:
        """Write the whole file anew: no page keeps what was deleted from it or moved within it."""
        with self._unguarded():
            self.run("VACUUM")

    def replace_pages(self, fresh: apsw.Connection) -> None:
        """Put the pages of another file in the place of all there are, readable or not."""
        with (
            self._unguarded(),
            page_checksums.unchecked(self.db),
            self.db.backup("main", fresh, "main") as copying,
        ):
            copying.step(-1)
        self.checkpoint()

    @contextlib.contextmanager
    def _unguarded(self) -> Iterator[None]:
        self.db.authorizer = None
        try:
            yield
        finally:
            self.db.authorizer = connection.authorize

    def heal(self, error: BaseException | None = None) -> None:
        """Leave no transaction open, and no handle that has seen the disk fail."""
        if self._connection is None:
            return
        if self._connection.in_transaction:
            with contextlib.suppress(apsw.Error):
                self.run("ROLLBACK")
        if self.in_doubt or isinstance(error, errors.WOUNDS):
            self.close()

    def errno(self) -> int:
        return self._connection.system_errno if self._connection is not None else 0

    def close(self) -> None:
        held, self._connection = self._connection, None
        if held is not None:
            # A disk that fails may fail here too; what counted was committed long before.
            with contextlib.suppress(apsw.Error):
                held.close(force=True)

    def abandon(self) -> None:
        """After a fork: never touched, never closed, not even when the interpreter ends."""
        if self._connection is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))


class _FilePool:
    """The files that one process holds; a forked child starts with an empty one."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.guard = Lock()
        self.clock = 0
        self.files: dict[str, StreamFile] = {}


def files_allowed() -> int:
    """How many streams may be open at once: some systems allow a process 256 descriptors in all."""
    if resource is None:
        return OPEN_FILES_MAX
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return OPEN_FILES_MAX
    return min(OPEN_FILES_MAX, max(1, (allowed - DESCRIPTORS_LEFT) // DESCRIPTORS))


class Files:
    """Every stream file under one folder."""

    def __init__(
        self,
        folder: Path,
        heads: Heads,
        *,
        open_files_max: int,
        page_limit: int | None,
        vfs: str,
        make_room: Callable[[], bool],
        still: bool = False,
    ) -> None:
        self._still = still
        self._folder = folder
        self._heads = heads
        self._make_room = make_room
        self._open_files_max = max(open_files_max, 1)
        self._page_limit = page_limit
        self._vfs = vfs
        self._held = _FilePool()
        self._closed = False

    def use(self, stream: str, *, create: bool = False) -> "Use":
        """The file, for as long as a `with` block lasts; None when there is no such stream."""
        return Use(self, stream, create=create)

    def path(self, stream: str) -> Path:
        return self._folder / f"{stream}{SUFFIX}"

    def names(self) -> list[str]:
        """The streams that have a file, sorted."""
        self.check_open()
        names = (path.stem for path in self._folder.glob("*" + SUFFIX))
        return sorted(name for name in names if store_checks.REF.fullmatch(name))

    def open(self, stream: str, file: StreamFile, *, create: bool) -> bool:
        """Connect; a log that holds less than it is known to have held is not gone on with."""
        last = self._heads.of(stream)
        opened = self._connected(file, create=create and last is None)
        if last is not None and not (opened and file.ask(HASH, (last.seq,)) == [(last.hash,)]):
            file.close()
            raise IntegrityError(
                f"the log {stream[:8]} has lost entries: it held {last.seq}, and its file was"
                " emptied, removed or replaced since; put it back from a backup"
            )
        if last is not None:
            self._note(stream, file, last)
        return opened

    def _note(self, stream: str, file: StreamFile, last: Head) -> None:
        """Whoever was killed has noted less than there is: what is found counts from here on."""
        (seq, digest), *_ = file.ask(LAST)
        if seq > last.seq:
            self._heads.note({stream: Head(seq=seq, hash=digest)})

    def _connected(self, file: StreamFile, *, create: bool) -> bool:
        try:
            return file.open(create=create)
        except StorageFullError:
            # Whoever only reads takes a little room too, and must find it on a full disk.
            if create or not self._make_room():
                raise
            return file.open(create=False)

    def take(self, stream: str) -> StreamFile:
        """The file, locked."""
        pool = self._pool()
        while True:
            file = pool.files.get(stream) or self._admit(pool, stream)
            file.lock.acquire()
            if not file.retired:
                if file.in_use:  # by this thread, and it was cut off
                    file.heal()
                file.in_use = True
                pool.clock = file.last_used = pool.clock + 1
                return file
            file.lock.release()

    def give_back(self, stream: str, file: StreamFile) -> None:
        # A file that does not exist must not push out one that does.
        if not file.is_open and not file.in_doubt:
            pool = self._pool()
            with pool.guard:
                file.retired = True
                if pool.files.get(stream) is file:
                    del pool.files[stream]
        file.in_use = False
        file.lock.release()

    def close(self) -> None:
        self._closed = True
        pool = self._pool()
        with pool.guard:
            held = list(pool.files.values())
            pool.files.clear()
        for file in held:
            with file.lock:
                file.retired = True
                file.close()

    def check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def _pool(self) -> _FilePool:
        pool = self._held
        if pool.pid != os.getpid():
            for file in pool.files.values():
                file.abandon()
            pool = self._held = _FilePool()
        return pool

    def _admit(self, pool: _FilePool, stream: str) -> StreamFile:
        self.check_open()
        store_checks.check_ref(stream)
        with pool.guard:
            idle = self._idle(pool)
            made = StreamFile(self.path(stream), self._page_limit, self._vfs, still=self._still)
            file = pool.files.setdefault(stream, made)
        for old in idle:
            old.close()
            old.lock.release()
        return file

    def _idle(self, pool: _FilePool) -> list[StreamFile]:
        """Take out, locked, the longest unused files that are too many once one more is in."""
        idle: list[StreamFile] = []
        surplus = len(pool.files) + 1 - self._open_files_max
        if surplus <= 0:
            return idle
        for stream, file in sorted(pool.files.items(), key=lambda item: item[1].last_used):
            if len(idle) == surplus or file.in_doubt or file.in_use:
                continue
            if file.lock.acquire(blocking=False):
                file.retired = True
                del pool.files[stream]
                idle.append(file)
        return idle


class Use:
    """One visit to a stream file: locked, connected, and no error of SQLite's leaves it."""

    __slots__ = ("_create", "_file", "_files", "_stream")

    def __init__(self, files: Files, stream: str, *, create: bool) -> None:
        self._files = files
        self._stream = stream
        self._create = create

    def __enter__(self) -> StreamFile | None:
        file = self._file = self._files.take(self._stream)
        if file.is_ready:
            return file
        try:
            self._files.check_open()
            return file if self._files.open(self._stream, file, create=self._create) else None
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is None:
            self._files.give_back(self._stream, self._file)
            return
        errno = self._file.errno()
        self._file.heal(error)
        self._files.give_back(self._stream, self._file)
        if isinstance(error, apsw.Error):
            raise errors.told(error, errno, errors.log_of(self._stream)) from error
        if isinstance(error, UnicodeDecodeError):
            raise errors.damaged(errors.log_of(self._stream), str(error)) from error
        if isinstance(error, OSError):
            raise errors.told_by_system(error) from error
