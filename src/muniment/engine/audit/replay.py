"""Proof by replay: verify the chain, decide again, compare entries and projections."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec

from muniment.engine.audit.lookup_check import found_by_tokens
from muniment.engine.audit.replayed_stream import WHOLE, DecidedSpan, ReplayedStream, batches
from muniment.engine.audit.stage_progress import LogProgress, Progress
from muniment.engine.session.stream_hub import StreamHub, reads
from muniment.engine.streams import desk_checkpoints
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import contexts, loop_rows, shelves, vectors
from muniment.layers import desk as desks
from muniment.layers import episodes as layers_episodes
from muniment.layers.desk import Desk
from muniment.layers.governance import branches, hold_rows
from muniment.layers.memos import extractions, memos, summaries, threads
from muniment.layers.shelves import Stream
from muniment.log import chain
from muniment.log.entry import Entry, Line, genesis
from muniment.log.merkle_tree import Growing
from muniment.log.store import (
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


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked about one stream."""

    stream: str
    entries: int
    batches: int
    shredded: int  # entries whose content was erased: they verify, and cannot be decided again
    undecided: int  # batches after an erasure that are decided differently without what is gone
    head: str
    projections: str  # the digest of desk and shelves, equal on every machine
    decided_after: int = 0  # up to here the chain was verified and folded, and not decided again
    branch: str = ""  # where the log has gone on, if it is not the memory's own


def prove(
    hub: StreamHub,
    stream_id: StreamId,
    *,
    progress: Progress = lambda _: None,
    branch: str = "",
    span: DecidedSpan = WHOLE,
) -> Proof:
    """Verify every link, decide every batch of the span again, compare each byte with the log."""
    with _naming(stream_id), _told_of_erasures(hub, stream_id.tenant):
        return msgspec.structs.replace(_proved(hub, stream_id, progress, span), branch=branch)


def joined(proofs: Sequence[Proof]) -> Proof:
    """The proof of one log that several have proved, each a span of it, in their order."""
    undecided = sum(each.undecided for each in proofs)
    since = proofs[0].decided_after
    return msgspec.structs.replace(proofs[-1], undecided=undecided, decided_after=since)


def signed_upto(hub: StreamHub, stream_id: StreamId) -> int:
    """The entries of a log that its last signature covers; its root is compared by every proof."""
    return max(hub.marks(hub.stream(stream_id)), default=0)


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


def _proved(hub: StreamHub, stream_id: StreamId, progress: Progress, span: DecidedSpan) -> Proof:
    stream = hub.stream(stream_id)
    replayed, told = ReplayedStream(stream, hub.parts.world, span), LogProgress(progress)
    for batch in batches(_as_signed(hub, stream)):
        if span.upto is not None and batch[0].seq > span.upto:
            return _proof(replayed, stream, span)  # the rest is another's
        _reaches(hub, replayed.take(batch)[0])
        told.read(replayed.head.seq)
    _ordered(hub, stream, replayed.gone)
    _same_projections(hub, stream, replayed, told)
    told.end()
    return _proof(replayed, stream, span)


def _proof(replayed: ReplayedStream, stream: Stream, span: DecidedSpan) -> Proof:
    return Proof(
        stream=stream.id.text,
        entries=replayed.head.seq,
        batches=replayed.batches,
        shredded=replayed.shredded,
        undecided=replayed.undecided,
        head=replayed.head.hash.hex(),
        projections=projections_digest(replayed.scratch, stream, replayed.desk),
        decided_after=span.after,
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
                raise IntegrityError(f"a different log was signed when it had {entry.seq} entries")
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
                f"entry {first.seq} has read {ref[:8]} up to {seq}, but that log ends before"
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
        raise IntegrityError("content is missing that no erasure order covers")


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
        detail = f"an erasure was begun and not completed: carry out {begun[0]} again"
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
        desk, told = Desk(), LogProgress(progress)
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
            told.read(desk.seq)
        derived = Derived(
            changes=tuple(changes),
            checkpoint=desk_checkpoints.sealed(stream, desk),
            episodes=tuple(episodes.values()),
        )
        store.shelve(stream.ref, derived, upto=desk.seq)
        writer.forget_state()
        told.begin(sum(isinstance(each, Birth) for each in changes))
        digest = projections_digest(store, stream, writer.desk, told.compared)
        told.end()
        return digest


def _line(hub: StreamHub, stream: Stream, seq: int) -> Line | None:
    keyring = hub.parts.world.keyring
    found = hub.parts.store.pick(stream.ref, [seq])
    return chain.open_entry(found[0], origin=stream.ref, keyring=keyring) if found else None


def projections_digest(
    store: Store, stream: Stream, desk: Desk, done: Callable[[int], None] = lambda _: None
) -> str:
    """One hash over the desk and every row of every shelf, alive or dead, as of the desk's entry.

    Whoever writes meanwhile ends rows that were alive then, and makes no difference here.
    """
    rows = []
    for shelf in SHELVES:
        for row in _all_rows(store, stream, shelf, desk.seq):
            rows.append([shelf, row.born, row.n, _ended(row, desk.seq), row.entry.hash.hex()])
            done(1)
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
        _labelled(entry)
        yield entry


def _labelled(entry: Entry) -> None:
    """Whose a part is, the chain says; what a store says beside it decides who finds the entry."""
    told = chain.header_of(entry).parts
    for part, commitment in zip(entry.parts, told, strict=False):
        if part is not None and part.subject != commitment.subject:
            raise IntegrityError(f"a part of entry {entry.seq} is stored under another person")


def _same_projections(
    hub: StreamHub, stream: Stream, replayed: ReplayedStream, told: LogProgress
) -> None:
    live = hub.writer(stream.id).desk
    if live.seq != replayed.desk.seq:
        return  # someone has written since; what we proved is the prefix
    tokens = sum(bool(each.id_token) + bool(each.key_token) for each in replayed.births)
    told.begin(len(replayed.births) * 2 + tokens)
    ours = projections_digest(replayed.scratch, stream, replayed.desk, told.compared)
    if ours != projections_digest(hub.parts.store, stream, live, told.compared):
        raise DerivedError("the shelves do not follow from the log: rebuild them")
    found_by_tokens(hub.parts.store, stream, replayed.births, told.compared)
    _found_as_nobodys(hub.parts.store, stream, replayed)
    _whole_pages(hub.parts.store, stream)


def _whole_pages(store: Store, stream: Stream) -> None:
    """What nothing above has read: an index on a damaged page answers nobody."""
    problems = store.check(stream.ref) if isinstance(store, PageChecks) else ()
    if problems:
        raise DerivedError(f"a page of its file is damaged ({problems[0]}): rebuild it")


def _found_as_nobodys(store: Store, stream: Stream, replayed: ReplayedStream) -> None:
    """What is about nobody is found by everybody; what is not found would end nothing for them."""
    for start in range(0, replayed.head.seq, chain.SPAN):
        span = {"after": start, "upto": min(start + chain.SPAN, replayed.head.seq)}
        mine = replayed.scratch.about(stream.ref, frozenset(), **span)
        if store.about(stream.ref, frozenset(), **span) != mine:
            raise DerivedError("an entry that is about nobody is not found as one: rebuild it")
