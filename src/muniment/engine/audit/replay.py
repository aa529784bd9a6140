"""Proof: the chain holds, deciding again says the same, and the projections follow from the log."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import msgspec

from muniment.engine.session.stream_hub import StreamHub, reads
from muniment.engine.streams import command_pipeline, desk_checkpoints, restated_commands
from muniment.engine.streams.command_pipeline import World
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import contexts, loop_rows, shelves, vectors
from muniment.layers import desk as desks
from muniment.layers import episodes as layers_episodes
from muniment.layers.desk import Desk
from muniment.layers.governance import branches, hold_rows
from muniment.layers.memos import extractions, memos, summaries, threads
from muniment.layers.shelves import Shelves, Stream
from muniment.log import chain
from muniment.log.entry import Entry, Head, Line, genesis
from muniment.log.merkle_tree import Growing
from muniment.log.reference_store import ScratchStore
from muniment.log.store import (
    Batch,
    Birth,
    Death,
    Derived,
    Find,
    OpenEpisode,
    PageChecks,
    ShelfRow,
    Store,
)
from muniment.model import canonical_json
from muniment.model.errors import (
    DerivedError,
    ErasureUnfinishedError,
    IntegrityError,
    ReplayDivergedError,
)
from muniment.model.events import Received, Shredded
from muniment.model.events.erasure import ContentExpired, DeletionOrdered
from muniment.model.scope import Persona, StreamId, council_stream

SHELVES = (
    "episodic",
    "sayings",
    "sem",
    "jobs",
    "promotions",
    "requests",
    "items",
    "rivals",
    "phases",
    "ledgers",
    hold_rows.SHELF,
    *loop_rows.SHELVES,
    *memos.SHELVES,
    *threads.SHELVES,
    *contexts.SHELVES,
    *vectors.SHELVES,
    *extractions.SHELVES,
    *summaries.SHELVES,
    *branches.SHELVES,
)

TOGETHER: Final = 64  # rows that are looked up in one question

Progress = Callable[[int], None]


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked about one stream."""

    stream: str
    entries: int
    batches: int
    shredded: int  # entries whose content was erased: they verify, and cannot be decided again
    undecided: int  # batches after an erasure that are decided differently without what is gone
    head: str
    projections: str  # the digest of desk and shelves, equal on every machine
    branch: str = ""  # where the log has gone on, if it is not the memory's own


def prove(
    hub: StreamHub,
    stream_id: StreamId,
    *,
    progress: Progress = lambda _: None,
    branch: str = "",
) -> Proof:
    """Verify every link, decide every batch again, and compare each byte with the log."""
    with _naming(stream_id), _told_of_erasures(hub, stream_id.tenant):
        return msgspec.structs.replace(_proved(hub, stream_id, progress), branch=branch)


def read_through(
    hub: StreamHub, stream_id: StreamId, *, progress: Progress = lambda _: None
) -> None:
    """Verify every link and open every sealed part: whether the log itself is whole."""
    with _naming(stream_id):
        stream = hub.stream(stream_id)
        for entry in verified(hub.parts.store, stream):
            chain.open_entry(entry, origin=stream.ref, keyring=hub.parts.world.keyring)
            progress(entry.seq)


@contextmanager
def _naming(stream_id: StreamId) -> Iterator[None]:
    """What does not hold says in which log."""
    try:
        yield
    except (IntegrityError, ReplayDivergedError) as error:
        raise type(error)(f"{error.detail}, in {stream_id.text}") from error


def _proved(hub: StreamHub, stream_id: StreamId, progress: Progress) -> Proof:
    stream, world, scratch = hub.stream(stream_id), hub.parts.world, ScratchStore()
    desk, head = Desk(), genesis(stream.ref)
    commands = shredded = undecided = 0
    gone: set[str] = set()
    births: list[Birth] = []
    for batch in batches(_as_signed(hub, stream)):
        lines = [chain.open_entry(e, origin=stream.ref, keyring=world.keyring) for e in batch]
        if any(isinstance(line.event, Shredded) for line in lines):
            shredded += sum(isinstance(line.event, Shredded) for line in lines)
            gone |= {ref for line in lines for part in line.header.parts for ref in part.keys}
        else:
            try:
                _again(stream, desk, scratch, world, batch=batch, head=head)
            except ReplayDivergedError:
                # It may have rested on what an erasure took away; before one, nothing may differ.
                if not shredded:
                    raise
                undecided += 1
        changes = tuple(change for line in lines for change in shelves.changes(stream, line))
        births += [each for each in changes if isinstance(each, Birth)]
        scratch.append(stream.ref, Batch(entries=tuple(batch), changes=changes), expect=head)
        desk, head = desks.fold(desk, lines), Head(seq=batch[-1].seq, hash=batch[-1].hash)
        commands += 1
        _reaches(hub, lines[0])
        progress(head.seq)
    _ordered(hub, stream, gone)
    _same_projections(hub, stream, desk, scratch, births)
    return Proof(
        stream=stream_id.text,
        entries=head.seq,
        batches=commands,
        shredded=shredded,
        undecided=undecided,
        head=head.hash.hex(),
        projections=projections_digest(scratch, stream, desk),
    )


def _as_signed(hub: StreamHub, stream: Stream) -> Iterator[Entry]:
    """The entries as `verified`. What was signed of a log must be a beginning of it."""
    # Before the log is read: what is signed meanwhile may be of entries that are not there yet.
    marks = hub.marks(stream)
    growing = Growing()
    for entry in verified(hub.parts.store, stream):
        if marks:
            growing.add(entry.hash)
            root = marks.get(growing.size)
            if root is not None and root != growing.root:
                raise IntegrityError(f"another log was signed when it had {entry.seq} entries")
        yield entry
    last = max(marks, default=0)
    if last > growing.size:
        raise IntegrityError(f"the log ends before entry {last}, up to which it was signed")


def _reaches(hub: StreamHub, first: Line) -> None:
    """What an entry says it has read must still be there: a log cut short betrays itself."""
    for ref, seq in reads(first).items():
        head = hub.parts.store.head(ref)
        if head is None or head.seq < seq:
            raise IntegrityError(
                f"entry {first.seq} has read {ref[:8]} up to {seq}, and that log ends before"
            )


def _ordered(hub: StreamHub, stream: Stream, refs: set[str]) -> None:
    """Content may be gone only where council and administrator agreed, or its days were over."""
    keyring, root = hub.parts.world.keyring, hub.root
    missing = {ref for ref in refs if keyring.key(ref) is None}
    if missing and root.exists(stream.id):
        missing -= expired_periods(root.writer(stream.id))
    for persona in Persona if missing else ():
        docket = council_stream(stream.id.tenant, persona)
        if root.exists(docket):
            lines = root.writer(docket).lines()
            missing -= {
                line.event.subject_ref for line in lines if isinstance(line.event, DeletionOrdered)
            }
    if missing:
        raise IntegrityError("content is gone that no order of erasure covers")


def expired_periods(writer: Writer) -> set[str]:
    """The periods of a log whose days are over, as the log itself says."""
    lines = writer.lines(wanted=lambda header: header.type == "content_expired")
    return {line.event.ref for line in lines if isinstance(line.event, ContentExpired)}


def begun_erasures(hub: StreamHub, tenant: str) -> list[str]:
    """The requests whose erasure was ordered and is not completed: at work just now, or cut off."""
    dockets = (council_stream(tenant, persona) for persona in Persona)
    desks = [hub.writer(docket).desk for docket in dockets if hub.exists(docket)]
    return [request_id for desk in desks for request_id in desk.requests.ordered]


@contextmanager
def _told_of_erasures(hub: StreamHub, tenant: str) -> Iterator[None]:
    """Between a key that is destroyed and the shelves that are folded without it, they differ."""
    try:
        yield
    except DerivedError as error:
        begun = begun_erasures(hub, tenant)
        if not begun:
            raise
        detail = f"an erasure was begun and is not completed: carry out {begun[0]} again"
        raise ErasureUnfinishedError(detail) from error


def rebuild(hub: StreamHub, stream_id: StreamId, *, progress: Progress = lambda _: None) -> str:
    """Drop desk, shelves and indexes and fold them from the log again; returns their digest."""
    with _naming(stream_id):
        return _rebuilt(hub, stream_id, progress)


def _rebuilt(hub: StreamHub, stream_id: StreamId, progress: Progress) -> str:
    writer = hub.writer(stream_id)
    stream, store = writer.stream, hub.parts.store
    with store.write_lock(stream.ref):
        changes: list[Birth | Death] = []
        episodes: dict[str, OpenEpisode] = {}
        known = partial(_line, hub, stream)
        desk = Desk()
        for batch in batches(verified(store, stream)):
            lines = [
                chain.open_entry(e, origin=stream.ref, keyring=hub.parts.world.keyring)
                for e in batch
            ]
            for line in lines:
                changes += shelves.changes(stream, line)
            if hub.parts.open_tables:
                episodes |= layers_episodes.open_episodes(lines, known)
            desk = desks.fold(desk, lines)
            progress(desk.seq)
        derived = Derived(
            changes=tuple(changes),
            checkpoint=desk_checkpoints.sealed(stream, desk),
            episodes=tuple(episodes.values()),
        )
        store.shelve(stream.ref, derived, upto=desk.seq)
        writer.forget_state()
        return projections_digest(store, stream, writer.desk)


def _line(hub: StreamHub, stream: Stream, seq: int) -> Line | None:
    keyring = hub.parts.world.keyring
    found = hub.parts.store.pick(stream.ref, [seq])
    return chain.open_entry(found[0], origin=stream.ref, keyring=keyring) if found else None


def projections_digest(store: Store, stream: Stream, desk: Desk) -> str:
    """One hash over the desk and every row of every shelf, alive or dead, as of the desk's entry.

    Whoever writes meanwhile ends rows that were alive then, and makes no difference here.
    """
    rows = [
        [row.shelf, row.born, row.n, _ended(row, desk.seq), row.entry.hash.hex()]
        for shelf in SHELVES
        for row in _all_rows(store, stream, shelf, desk.seq)
    ]
    return canonical_json.digest(
        "muniment/v1/projections", desks.encode(desk), canonical_json.encode(rows)
    ).hex()


def _ended(row: ShelfRow, upto: int) -> int | None:
    return row.died if row.died is not None and row.died <= upto else None


def _all_rows(store: Store, stream: Stream, shelf: str, upto: int) -> Iterator[ShelfRow]:
    return store.rows(stream.ref, Find(shelf=shelf, at=upto, every=True))


def verified(store: Store, stream: Stream) -> Iterator[Entry]:
    """The entries in order, each link recomputed before the entry is handed on."""
    head = genesis(stream.ref)
    for entry in store.read(stream.ref):
        for link in chain.verify([entry], after=head):
            head = link
        yield entry


def batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Entries that belong to one command: a batch begins where something was received."""
    batch: list[Entry] = []
    for entry in entries:
        if entry.operation and batch:
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


def _again(
    stream: Stream, desk: Desk, scratch: Store, world: World, *, batch: list[Entry], head: Head
) -> None:
    """Decide what was received once more; every byte that is hashed must come out the same."""
    first, *others = (
        chain.open_entry(each, origin=stream.ref, keyring=world.keyring) for each in batch[:2]
    )
    if not isinstance(first.event, Received):
        raise ReplayDivergedError(f"entry {first.seq} should say what was received")
    received = restated_commands.whole(first.event, others[0].event if others else None)
    job = first.header.job if first.header.job in desk.jobs.open else 0
    when = command_pipeline.stamp(received.command, desk, stream, job=job, at=received.at)
    subjects = command_pipeline.seen_by(stream, received.command.subject, world.keyring)
    reader = Shelves(scratch, stream, world.keyring, desk.seq, subjects=subjects)
    events = command_pipeline.events(received, stream, desk, reader, when)
    sealed = command_pipeline.seal(events, stream, desk, when, after=head, world=world)
    for place, entry in enumerate(batch):
        if place >= len(sealed) or not _is_same(sealed[place][1], entry):
            raise ReplayDivergedError(f"entry {entry.seq} is decided differently now")
    if len(sealed) != len(batch):
        raise ReplayDivergedError(f"the batch of entry {batch[0].seq} has more entries now")


def _is_same(again: Entry, stored: Entry) -> bool:
    """What a sealed part says is hashed with the header; how it is packed is the compressor's."""
    subjects = [part and part.subject for part in stored.parts]
    return (again.seq, again.hash, again.header, again.operation) == (
        stored.seq,
        stored.hash,
        stored.header,
        stored.operation,
    ) and [part and part.subject for part in again.parts] == subjects


def _same_projections(
    hub: StreamHub, stream: Stream, desk: Desk, scratch: ScratchStore, births: Sequence[Birth]
) -> None:
    live = hub.writer(stream.id).desk
    if live.seq != desk.seq:
        return  # someone has written since; what we proved is the prefix
    told = projections_digest(hub.parts.store, stream, live)
    if told != projections_digest(scratch, stream, desk):
        raise DerivedError("the shelves do not follow from the log: rebuild them")
    _found_by_tokens(hub.parts.store, stream, births)
    _whole_pages(hub.parts.store, stream)


def _whole_pages(store: Store, stream: Stream) -> None:
    """What nothing above has read: an index on a damaged page answers nobody."""
    problems = store.check(stream.ref) if isinstance(store, PageChecks) else ()
    if problems:
        raise DerivedError(f"a page of its file is damaged ({problems[0]}): rebuild it")


def _found_by_tokens(store: Store, stream: Stream, births: Sequence[Birth]) -> None:
    """Each row is found by what it is looked up by; one that is not would be taken for absent."""
    finds = [
        Find(shelf=each.shelf, at=each.seq, every=True, limit=1, **token)
        for each in births
        for token in ({"id_token": each.id_token}, {"key_token": each.key_token})
        if any(token.values())
    ]
    for start in range(0, len(finds), TOGETHER):
        asked = finds[start : start + TOGETHER]
        if store.births(stream.ref, asked) != [[each.at] for each in asked]:
            raise DerivedError("a row of a shelf is not found by its token: rebuild them")
