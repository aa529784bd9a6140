"""Copies of a store that lies in a folder: taken while others write, proved before they count."""

import hashlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import apsw
import msgspec

import muniment
from muniment.adapters.config import POLICY, Settings, open_memory
from muniment.adapters.keystore import KEYS
from muniment.adapters.looking import is_there
from muniment.adapters.open_tables import WISH
from muniment.adapters.sqlite.store import STREAMS
from muniment.engine.prove import Proof
from muniment.model.errors import InputError, IntegrityError

MANIFEST: Final = "backup.json"
FORMAT: Final = 1
PAGES: Final = 256  # copied at once, so that a writer waits no longer than that
MODE: Final = 0o600

Progress = Callable[[int], None]


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds: each file with its digest, each log with its head."""

    format: int
    muniment: str
    files: dict[str, str]
    heads: dict[str, str]
    entries: int


def backup(source: Path, target: Path, settings: Settings, step: Progress) -> Copied:
    """Copy a folder's store to an empty folder, prove the copy, and only then sign it off."""
    _blank(target)
    if not (source / STREAMS).is_dir():
        raise InputError(f"there is no memory in {str(source)!r}")
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Keys first: a key that is missing in the copy would make its entries unreadable for ever.
    for number, name in enumerate(_names(source), start=1):
        _copy(source / name, target / name)
        step(number)
    proofs = _proved(target, settings)
    told = Copied(
        format=FORMAT,
        muniment=muniment.__version__,
        files={name: _sha256(target / name) for name in _names(target)},
        heads={each.stream: each.head for each in proofs},
        entries=sum(each.entries for each in proofs),
    )
    (target / MANIFEST).write_bytes(msgspec.json.encode(told))
    return told


def restore(source: Path, target: Path, settings: Settings, step: Progress) -> Copied:
    """Put a backup into an empty folder; it counts when every byte and every proof is as it was."""
    _blank(target)
    told = read(source)
    for number, (name, digest) in enumerate(sorted(told.files.items()), start=1):
        path = source / name
        if not path.is_file() or _sha256(path) != digest:
            raise IntegrityError(f"{name} is missing or was changed since the backup was taken")
        (target / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copyfile(path, target / name)
        (target / name).chmod(MODE)
        step(number)
    heads = {each.stream: each.head for each in _proved(target, settings)}
    if heads != told.heads:
        raise IntegrityError("the restored logs do not end where the backup says they do")
    return told


def read(source: Path) -> Copied:
    try:
        return msgspec.json.decode((source / MANIFEST).read_bytes(), type=Copied)
    except OSError as error:
        said = f"{MANIFEST} cannot be read ({error.strerror})"
    except msgspec.DecodeError as error:
        said = f"{MANIFEST} is damaged ({error})"
    raise InputError(f"{str(source)!r} is no finished backup: {said}")


def _proved(folder: Path, settings: Settings) -> list[Proof]:
    with open_memory(folder, settings) as memory:
        return memory.prove()


def _names(folder: Path) -> Iterator[str]:
    """The files that make a store, keys first; locks, ballast and temporary files are not."""
    for part in (KEYS, STREAMS):
        for path in sorted((folder / part).glob("*")):
            if path.suffix in {".db", ".key", ""} and path.is_file():
                yield f"{part}/{path.name}"
    for name in ("spool", POLICY, WISH):
        if (folder / name).is_file():
            yield name


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if source.suffix != ".db":
        shutil.copyfile(source, target)
        target.chmod(MODE)
        return
    reader = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READWRITE)
    writer = apsw.Connection(str(target))
    try:
        with writer.backup("main", reader, "main") as copying:
            while not copying.done:
                copying.step(PAGES)
    finally:
        reader.close()
        writer.close()
    target.chmod(MODE)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _blank(folder: Path) -> None:
    if is_there(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(folder)!r} is not empty, and nothing of yours is written over")
