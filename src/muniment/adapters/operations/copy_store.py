"""Store copy: the same bytes and keys in another store, and both sides compared.

Only the log is copied; everything else is folded from it on the other side. What was copied once
is not copied again, so a copy that was interrupted, or that the log has outgrown, is simply asked
for again: it gets the keys that were made since, and loses those that were destroyed.
"""

from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.config import IN_MEMORY, SERVERS, Settings, open_memory
from muniment.adapters.keys.keystore import KEYS, FileKeystore
from muniment.adapters.storage.folder import incomplete_marker, plain_tables_setting
from muniment.adapters.system.path_exists import is_there
from muniment.engine.api.memory import Memory
from muniment.engine.audit import replay
from muniment.engine.session.branch_hub import open_branches
from muniment.engine.session.stream_hub import StreamHub
from muniment.log import chain
from muniment.log.entry import Head, genesis
from muniment.log.store import Batch, Store
from muniment.model.errors import (
    InputError,
    IntegrityError,
    KeystoreError,
    NotFoundError,
    StorageFullError,
)
from muniment.model.scope import BRANCH, StreamId, stream_from_text

PIECE: Final = 500  # entries of one durable append: what an interruption can cost

Progress = Callable[[str, int, int], None]  # which stream, how much of it, of how much


class CopiedStream(msgspec.Struct, frozen=True, kw_only=True):
    """One stream that is now in both places; head and projections were found equal."""

    stream: str
    entries: int
    head: str
    projections: str


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that is now in both places, and whether the copy keeps plain rows for SQL."""

    streams: list[CopiedStream]
    open_tables: bool


def copy_store(
    source: tuple[str, Settings],
    target: tuple[str, Settings],
    *,
    progress: Progress = lambda *_: None,
) -> Copy:
    """Copy every stream of the tenant; the source must not be written to meanwhile.

    Until both are equal the copy opens for nobody else: it would answer with what it has so far.
    """
    origin, place = _folder(*source), _folder(*target)
    _begin(origin, place)
    shared = origin.resolve() == place.resolve()  # one folder of keys: its memory goes on
    with open_memory(*source) as one, open_memory(*target, filling=True) as other:
        here, there = _hub(one), _hub(other)
        _check_beginnings(here, there, one.streams())
        if not shared:
            incomplete_marker.lay(place, "copy-store")
        try:
            _carry_keys(here, there)
            done = [_copy(here, there, stream, progress) for stream in one.streams()]
            _copy_branches(here, there, one.tenant)
        except StorageFullError as error:  # of the source nothing is written
            raise incomplete_marker.no_room(place, error) from error
    if not shared:
        incomplete_marker.lift(place)
    return Copy(streams=done, open_tables=there.parts.open_tables)


def _copy(here: StreamHub, there: StreamHub, stream: StreamId, progress: Progress) -> CopiedStream:
    ref = here.stream(stream).ref
    if there.stream(stream).ref != ref:
        raise KeystoreError("the keys on the other side are not the keys of this memory")
    wanted = here.parts.store.head(ref)
    assert wanted is not None, "a stream that is listed has a head"
    head = _poured(here, there, ref, lambda seq: progress(stream.text, seq, wanted.seq))
    if there.parts.store.head(ref) != here.parts.store.head(ref):
        raise IntegrityError(f"{stream.text}: the copy and the log have different ends")
    told = replay.rebuild(there, stream)
    writer = here.writer(stream)
    if told != replay.projections_digest(here.parts.store, writer.stream, writer.desk):
        raise IntegrityError(f"{stream.text}: the projections of the copy differ")
    return CopiedStream(
        stream=stream.text, entries=head.seq, head=head.hash.hex(), projections=told
    )


def _poured(here: StreamHub, there: StreamHub, ref: str, step: Callable[[int], None]) -> Head:
    """The entries of a log that are not there yet, piece by piece; where it then ends."""
    head = _resume(here.parts.store, there.parts.store, ref)
    step(head.seq)
    entries = here.parts.store.read(ref, after=head.seq)
    while piece := tuple(islice(entries, PIECE)):
        there.parts.store.append(ref, Batch(entries=piece), expect=head)
        head = Head(seq=piece[-1].seq, hash=piece[-1].hash)
        step(head.seq)
    return head


def _copy_branches(here: StreamHub, there: StreamHub, tenant: str) -> None:
    """What was written in branches, too: who looks for one in the copy finds what it held."""
    kept = set(here.parts.store.streams())
    for ref, name in here.parts.world.keyring.known(BRANCH):
        if ref in kept and stream_from_text(name).tenant == tenant:
            _poured(here, there, ref, lambda _: None)
    for branch in open_branches(there, tenant):
        for stream in branch.written():
            replay.rebuild(branch, stream)


def _check_beginnings(here: StreamHub, there: StreamHub, streams: list[StreamId]) -> None:
    """What is there must be a beginning of this memory: another one is left as it is."""
    for stream in streams:
        if there.exists(stream):
            _resume(here.parts.store, there.parts.store, there.stream(stream).ref)


def _resume(here: Store, there: Store, ref: str) -> Head:
    """Where the copy ends by now; it must be a beginning of this very log."""
    copied = there.head(ref)
    if copied is None:
        return genesis(ref)
    same = list(here.read(ref, after=copied.seq - 1, upto=copied.seq))
    if not same or same[0].hash != copied.hash:
        raise IntegrityError("the other store holds another history under this name")
    return copied


def _folder(address: str, settings: Settings) -> Path:
    """The folder in which the keys of a memory lie, and what was said of it."""
    if address == IN_MEMORY:
        raise InputError("a memory without an address can be neither source nor target")
    scheme = address.split("://", maxsplit=1)[0] if "://" in address else ""
    if scheme in SERVERS and not settings.keys:
        raise InputError(
            "a memory on a server needs a local folder for its keys (--keys, --target-keys)"
        )
    return Path(settings.keys) if scheme in SERVERS else Path(address)


def _begin(here: Path, there: Path) -> None:
    """A place for the copy's keys, under the same master key, and what was said of the memory."""
    if not is_there(here / KEYS):
        raise NotFoundError(f"there are no keys of a memory in {here.name}")
    with closing(FileKeystore(here)) as ours, closing(ours.twin(there)):
        plain_tables_setting.carry(here, there)


def _carry_keys(here: StreamHub, there: StreamHub) -> None:
    """The keys as they are by now: first what an erasure did here is done there."""
    ours, theirs = here.parts.world.keyring, there.parts.world.keyring
    assert isinstance(ours, FileKeystore)
    assert isinstance(theirs, FileKeystore)
    gone = [ref for ref in ours.destroyed() if theirs.key(ref) is not None]
    store = there.parts.store
    for stream in store.streams() if gone else ():
        for ref in gone:
            store.shred(stream, ref)
        if seqs := chain.sealed_under(store.read(stream), set(gone)):
            store.empty(stream, seqs)
    for ref in gone:
        theirs.destroy(ref)  # last, so that an interrupted run does it again
    theirs.take(ours)


def _hub(memory: Memory) -> StreamHub:
    return memory._hub  # noqa: SLF001 - a copy works below the views
