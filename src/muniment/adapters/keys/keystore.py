"""Keystore: the keyring on disk, one key per reference, each wrapped by the master key beside it.

Without its master key a keystore says nothing: keys and names are encrypted, and names are looked
up by a keyed token. A destroyed reference stays on record, empty, and is never given out again.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

import apsw
import msgspec

from muniment.adapters.keys import key_table, master_key
from muniment.adapters.keys.key_table import KeyFile
from muniment.adapters.storage.folder.shared_counter import Generation, stamp
from muniment.adapters.storage.sqlite import connection
from muniment.adapters.storage.sqlite.store import STREAMS
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_there
from muniment.engine.audit.stage_progress import Stages, unwatched
from muniment.log import sealing, store_checks
from muniment.log.keyring import Entropy, Mint, mint_from, minted
from muniment.model.errors import IntegrityError, KeystoreError, ReadOnlyError

KEYS: Final = "keys"
EMPTY_BYTES_MAX: Final = 1  # SQLite takes a file of one byte for an empty one, and begins it anew
LACKING_MAX: Final = 1_024  # names that are not there; few are asked for again
CACHED_MAX: Final = 65_536  # records of some 300 bytes; when there are more, the cache begins anew

Question = tuple[str, *tuple[key_table.Value, ...]]
Wrapped = tuple[str, bytes | None, bytes | None, bytes | None, bytes | None]  # as a row has it


class FileKeystore:
    """References, names and keys under `<folder>/keys`, for any number of threads and processes."""

    def __init__(
        self,
        folder: Path,
        *,
        entropy: Entropy = os.urandom,
        mint: Mint | None = None,
        still: bool = False,
    ) -> None:
        """`still`: nothing can be written to the memory either, so a new name need not last."""
        connection.check_library(apsw.sqlite_lib_version())
        keys = folder / KEYS
        self._keys, self._entropy, self._still = keys, entropy, still
        self._mint = mint or mint_from(entropy)
        self._streams, self._is_whole = folder / STREAMS, False
        self._file = KeyFile(keys / "keystore.db", still=still)
        self._passing: dict[str, _OpenedKey] | None = {} if still else None
        try:
            self._begin(folder)
        except BaseException:
            self._file.close()
            raise
        self._cache = _Cache(stamp(self._generation.now()))
        self._durable = b""  # how many names were made when the folder was last synced

    def _begin(self, folder: Path) -> None:
        with key_table.border():
            _check_whole(folder, self._file.path, self._keys / master_key.MASTER)
            if not self._still:
                durable_files.make_folder(self._keys)
                self._keys.chmod(durable_files.FOLDER_MODE)
            self._generation = Generation(self._keys / "generation", still=self._still)
            with self.held():
                self._master = self._settled()

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
        found = self._asked(lambda: (key_table.BY_TOKEN, self._token("name", kind, name)))
        if not found:
            cache.lack(place, made)
            return None
        return cache.put(found[0]).ref

    def key(self, ref: str) -> bytes | None:
        known = self._fresh().known.get(ref) or self._look(ref)
        return known.key if known else None

    def name(self, ref: str) -> str | None:
        known = self._fresh().known.get(ref) or self._look(ref)
        return known.name if known else None

    def known(self, kind: str) -> list[tuple[str, str]]:
        """Every living name of a kind with its reference, sorted by name."""
        cache = self._fresh()
        found = self._asked(lambda: (key_table.BY_KIND, self._token("kind", kind)), cache.known)
        records = [cache.put(each) for each in found]
        return sorted(((its.ref, its.name or "") for its in records), key=lambda pair: pair[1])

    def twin(self, folder: Path) -> "FileKeystore":
        """The keystore of a copy, under a master key of its own; one that is there must be kin."""
        made = FileKeystore(folder)
        theirs = {ref for ref, *_ in made._file.ask(key_table.ALL)}
        if theirs and not theirs & {ref for ref, *_ in self._file.ask(key_table.ALL)}:
            made.close()
            raise KeystoreError("that place already has other keys")
        return made

    def take(self, other: "FileKeystore") -> None:
        """Add every record of a twin that is not here yet; what it destroyed is added empty."""
        records = other._asked(lambda: (key_table.EACH,))  # noqa: SLF001 - our own kind
        with self._file.writing(alone=True):
            self._renewed()
            self._generation.make()
            for its in records:
                if not self._file.ask(key_table.BY_REF, its.ref):
                    record = self._wrapped(its)
                    if its.name is not None and self._file.ask(key_table.BY_TOKEN, record[1]):
                        raise KeystoreError("both places have a key for the same name")
                    self._file.ask(key_table.ADD, *record)

    def exchange(self, progress: Stages = unwatched) -> int:
        """Wrap every key anew under another master key, and destroy the old one; how many.

        The keys stay as they are, and so does all that they seal. Whoever has the keystore open
        goes on: what they know is still true, and they find the new key when they look again.
        """
        try:
            with key_table.border(), self._file.writing(alone=True):
                self._master = self._settled()  # what a killed run has left undone comes first
                kept = list(self._file.ask(key_table.EACH))
                records = []
                for number, record in enumerate(kept, start=1):
                    records.append(self._open(*record))
                    progress("reading", number, len(kept))
                self._master = master_key.put_next(self._keys, self._entropy)
                self._file.ask(key_table.OPEN_GUARDS)
                self._file.ask(key_table.CLEAR)
                self._file.add(self._each_wrapped(records, progress))
                self._file.ask(key_table.GUARDS)
                self._file.ask(master_key.EXCHANGE, master_key.token(self._master))
        finally:  # the one that does not count goes: the old, or where that failed the new
            with key_table.border(), self.held():
                self._master = self._settled()
        return sum(its.key is not None for its in records)

    def held(self) -> AbstractContextManager[None]:
        """As long as it lasts nobody else makes, destroys or exchanges a key; all can look."""
        return nullcontext() if self._still else self._file.writing()

    def destroyed(self) -> list[str]:
        """Every reference whose key is gone, in the order in which they were given out."""
        return [str(ref) for (ref,) in self._file.ask(key_table.EMPTIED)]

    def damaged(self) -> list[str]:
        """Every reference whose record does not open, or is not found by its name and kind.

        Its key is lost, and what it sealed, or whoever lists the names is not told of it.
        """
        found = []
        self._renewed()
        for ref, *tokens, label, wrapped in self._file.ask(key_table.ALL):
            try:
                its = self._open(ref, label, wrapped)
            except KeystoreError:
                found.append(str(ref))
            else:
                if its.name is not None and tokens != self._tokens(its.kind, its.name):
                    found.append(str(ref))
        return found

    def check(self) -> None:
        """Every page and every record is as it was written; all of them are read."""
        self._file.check()
        if lost := self.damaged():
            told = f"{len(lost)} records of the keystore are damaged, {lost[0][:8]} first"
            raise KeystoreError(f"{told}: what they seal is lost, or not listed")

    def strays(self, logs: Iterable[str] = ()) -> list[str]:
        """Logs that lie beside the keys, or are named, and whose own key is not among them."""
        beside = (path.stem for path in self._streams.glob("*.db"))
        refs = {*logs, *(ref for ref in beside if store_checks.REF.fullmatch(ref))}
        return [ref for ref in sorted(refs) if not self._file.ask(key_table.BY_REF, ref)]

    def insist_on_whole(self) -> None:
        """A log that is new to older keys may be here already, under a key that they lack."""
        if strays := self.strays():
            raise sealing.keyless(strays[0])
        self._is_whole = True

    def generation(self) -> bytes:
        return self._generation.now()

    def destroy(self, ref: str) -> None:
        """Empty the record for good; every cache, here and in other processes, notices."""
        with key_table.border(), self._generation.moving():
            with self._file.writing():
                self._file.ask(key_table.EMPTY, ref)
            # A record that was empty already was not written: who emptied it may have been killed
            # before the end of its journal was durable, and a journal that came back would bring
            # back the key.
            durable_files.sync_folder(self._keys)

    def close(self) -> None:
        self._file.close()

    def _fresh(self) -> "_Cache":
        """The cache, or a new one if anything was destroyed since it began: one memory read."""
        now = self._generation.now()
        cache = self._cache
        if now != cache.stamp:
            cache = self._cache = _Cache(stamp(now))
        return cache

    def _look(self, ref: str) -> "_OpenedKey | None":
        if self._passing and ref in self._passing:
            return self._passing[ref]
        cache = self._fresh()  # before the file is read: what is destroyed meanwhile is noticed
        found = self._asked(lambda: (key_table.BY_REF, ref))
        return cache.put(found[0]) if found else None

    def _make(self, kind: str, name: str) -> str:
        if self._passing is not None:
            from muniment.log.signing import LASTING

            if kind.partition("/")[0] in LASTING:
                raise ReadOnlyError
            ref, key = next(minted(self._mint, kind, name))
            self._passing[ref] = _OpenedKey(ref=ref, kind=kind, name=name, key=key)
            return ref
        if kind == "stream" and not self._is_whole:
            self.insist_on_whole()
        with self._file.writing(alone=True):
            self._renewed()
            token = self._token("name", kind, name)
            found = self._file.ask(key_table.BY_TOKEN, token)
            if found:  # another thread or process was faster
                return str(found[0][0])
            self._generation.make()
            pairs = minted(self._mint, kind, name)
            ref, key = next(its for its in pairs if not self._file.ask(key_table.BY_REF, its[0]))
            made = _OpenedKey(ref=ref, kind=kind, name=name, key=key)
            self._file.ask(key_table.ADD, *self._wrapped(made))
            count = self._generation.made()
        self._durable = count  # the commit has synced the folder, and with it all names before
        return ref

    def _asked(
        self, question: "Callable[[], Question]", opened: "Mapping[str, _OpenedKey] | None" = None
    ) -> "list[_OpenedKey]":
        """The records that answer a question, under the master key that wraps them now.

        It may have been exchanged since we read it. Then nothing is found, or nothing opens.
        """
        made = self._generation.made()  # before the file is read: what is made meanwhile is noticed
        try:
            held = opened or {}
            found = [held.get(ref) or self._open(ref, *rest) for ref, *rest in self._ask(question)]
        except KeystoreError:
            if not self._renewed():
                raise
            return self._asked(question)
        if not found and self._renewed():
            return self._asked(question)
        if found and not self._still and self._generation.made() != self._durable:
            # Whoever made a name may have been killed before the end of its journal was durable.
            with key_table.border():
                durable_files.sync_folder(self._keys)
            self._durable = made
        return found

    def _ask(self, question: "Callable[[], Question]") -> "list[key_table.Record]":
        sql, *values = question()
        return self._file.ask(sql, *values)

    def _renewed(self) -> bool:
        """Whether the master key was exchanged since we read it; ours is the new one then."""
        if master_key.fits(self._file, self._master):
            return False
        self._master = master_key.found(self._file, self._keys)
        return True

    def _settled(self) -> bytes:
        if self._still:
            return master_key.found(self._file, self._keys)
        return master_key.settled(self._file, self._keys, self._entropy)

    def _each_wrapped(self, records: list["_OpenedKey"], progress: Stages) -> Iterator[Wrapped]:
        for number, its in enumerate(records, start=1):
            yield self._wrapped(its)
            progress("wrapping", number, len(records))

    def _wrapped(self, its: "_OpenedKey") -> Wrapped:
        """A record as it lies in the file, under the present master key."""
        if its.name is None or its.key is None:
            return its.ref, None, None, None, None
        label = msgspec.json.encode((its.kind, its.name))
        token, kind = self._tokens(its.kind, its.name)
        return (
            its.ref,
            token,
            kind,
            sealing.seal_blob(self._master, f"name:{its.ref}", label),
            sealing.seal_blob(self._master, f"key:{its.ref}", its.key),
        )

    def _tokens(self, kind: str, name: str) -> list[bytes]:
        """What a record is found by: its own name, and with all the others of its kind."""
        return [self._token("name", kind, name), self._token("kind", kind)]

    def _token(self, *words: str) -> bytes:
        return sealing.token(self._master, msgspec.json.encode(words).decode())

    def _open(self, ref: str, label: bytes | None, wrapped: bytes | None) -> "_OpenedKey":
        if label is None and wrapped is None:
            return _OpenedKey(ref=ref)
        if not isinstance(label, bytes) or not isinstance(wrapped, bytes):
            raise KeystoreError("a record of the keystore is damaged")
        try:
            name = sealing.open_blob(self._master, f"name:{ref}", label)
            key = sealing.open_blob(self._master, f"key:{ref}", wrapped)
        except IntegrityError as error:
            raise KeystoreError("a record of the keystore cannot be decrypted") from error
        kind, text = msgspec.json.decode(name, type=tuple[str, str])
        return _OpenedKey(ref=ref, kind=kind, name=text, key=key)


class _OpenedKey(msgspec.Struct, frozen=True, kw_only=True):
    """A record, opened; a destroyed one has only its reference."""

    ref: str
    kind: str = ""
    name: str | None = None
    key: bytes | None = None


class _Cache:
    """Opened records, good for as long as nothing is destroyed anywhere."""

    def __init__(self, stamp: bytes) -> None:
        self.stamp = stamp
        self.known: dict[str, _OpenedKey] = {}
        self.refs: dict[tuple[str, str], str] = {}
        self.lacking: dict[tuple[str, str], bytes] = {}  # good until the next name is made

    def lack(self, place: tuple[str, str], made: bytes) -> None:
        if len(self.lacking) >= LACKING_MAX:
            self.lacking.clear()
        self.lacking[place] = made

    def put(self, known: _OpenedKey) -> _OpenedKey:
        if len(self.known) >= CACHED_MAX:
            self.known.clear()
            self.refs.clear()
        self.known[known.ref] = known
        if known.name is not None:
            self.refs[known.kind, known.name] = known.ref
        return known


def _check_whole(folder: Path, keystore: Path, master: Path) -> None:
    """A half that is missing is not made anew: that would only hide what is lost."""
    if is_there(keystore) and keystore.stat().st_size > EMPTY_BYTES_MAX:
        return
    if is_there(master) and not is_there(keystore):
        raise KeystoreError("the master key exists, but its keystore is missing")
    if any((folder / STREAMS).glob("*.db")):
        raise KeystoreError(f"there are logs here, but their keys are missing: {master_key.BACK}")
