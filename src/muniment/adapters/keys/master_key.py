"""Master key of a keystore: created, found and replaced.

It lies in a file of its own, and the keystore says by a token which one fits. To exchange it, the
next one is put down beside it, durably, before the keystore is wrapped anew in one transaction;
whichever of the two fits afterwards is the master key. So a process that is killed anywhere leaves
a keystore that opens, and the next one to open it clears away the key that does not count.
"""

import hmac
import os
from pathlib import Path
from typing import Final

from muniment.adapters.keys.key_table import KeyFile
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.log import sealing
from muniment.log.keyring import Entropy
from muniment.model.errors import KeystoreError

MASTER: Final = "master.key"
NEXT: Final = "master.next"  # what a backup does not take along
CHECK: Final = "muniment/v1/master"
EXPECTED: Final = "SELECT token FROM master"
BEGIN: Final = "INSERT INTO master (one, token) VALUES (1, ?)"
EXCHANGE: Final = "UPDATE master SET token = ?"
BACK: Final = "put the folder `keys` back from a backup"  # what helps where a key is lost


def token(key: bytes) -> bytes:
    return sealing.token(key, CHECK)


def fits(file: KeyFile, key: bytes) -> bool:
    """Whether the keystore is wrapped by this key now."""
    (expected,) = file.ask(EXPECTED)
    return hmac.compare_digest(token(key), expected[0])


def found(file: KeyFile, folder: Path) -> bytes:
    """The master key: the one in its place, or the next one while that is being exchanged.

    Files and keystore cannot be read at one moment: somebody may exchange the key in between. So
    that none fits is believed once nothing has moved since the last look.
    """
    before: tuple[object, ...] = ()
    while True:
        keys = [_held(path) for path in _places(folder)]
        (expected,) = file.ask(EXPECTED)
        whole = [key for key in keys if len(key) == sealing.KEY_BYTES]
        for key in whole:
            if hmac.compare_digest(token(key), expected[0]):
                return key
        if before == (before := (*keys, expected[0])):
            break
    if not whole:
        raise KeystoreError(f"the master key is missing: {BACK}")
    raise KeystoreError(f"the master key does not belong to this keystore: {BACK}")


def settled(file: KeyFile, folder: Path, entropy: Entropy) -> bytes:
    """The master key, in its place and alone. The caller keeps all others from the keystore."""
    if not file.ask(EXPECTED):
        return _begun(file, folder, entropy)
    key = found(file, folder)
    kept, spare = _places(folder)
    if not is_there(spare):
        return key
    if _held(kept) == key:
        _wipe(spare)
        spare.unlink()
    else:
        _wipe(kept)
        spare.replace(kept)
    durable_files.sync_folder(folder)
    return key


def put_next(folder: Path, entropy: Entropy) -> bytes:
    """Another key beside the one that counts; durable before anything is wrapped by it."""
    return _make(folder / NEXT, entropy)


def _begun(file: KeyFile, folder: Path, entropy: Entropy) -> bytes:
    """The first one, while the keystore is still empty."""
    path = folder / MASTER
    key = _held(path)
    if len(key) != sealing.KEY_BYTES:  # none, or what a crash left of the first attempt
        key = _make(path, entropy)
    else:  # of somebody who was killed, perhaps before it was durable
        durable_files.sync_file(path)
        durable_files.sync_folder(folder)
    file.ask(BEGIN, token(key))
    return key


def _places(folder: Path) -> tuple[Path, Path]:
    return folder / MASTER, folder / NEXT


def _held(path: Path) -> bytes:
    """What a file holds; nothing, where it is not there or was moved to its place meanwhile."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return b""


def _make(path: Path, entropy: Entropy) -> bytes:
    key = entropy(sealing.KEY_BYTES)
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    _write(path, flags, key)
    durable_files.sync_folder(path.parent)
    return key


def _wipe(path: Path) -> None:
    """A key that counts no longer: gone from its blocks, as far as a disk writes in place."""
    if is_there(path):
        _write(path, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0), bytes(sealing.KEY_BYTES))


def _write(path: Path, flags: int, data: bytes) -> None:
    descriptor = os.open(path, flags, durable_files.FILE_MODE)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
