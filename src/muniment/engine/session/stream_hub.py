"""Stream hub: one store with its keys, its writers, and deliveries between streams."""

from collections import deque
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cached_property
from typing import Final

import msgspec

from muniment.engine import lazy_views as views
from muniment.engine.projections.eager_index import EagerIndexing
from muniment.engine.projections.index import DOCUMENTS, RECALL, Contents, Index
from muniment.engine.projections.index_cache import Indexes
from muniment.engine.projections.loop_cache import LoopCache
from muniment.engine.projections.loop_mirror import Derivation
from muniment.engine.projections.memory_plugins import Folds, PluginType
from muniment.engine.projections.memory_type_registry import Registry
from muniment.engine.projections.recorded_vectors import Recording
from muniment.engine.session.fact_access import FactAccess
from muniment.engine.session.hold_access import HoldAccess
from muniment.engine.session.pending_receipts import PendingReceipts
from muniment.engine.streams import command_pipeline
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.desk_cache import Pasts, writer_cache
from muniment.engine.streams.parts import Parts
from muniment.engine.streams.ports import (
    Embedder,
)
from muniment.engine.streams.reserved_disk_space import Room
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.layers.shelves import Shelves, Stream
from muniment.log.entry import Line
from muniment.log.store import Store
from muniment.model import fact_keys, ids
from muniment.model.commands import AnyCommand, PutFact, RaiseRequest, RecordIncident
from muniment.model.errors import (
    KeystoreError,
    MunimentError,
    ReadOnlyError,
    RefusedError,
    StorageFullError,
)
from muniment.model.events import Received, RequestForwarded, RequestRaised, Shredded, WriteDenied
from muniment.model.events.conversation import Forwarded
from muniment.model.policy import Policy
from muniment.model.scope import (
    BRANCH,
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    StreamKind,
    council_stream,
    ops_stream,
    stream_from_text,
)
from muniment.model.struct_copy import copied
from muniment.retrieval.dates import validity

SENDERS: Final = frozenset({StreamKind.AGENT, StreamKind.SPACE, StreamKind.COUNCIL})
UNHEARD_MAX: Final = 256  # incidents kept for operations while the store cannot take them


class StreamHub:
    """Streams by name, writers by stream; effects across streams, exactly once."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._writers, self._pasts = writer_cache(), Pasts(parts.world.keyring)
        self.pending_receipts = PendingReceipts()
        self.tools = parts.tools
        self.derivation = Derivation(self)
        self.recording = Recording(self, parts.store, parts.world.keyring)
        self.registry = Registry()  # whoever opens the store fills it
        self.folds, self.loops = Folds(), LoopCache()
        self.facts = FactAccess(self._known_writer, parts.world.keyring.generation)
        self.indexes = Indexes(self.parts.store, self.parts.world.keyring, self.recording)
        self.eager = EagerIndexing(self)
        self.holds = HoldAccess(self._known_writer)
        self._owing: set[str] = set()  # streams whose requests the council has not got yet
        self.room = Room(parts.ballast)
        self.branches: dict[str, StreamHub] = {}  # that are at hand, by the entry that opened each
        self._unheard: deque[tuple[str, RecordIncident]] = deque(maxlen=UNHEARD_MAX)

    @cached_property
    def relations(self) -> "views.ToldRelations":
        """What was read of who is related to whom; few questions are about that."""
        return views.ToldRelations()

    @property
    def guests(self) -> dict[str, PluginType]:
        """The memory types that are folds of somebody else's, by name."""
        return {each.name: each.layer for each in self.registry.list() if each.layer is not None}

    @property
    def ground(self) -> Store:
        """The store that holds what is written, also where it is read through another."""
        return self.parts.store

    @property
    def root(self) -> "StreamHub":
        """The hub that all branches come from: who is erased there is erased in all of them."""
        return self

    def marks(self, stream: Stream) -> dict[int, bytes]:
        """The roots that were signed of a log, by its size."""
        return views.Signer(self.parts.world.keyring, stream.id.tenant).marks(stream.ref)

    def stream(self, stream_id: StreamId) -> Stream:
        ref = self.parts.world.keyring.ref("stream", stream_id.text)
        key = self.parts.world.keyring.key(ref)
        assert key is not None, "the key of a stream is never destroyed"
        return Stream(id=stream_id, ref=ref, key=key)

    def known_streams(self) -> list[StreamId]:
        """Every stream that holds at least one entry, in the order of their names.

        One whose name can be read, and is not listed, is not taken for one that is not there.
        """
        keyring, stored = self.parts.world.keyring, set(self.parts.store.streams())
        by_name = sorted(keyring.known("stream"), key=lambda known: known[1])
        listed = [ref for ref, _ in by_name if ref in stored]
        missed = self.unlisted() if len(listed) < len(stored) else ()
        if lost := next((ref for ref in missed if keyring.name(ref) is not None), ""):
            raise KeystoreError(f"the keystore is damaged (it does not list the log {lost[:8]})")
        return [stream_from_text(name) for ref, name in by_name if ref in stored]

    def unlisted(self) -> set[str]:
        """Logs without a name of their own; what a branch has written lies beside them."""
        keyring, stored = self.parts.world.keyring, set(self.parts.store.streams())
        return stored - {ref for kind in ("stream", BRANCH) for ref, _ in keyring.known(kind)}

    def exists(self, stream_id: StreamId) -> bool:
        ref = self.parts.world.keyring.find("stream", stream_id.text)
        return ref is not None and self.parts.store.head(ref) is not None

    def writer(self, stream_id: StreamId) -> Writer:
        found = self._writers.get(stream_id.text)
        if found is None:
            found = Writer(
                stream=self.stream(stream_id),
                store=self.parts.store,
                world=self.parts.world,
                clock=self.parts.clock,
                spool=self.parts.spool,
                policy=self.parts.policy,
                alert=self._alert,
                open_tables=self.parts.open_tables,
            )
            self._writers.put(stream_id.text, found)
            self._redeliver(found)
        return found

    def embedder(self, stream_id: StreamId) -> Embedder:
        """The one that a stream's policy names, or else the store's own."""
        return self.tools.chosen(self.writer(stream_id).desk.policy.recall.embedder)

    def index(self, stream_id: StreamId, subject: str, embedder: str) -> Index:
        """What whoever speaks for a subject may recall from a stream; no two readers share one."""
        stream = self.writer(stream_id).stream
        reader = command_pipeline.subject_ref(stream, subject, self.parts.world.keyring)
        return self.index_of(stream_id, reader, self.tools.chosen(embedder))

    def documents(self, stream_id: StreamId, subject: str, policy: Policy) -> Index:
        """The same of what lies in namespaces. What a server said of it nobody would keep."""
        stream = self.writer(stream_id).stream
        reader = command_pipeline.subject_ref(stream, subject, self.parts.world.keyring)
        embedder = self.tools.repeatable(policy.recall.embedder)
        return self.index_of(stream_id, reader, embedder, DOCUMENTS)

    def index_of(
        self, stream_id: StreamId, reader: str, embedder: Embedder, contents: Contents = RECALL
    ) -> Index:
        """The same by reference: a person's, or the stream's own for whoever sees everything."""
        return self.indexes.of(self.writer(stream_id).stream, reader, embedder, contents)

    def append(self, stream_id: StreamId, asks: list[Ask]) -> list[AppendResult]:
        """Append, then carry out what the batch asks of other streams."""
        if stream_id.text in self._owing:
            # Off the list first: what is delivered may come back to this very stream.
            self._owing.discard(stream_id.text)
            self._redeliver(self.writer(stream_id))
        told = self.writer(stream_id).tell_all(self.holds.attached(stream_id.tenant, asks))
        if self._unheard and stream_id.kind is not StreamKind.OPS:
            self._speak()
        if stream_id.kind is not StreamKind.OPS:
            self.room.take_back()
        try:
            for each in told:
                for line in each.lines:
                    self._deliver(stream_id, line)
        except MunimentError:
            self._owing.add(stream_id.text)
            raise
        self.derivation.follow(stream_id, told)
        self.recording.follow(stream_id, told)
        self.eager.follow(stream_id, told)
        return told

    def prepare(self, command: AnyCommand, principal: Principal, **extra: object) -> Ask:
        asked = Ask(command=command, principal=principal, at=self.parts.clock.now())
        return msgspec.structs.replace(asked, **extra)

    def flush_receipts(self) -> None:
        """Log the receipts of reads that no write has taken along, here and in every branch."""
        self.pending_receipts.flush()
        for branch in self.branches.values():
            branch.flush_receipts()

    def forget_state(self) -> None:
        """Let every desk be folded again: what they hold may be stale."""
        for branch in self.branches.values():
            branch.forget_state()
        for held in (self.facts, self.indexes, self.folds, self.loops, self._pasts):
            held.clear()
        for writer in self._writers.values():
            writer.forget_state()

    def council_seq(self, tenant: str) -> tuple[str, int]:
        """The council's stream and where it stands; (ref, 0) while there is none."""
        writer = self._known_writer(council_stream(tenant))
        seq = writer.head.seq if writer else 0
        return (writer.stream.ref, seq) if writer and seq else ("", 0)

    def _known_writer(self, stream_id: StreamId) -> Writer | None:
        """The writer of a stream that exists; looking for one makes none."""
        found = self._writers.get(stream_id.text)
        return self.writer(stream_id) if found is None and self.exists(stream_id) else found

    def without_dockets(self, tenant: str, heads: Mapping[str, int]) -> dict[str, int]:
        """Heads without the council's."""
        find = self.parts.world.keyring.find
        dockets = {find("stream", council_stream(tenant, each).text) for each in Persona}
        return {ref: seq for ref, seq in heads.items() if ref not in dockets}

    def glance(self, tenant: str) -> tuple[str, int]:
        """Where the council stands, if this process has met it; a look that costs one question."""
        writer = self._writers.get(council_stream(tenant).text)
        head = self.parts.store.head(writer.stream.ref) if writer else None
        return (writer.stream.ref, head.seq) if writer and head else ("", 0)

    def shelves(self, stream_id: StreamId, at: int | None = None) -> Shelves:
        return self.writer(stream_id).shelves(at)

    # ── The past ────────────────────────────────────────────────────────────────────────────────

    def desk_at(self, stream_id: StreamId, at: int | None, valid_at: str = "") -> Desk:
        """The desk: now, or folded from the beginning of the log as it stood at a seq or a day."""
        writer = self.writer(stream_id)
        if not valid_at:
            return writer.desk if at is None else self._pasts.at(writer, writer.place(at))
        lines = writer.lines(upto=writer.place(at))
        known = list(validity.by_then(lines, ids.day_number(valid_at)))
        return desks.thorough(Desk(), known) if known else Desk()

    def seen_at(self, stream_id: StreamId, other: StreamId, at: int) -> int:
        """How far a stream had read another one when its entry `at` was written."""
        ref = self.parts.world.keyring.find("stream", other.text)
        if ref is None:
            return 0
        for line in self.writer(stream_id).lines(after=at - 1, upto=at):
            for first in self.writer(stream_id).lines(
                after=line.header.cause - 1, upto=line.header.cause
            ):
                return reads(first).get(ref, 0)
        return 0

    def request_of(self, source: StreamId, line: Line) -> str:
        """The request that a forwarded entry became in the council's stream."""
        writer = self.writer(council_stream(source.tenant, source.persona))
        seq = self.parts.store.find(writer.stream.ref, f"effect:{line.hash.hex()}")
        for each in writer.lines(after=seq) if seq else ():
            if each.header.cause != seq:
                break
            if isinstance(each.event, RequestRaised):
                return each.event.request_id
            if isinstance(each.event, WriteDenied):
                raise RefusedError(each.event.reason, each.event.detail or _known(writer, each))
        return ""

    # ── Effects and alerts ──────────────────────────────────────────────────────────────────────

    def _deliver(self, source: StreamId, line: Line) -> None:
        """A request goes to the council once: its key is the hash of the entry that asked."""
        asked = line.event
        if isinstance(asked, Forwarded):
            self._pass_on(source, line, asked)
        if not isinstance(asked, RequestForwarded):
            return
        command: AnyCommand
        if asked.direct:
            command = PutFact(key=asked.key, value=asked.value, subject=asked.subject)
            role = Role.USER
        else:
            command = copied(RaiseRequest, asked)
            role = Role.ENGINE
        principal = Principal(
            name="engine", role=role, tenant=source.tenant, channel=Channel.ENGINE
        )
        key = f"effect:{line.hash.hex()}"
        ask = self.prepare(command, principal, operation=key, consent=asked.consent_id)
        self.append(council_stream(source.tenant, source.persona), [ask])

    def _pass_on(self, source: StreamId, line: Line, told: Forwarded) -> None:
        """A shared space, or the stream it answers to, is told once, by the same kind of key."""
        target = self.parts.world.keyring.name(told.to)
        if target is None:
            return
        engine = Principal(
            name="engine", role=Role.ENGINE, tenant=source.tenant, channel=Channel.ENGINE
        )
        key = f"effect:{line.hash.hex()}"
        reads = {self.stream(source).ref: line.seq}
        ask = self.prepare(told.command, engine, operation=key, reads=reads)
        self.append(stream_from_text(target), [ask])

    def effect(self, line: Line) -> tuple[StreamId, list[Line]] | None:
        """What a forwarded entry became in the stream it was sent to."""
        told = line.event
        target = self.parts.world.keyring.name(told.to) if isinstance(told, Forwarded) else None
        if not isinstance(told, Forwarded) or target is None:
            return None
        seq = self.parts.store.find(told.to, f"effect:{line.hash.hex()}")
        stream_id = stream_from_text(target)
        if seq is None:
            return None
        return stream_id, self.writer(stream_id).batch(seq)

    def _redeliver(self, writer: Writer) -> None:
        """A crash may have come between the two appends; delivering again is harmless."""
        if writer.stream.id.kind not in SENDERS:
            return
        owed = sorted({*writer.desk.requests.outbox, *writer.desk.ledgers.outbox})
        try:
            for seq in owed:
                for line in writer.lines(after=seq - 1, upto=seq):
                    self._deliver(writer.stream.id, line)
        except ReadOnlyError:
            return  # it is owed until somebody opens the memory where it can be written
        except MunimentError:  # the council's trouble is not this stream's, nor its readers'
            self._owing.add(writer.stream.id.text)

    def _alert(self, kind: str, stream: Stream, operation: str, attempt: int, detail: str) -> None:
        """Tell operations. What the environment did must never change what the agent's log says."""
        if stream.id.kind is StreamKind.OPS:
            return
        command = RecordIncident(
            kind=kind, stream=stream.ref, operation=operation, attempt=attempt, detail=detail
        )
        self._unheard.append((stream.id.tenant, command))
        with self.room.given() if kind == StorageFullError.code else nullcontext():
            self._speak()

    def _speak(self) -> None:
        """The same store may be what failed: what operations could not be told is told later."""
        while True:
            try:
                tenant, command = waiting = self._unheard.popleft()  # no other thread tells it too
            except IndexError:
                return
            engine = Principal(
                name="engine", role=Role.ENGINE, tenant=tenant, channel=Channel.ENGINE
            )
            try:
                self.append(ops_stream(tenant), [self.prepare(command, engine)])
            except MunimentError:
                self._unheard.appendleft(waiting)
                return


def _known(writer: Writer, line: Line) -> str:
    """What would have been right, where a refusal is about a word of the policy's."""
    if not isinstance(line.event, WriteDenied) or line.event.reason != "key_scope_unknown":
        return ""
    return fact_keys.known_scopes(writer.desk.policy.sem.scopes)


def reads(line: Line) -> dict[str, int]:
    match line.event:
        case Received(reads=reads):
            return reads
        case Shredded(public={"reads": dict(reads)}):
            return {str(ref): int(str(seq)) for ref, seq in reads.items()}
        case _:
            return {}
