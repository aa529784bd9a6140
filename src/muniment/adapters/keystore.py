"""The keyring on disk: one key per reference, each wrapped by the master key that lies beside.

Without its master key a keystore says nothing: keys and names are encrypted, and names are looked
up by a keyed token. A destroyed reference stays on record, empty, and is never given out again.
"""

import hmac
import os
import secrets
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import apsw
import msgspec

from muniment.adapters import keyfile
from muniment.adapters.generation import Generation, stamp
from muniment.adapters.keyfile import KeyFile
from muniment.adapters.looking import is_there
from muniment.adapters.sqlite import connection
from muniment.adapters.sqlite.store import STREAMS
from muniment.log import sealing
from muniment.log.keyring import Entropy, Mint, mint_from, minted
from muniment.log.signing import LASTING
from muniment.model.errors import IntegrityError, KeystoreError, ReadOnlyError

KEYS: Final = "keys"
CHECK: Final = "muniment/v1/master"
LACKING_MAX: Final = 1_024  # names that are not there; few are asked for again
CACHED_MAX: Final = 65_536  # records of some 300 bytes; when there are more, the cache begins anew


class FileKeystore:
    """References, names and keys under `<folder>/keys`, for any number of threads and processes."""

    def __init__(
        self,
        folder: Path,
        *,
        entropy: Entropy = secrets.token_bytes,
        mint: Mint | None = None,
        still: bool = False,
    ) -> None:
        """`still`: nothing can be written to the memory either, so a new name need not last."""
        connection.check_library(apsw.sqlite_lib_version())
        keys = folder / KEYS
        self._mint = mint or mint_from(entropy)
        self._file = KeyFile(keys / "keystore.db", still=still)
        self._passing: dict[str, _Known] | None = {} if still else None
        with keyfile.border():
            _check_whole(folder, self._file.path, keys / "master.key")
            if not still:
                connection.make_folder(keys)
                keys.chmod(connection.FOLDER_MODE)
            self._generation = Generation(keys / "generation", still=still)
            with nullcontext() if still else self._file.writing():
                self._master = _master(self._file, keys / "master.key", entropy)
        self._cache = _Cache(stamp(self._generation.now()))

    def ref(self, kind: str, name: str) -> str:
        return self.find(kind, name) or self._make(kind, name)

    def find(self, kind: str, name: str) -> str | None:
        cache, place = self._fresh(), (kind, name)
        ref = cache.refs.get(place)
        if ref is not None:
            return ref
        if self._passing:
            passing = (its.ref for its in self._passing.values() if (its.kind, its.name) == place)
            if ref := next(passing, None):
                return ref
        made = self._generation.made()  # before the file is read: what is made meanwhile is noticed
        if cache.lacking.get(place) == made:
            return None
        found = self._file.ask(keyfile.BY_TOKEN, self._token("name", kind, name))
        if not found:
            cache.lack(place, made)
            return None
        return cache.put(self._open(*found[0])).ref

    def key(self, ref: str) -> bytes | None:
        known = self._fresh().known.get(ref) or self._look(ref)
        return known.key if known else None

    def name(self, ref: str) -> str | None:
        known = self._fresh().known.get(ref) or self._look(ref)
        return known.name if known else None

    def known(self, kind: str) -> list[tuple[str, str]]:
        """Every living name of a kind with its reference, sorted by name."""
        cache = self._fresh()
        found = self._file.ask(keyfile.BY_KIND, self._token("kind", kind))
        records = (
            cache.known.get(ref) or cache.put(self._open(ref, *rest)) for ref, *rest in found
        )
        return sorted(((its.ref, its.name or "") for its in records), key=lambda pair: pair[1])

    def twin(self, folder: Path) -> "FileKeystore":
        """The keystore of a copy, under the same master key; one that is there must have it."""
        made = FileKeystore(folder, entropy=lambda _: self._master)
        if not hmac.compare_digest(made._master, self._master):
            made.close()
            raise KeystoreError("there are other keys in that place already")
        return made

    def take(self, other: "FileKeystore") -> None:
        """Add every record of a twin that is not here yet; what it destroyed is added empty."""
        records = other._file.ask(keyfile.ALL)  # noqa: SLF001 - our own kind
        with self._file.writing(alone=True):
            self._generation.make()
            for ref, token, *rest in records:
                if not self._file.ask(keyfile.BY_REF, ref):
                    if token is not None and self._file.ask(keyfile.BY_TOKEN, token):
                        raise KeystoreError("both places have given a key to the same name")
                    self._file.ask(keyfile.ADD, ref, token, *rest)

    def destroyed(self) -> list[str]:
        """Every reference whose key is gone, in the order in which they were given out."""
        return [str(ref) for (ref,) in self._file.ask(keyfile.EMPTIED)]

    def generation(self) -> bytes:
        return self._generation.now()

    def destroy(self, ref: str) -> None:
        """Empty the record for good; every cache, here and in other processes, notices."""
        with keyfile.border(), self._generation.moving(), self._file.writing():
            self._file.ask(keyfile.EMPTY, ref)

    def close(self) -> None:
        self._file.close()

    def _fresh(self) -> "_Cache":
        """The cache, or a new one if anything was destroyed since it began: one memory read."""
        now = self._generation.now()
        cache = self._cache
        if now != cache.stamp:
            cache = self._cache = _Cache(stamp(now))
        return cache

    def _look(self, ref: str) -> "_Known | None":
        if self._passing and ref in self._passing:
            return self._passing[ref]
        cache = self._fresh()  # before the file is read: what is destroyed meanwhile is noticed
        found = self._file.ask(keyfile.BY_REF, ref)
        return cache.put(self._open(*found[0])) if found else None

    def _make(self, kind: str, name: str) -> str:
        if self._passing is not None:
            if kind.partition("/")[0] in LASTING:
                raise ReadOnlyError
            ref, key = next(minted(self._mint, kind, name))
            self._passing[ref] = _Known(ref=ref, kind=kind, name=name, key=key)
            return ref
        token = self._token("name", kind, name)
        with self._file.writing(alone=True):
            found = self._file.ask(keyfile.BY_TOKEN, token)
            if found:  # another thread or process was faster
                return str(found[0][0])
            self._generation.make()
            pairs = minted(self._mint, kind, name)
            ref, key = next(its for its in pairs if not self._file.ask(keyfile.BY_REF, its[0]))
            label = msgspec.json.encode((kind, name))
            self._file.ask(
                keyfile.ADD,
                ref,
                token,
                self._token("kind", kind),
                sealing.seal_blob(self._master, f"name:{ref}", label),
                sealing.seal_blob(self._master, f"key:{ref}", key),
            )
        return ref

    def _token(self, *words: str) -> bytes:
        return sealing.token(self._master, msgspec.json.encode(words).decode())

    def _open(self, ref: str, label: bytes | None, wrapped: bytes | None) -> "_Known":
        if label is None or wrapped is None:
            return _Known(ref=ref)
        try:
            name = sealing.open_blob(self._master, f"name:{ref}", label)
            key = sealing.open_blob(self._master, f"key:{ref}", wrapped)
        except IntegrityError as error:
            raise KeystoreError("a record of the keystore does not open") from error
        kind, text = msgspec.json.decode(name, type=tuple[str, str])
        return _Known(ref=ref, kind=kind, name=text, key=key)


class _Known(msgspec.Struct, frozen=True, kw_only=True):
    """A record, opened; a destroyed one has only its reference."""

    ref: str
    kind: str = ""
    name: str | None = None
    key: bytes | None = None


class _Cache:
    """Opened records, good for as long as nothing is destroyed anywhere."""

    def __init__(self, stamp: bytes) -> None:
        self.stamp = stamp
        self.known: dict[str, _Known] = {}
        self.refs: dict[tuple[str, str], str] = {}
        self.lacking: dict[tuple[str, str], bytes] = {}  # good until the next name is made

    def lack(self, place: tuple[str, str], made: bytes) -> None:
        if len(self.lacking) >= LACKING_MAX:
            self.lacking.clear()
        self.lacking[place] = made

    def put(self, known: _Known) -> _Known:
        if len(self.known) >= CACHED_MAX:
            self.known.clear()
            self.refs.clear()
        self.known[known.ref] = known
        if known.name is not None:
            self.refs[known.kind, known.name] = known.ref
        return known


def _check_whole(folder: Path, keystore: Path, master: Path) -> None:
    """A half that is missing is not made anew: that would only hide what is lost."""
    if is_there(keystore) and keystore.stat().st_size:
        return
    if is_there(master) and not is_there(keystore):
        raise KeystoreError("the master key is here, but its keystore is gone")
    if any((folder / STREAMS).glob("*.db")):
        raise KeystoreError("there are streams here, but their keys are gone")


def _master(file: KeyFile, path: Path, entropy: Entropy) -> bytes:
    """The master key, checked; made once, while the keystore is still empty and locked."""
    expected = file.ask("SELECT token FROM master")
    key = path.read_bytes() if is_there(path) else b""
    if not expected:
        if len(key) != sealing.KEY_BYTES:  # none, or what a crash left of the first attempt
            key = _make_master(path, entropy)
        file.ask("INSERT INTO master (one, token) VALUES (1, ?)", sealing.token(key, CHECK))
        return key
    if len(key) != sealing.KEY_BYTES:
        raise KeystoreError("the master key is missing")
    if not hmac.compare_digest(sealing.token(key, CHECK), expected[0][0]):
        raise KeystoreError("the master key does not fit this keystore")
    return key


def _make_master(path: Path, entropy: Entropy) -> bytes:
    key = entropy(sealing.KEY_BYTES)
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, connection.FILE_MODE)
    try:
        os.write(descriptor, key)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    connection.sync_folder(path.parent)
    return key
