"""A whole memory moves to another store: the same bytes, the same keys, and both sides compared.

Only the log is copied; everything else is folded from it on the other side. What was copied once
is not copied again, so a copy that was interrupted is simply asked for again.
"""

import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.config import SERVERS, Settings, open_memory
from muniment.adapters.keystore import KEYS
from muniment.adapters.looking import is_there
from muniment.engine import prove
from muniment.engine.house import House
from muniment.engine.memory import Memory
from muniment.log.entry import Head, genesis
from muniment.log.store import Batch, Store
from muniment.model.errors import InputError, IntegrityError, KeystoreError
from muniment.model.scope import StreamId

PIECE: Final = 500  # entries of one durable append: what an interruption can cost

Progress = Callable[[str, int, int], None]  # which stream, how much of it, of how much


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """One stream that is now in both places; head and projections were found equal."""

    stream: str
    entries: int
    head: str
    projections: str


def copy_store(
    source: tuple[str, Settings],
    target: tuple[str, Settings],
    *,
    progress: Progress = lambda *_: None,
) -> list[Copied]:
    """Copy every stream of the tenant; the source must not be written to meanwhile."""
    _copy_keys(_keys(*source), _keys(*target))
    with open_memory(*source) as here, open_memory(*target) as there:
        return [_copy(_house(here), _house(there), stream, progress) for stream in here.streams()]


def _copy(here: House, there: House, stream: StreamId, progress: Progress) -> Copied:
    ref = here.stream(stream).ref
    if there.stream(stream).ref != ref:
        raise KeystoreError("the keys on the other side are not the keys of this memory")
    wanted = here.parts.store.head(ref)
    assert wanted is not None, "a stream that is listed has a head"
    head = _resume(here.parts.store, there.parts.store, ref)
    progress(stream.text, head.seq, wanted.seq)
    entries = here.parts.store.read(ref, after=head.seq)
    while piece := tuple(islice(entries, PIECE)):
        there.parts.store.append(ref, Batch(entries=piece), expect=head)
        head = Head(seq=piece[-1].seq, hash=piece[-1].hash)
        progress(stream.text, head.seq, wanted.seq)
    if there.parts.store.head(ref) != here.parts.store.head(ref):
        raise IntegrityError(f"{stream.text}: the copy does not end where the log does")
    told = prove.rebuild(there, stream)
    writer = here.writer(stream)
    if told != prove.projections_digest(here.parts.store, writer.stream, writer.desk):
        raise IntegrityError(f"{stream.text}: what follows from the copy is something else")
    return Copied(stream=stream.text, entries=head.seq, head=head.hash.hex(), projections=told)


def _resume(here: Store, there: Store, ref: str) -> Head:
    """Where the copy ends by now; it must be a beginning of this very log."""
    copied = there.head(ref)
    if copied is None:
        return genesis(ref)
    same = list(here.read(ref, after=copied.seq - 1, upto=copied.seq))
    if not same or same[0].hash != copied.hash:
        raise IntegrityError("the other store holds another history under this name")
    return copied


def _keys(address: str, settings: Settings) -> Path:
    """The folder in which the keys of a memory lie."""
    scheme = address.split("://", maxsplit=1)[0] if "://" in address else ""
    if scheme in SERVERS:
        if not settings.keys:
            raise InputError("a memory on a server needs a local folder for its keys")
        return Path(settings.keys) / KEYS
    return Path(address) / KEYS


def _copy_keys(here: Path, there: Path) -> None:
    if here.resolve() == there.resolve():
        return
    if not is_there(there):
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(here, there)
    elif (here / "master.key").read_bytes() != (there / "master.key").read_bytes():
        raise KeystoreError("there are other keys in that place already")


def _house(memory: Memory) -> House:
    return memory._house  # noqa: SLF001 - a copy works below the views
