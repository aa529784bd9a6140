"""Backup and restore of a folder store: taken while others write, proved before they count."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Final, Protocol

import apsw
import msgspec

import muniment
from muniment.adapters.config import POLICY, Settings, open_memory
from muniment.adapters.keys.keystore import KEYS, FileKeystore
from muniment.adapters.storage.folder import incomplete_marker
from muniment.adapters.storage.folder.plain_tables_setting import WISH
from muniment.adapters.storage.sqlite import connection, errors
from muniment.adapters.storage.sqlite.connection_pool import SUFFIX
from muniment.adapters.storage.sqlite.head_list import HEADS
from muniment.adapters.storage.sqlite.store import STREAMS, SqliteStore
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.engine.audit.replay import Proof
from muniment.model.errors import UNREADABLE, InputError, IntegrityError, StorageFullError
from muniment.model.scope import StreamKind, stream_from_text

MANIFEST: Final = "backup.json"
FORMAT: Final = 1
BEGIN_EMPTY: Final = frozenset({"backup", "restore"})  # what they left halfway is theirs to clear
BESIDE: Final = ("spool", POLICY, WISH, HEADS)  # what a store has besides its logs and keys

Progress = Callable[[int], None]


class BackupManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds: each file with its digest, each log with its head."""

    format: int
    muniment: str
    files: dict[str, str]
    heads: dict[str, str]
    entries: int


class ProgressWatch(Protocol):
    """Who looks on: what is done now, in which unit, and how much of it there is."""

    def __call__(
        self, what: str, unit: str, total: Callable[[], int], /
    ) -> AbstractContextManager[Progress]: ...


def unwatched(
    _what: str, _unit: str, _total: Callable[[], int]
) -> AbstractContextManager[Progress]:
    return nullcontext(lambda _: None)


def backup(
    source: Path, target: Path, settings: Settings, watch: ProgressWatch = unwatched
) -> BackupManifest:
    """Copy a folder's store to an empty folder, prove the copy, and only then sign it off."""
    if not (source / STREAMS).is_dir():
        raise InputError(f"there is no memory in {str(source)!r}")
    with _whole_or_nothing(target, "backup"):
        logs = len(list((source / STREAMS).glob(f"*{SUFFIX}")))
        with watch("Copying", "logs", lambda: logs) as step:
            _copy_store(source, target, step)
        proofs = _proved(target, settings, watch)
        told = BackupManifest(
            format=FORMAT,
            muniment=muniment.__version__,
            files={name: _sha256(target / name) for name in _names(target)},
            heads={each.stream: each.head for each in proofs},
            entries=sum(each.entries for each in proofs),
        )
        fresh = target / f"{MANIFEST}.new"
        durable_files.put_file(target / MANIFEST, msgspec.json.encode(told), fresh=fresh)
    return told


def restore(
    source: Path, target: Path, settings: Settings, watch: ProgressWatch = unwatched
) -> BackupManifest:
    """Put a backup into an empty folder; it counts when every byte and every proof is as it was."""
    told = read(source)
    with _whole_or_nothing(target, "restore"):
        with watch("Restoring", "files", lambda: len(told.files)) as step:
            _put_files(told, source, target, step)
        heads = {each.stream: each.head for each in _proved(target, settings, watch)}
        if heads != told.heads:
            raise IntegrityError("the restored logs do not end where the backup says they do")
    return told


def _put_files(told: BackupManifest, source: Path, target: Path, step: Progress) -> None:
    """The keys come last: until then what is there opens for nobody, and says so."""
    names = sorted(told.files, key=lambda name: (name.startswith(KEYS), name))
    for number, name in enumerate(names, start=1):
        path = source / name
        if not path.is_file() or _sha256(path) != told.files[name]:
            raise IntegrityError(f"{name} is missing or was changed since the backup was taken")
        _put(path, target / name)
        step(number)


def read(source: Path) -> BackupManifest:
    try:
        told = msgspec.json.decode((source / MANIFEST).read_bytes(), type=BackupManifest)
    except OSError as error:
        said = f"{MANIFEST} cannot be read ({error.strerror})"
    except UNREADABLE as error:
        said = f"{MANIFEST} is damaged ({error})"
    else:
        return _checked(told, source)
    raise InputError(f"{str(source)!r} is not a complete backup: {said}")


def _checked(told: BackupManifest, source: Path) -> BackupManifest:
    if told.format != FORMAT:
        said = f"has format {told.format}, and this program knows {FORMAT}"
        raise InputError(f"{str(source)!r} {said}")
    for name in told.files:
        folder, _, file = name.rpartition("/")
        if file in {"", ".", ".."} or (folder not in {KEYS, STREAMS} and name not in BESIDE):
            raise IntegrityError(f"{str(source)!r} names {name!r}, which is not a file of a store")
    return told


def _copy_store(source: Path, target: Path, step: Progress) -> None:
    """Every log as it happens to be; then, as of one moment, what was written meanwhile.

    Logs read each other, and none may have read more of another than the copy holds. So there is
    a moment at which nobody writes: as long as it takes to begin reading the logs that have moved,
    and to copy the keys. They come after the entries that they open.
    """
    with (
        closing(SqliteStore(source)) as store,
        closing(FileKeystore(source, still=store.is_still)) as keyring,
    ):
        erased = keyring.generation()
        copied: dict[str, int] = {}
        for ref in store.streams():
            store.head(ref)  # a log that has lost entries is not copied as if it had not
            with _still(source / STREAMS / f"{ref}{SUFFIX}") as log:
                copied[ref] = _end(log)
                _pour(log, target / STREAMS / f"{ref}{SUFFIX}")
            step(len(copied))
        with ExitStack() as moved:
            with ExitStack() as locks:
                ends = {ref: store.head(ref) for ref in _stopped(store, keyring, locks)}
                again = keyring.generation() != erased  # what is gone may be in any log
                behind = {
                    ref: moved.enter_context(_still(source / STREAMS / f"{ref}{SUFFIX}"))
                    for ref, end in ends.items()
                    if again or end is None or end.seq != copied.get(ref)
                }
                with keyring.held():  # a master key and what it wraps belong together
                    for name in _names(source):
                        if not name.startswith(STREAMS):
                            _copy(source / name, target / name)
            for ref, log in behind.items():
                _pour(log, target / STREAMS / f"{ref}{SUFFIX}")


def _stopped(store: SqliteStore, keyring: FileKeystore, locks: ExitStack) -> list[str]:
    """Every log, with its lock held. Operations last: a writer that failed tells them still."""
    held: list[str] = []
    while waiting := set(store.streams()) - set(held):
        ops = {
            ref
            for ref, name in keyring.known("stream")
            if stream_from_text(name).kind is StreamKind.OPS
        }
        for ref in sorted(waiting, key=lambda ref: (ref in ops, ref)):
            locks.enter_context(store.write_lock(ref))
            held.append(ref)
    return held


def _proved(folder: Path, settings: Settings, watch: ProgressWatch) -> list[Proof]:
    """The proofs of all its tenants: a copy has the logs of each."""
    with closing(FileKeystore(folder)) as keyring:
        keyring.insist_on_whole()
        keyring.check()
        tenants = sorted({stream_from_text(name).tenant for _, name in keyring.known("stream")})
    with open_memory(folder, settings, filling=True) as memory:
        each_sees = [memory.beside(tenant, settings.channel) for tenant in tenants]
        logs = [(tenant, stream) for tenant in each_sees for stream in tenant.streams()]
        entries = sum(tenant.head(stream) for tenant, stream in logs)
        with watch("Proving", "entries", lambda: entries) as step:
            return [proof for tenant in each_sees for proof in tenant.prove(progress=step)]


def _names(folder: Path) -> Iterator[str]:
    """The files that make a store; locks, ballast and temporary files are not."""
    for part in (KEYS, STREAMS):
        for path in sorted((folder / part).glob("*")):
            if path.suffix in {SUFFIX, ".key", ""} and path.is_file():
                yield f"{part}/{path.name}"
    for name in BESIDE:
        if (folder / name).is_file():
            yield name


def _copy(source: Path, target: Path) -> None:
    if source.suffix != SUFFIX:
        _put(source, target)
        return
    with _still(source) as file:
        _pour(file, target)


@contextmanager
def _still(path: Path) -> Iterator[apsw.Connection]:
    """A file as it is now, for as long as the block lasts, whoever writes to it meanwhile."""
    reader = connection.reading(path)
    try:
        reader.set_busy_timeout(connection.BUSY_TIMEOUT_MS)
        reader.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
        yield reader
    finally:
        reader.close(force=True)


def _end(log: apsw.Connection) -> int:
    return int(str(log.execute("SELECT coalesce(max(seq), 0) FROM entry").get))


def _pour(source: apsw.Connection, target: Path) -> None:
    durable_files.make_folder(target.parent)
    target.unlink(missing_ok=True)
    durable_files.create(target)
    with closing(connection.opened(target)) as writer:
        try:
            with writer.backup("main", source, "main") as copying:
                copying.step(-1)  # at once: a copy in pieces begins anew whenever somebody writes
        except apsw.Error as error:
            raise errors.told(error, writer.system_errno) from error


def _put(source: Path, target: Path) -> None:
    durable_files.make_folder(target.parent)
    durable_files.create(target)
    with source.open("rb") as reading, target.open("wb") as writing:
        shutil.copyfileobj(reading, writing)
        writing.flush()
        os.fsync(writing.fileno())
    durable_files.sync_folder(target.parent)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _whole_or_nothing(folder: Path, by: str) -> Iterator[None]:
    """An empty folder to fill; where that fails, it is empty again, and the error is ours.

    Where somebody pulled the plug the mark tells that what lies there is nobody's: it is cleared.
    """
    if _is_left_over(folder):
        _clear(folder)
    if is_there(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(folder)!r} is not empty; existing files are not overwritten")
    try:
        incomplete_marker.lay(folder, by)
        yield
        incomplete_marker.lift(folder)
    except BaseException as error:
        _clear(folder)
        told = error
        if isinstance(error, apsw.Error):
            told = errors.told(error)
        if isinstance(error, OSError):
            told = errors.told_by_system(error)
        if isinstance(told, StorageFullError):
            told = incomplete_marker.no_room(folder, told)
        raise told from error


def _is_left_over(folder: Path) -> bool:
    return folder.is_dir() and incomplete_marker.by(folder) in BEGIN_EMPTY


def _clear(folder: Path) -> None:
    """The mark goes last: what is still there when this is cut short stays marked."""
    for path in sorted(folder.glob("*"), key=lambda path: path.name == incomplete_marker.MARK):
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
