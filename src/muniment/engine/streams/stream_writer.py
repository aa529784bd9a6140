"""Stream writer: keeps the desk of one stream at its head; the only way to append.

`tell` is screen, decide, append, fold. The store's `write_lock` lets writers queue; the expected
head makes the append correct even where no lock was held. One retry, with the same key, after a
delay that the job's seed decides; a second failure is spooled and fences the stream.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from muniment.engine.decide import wire_name
from muniment.engine.decide.decision_context import Stamp, entry_id
from muniment.engine.streams import command_pipeline, desk_checkpoints
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.idempotency import words
from muniment.engine.streams.parts import World
from muniment.engine.streams.ports import Clock, Failure, Spool
from muniment.engine.streams.read_snapshot import DeskAtHead, placed
from muniment.layers import desk as desks
from muniment.layers import episodes, shelves
from muniment.layers.desk import Desk
from muniment.layers.memos.recent_texts import AtHand
from muniment.layers.shelves import Shelves, Stream
from muniment.log import chain
from muniment.log.entry import Entry, Head, Header, Line, genesis, weight
from muniment.log.pending_view import Ahead
from muniment.log.store import Batch, OpenEpisode, Store
from muniment.model import ids
from muniment.model.commands import AdoptPolicy, RecordOutcome
from muniment.model.errors import (
    HeadMovedError,
    JobClosedError,
    KeyReusedError,
    MemoryWriteFailError,
    StorageFullError,
    StoreError,
)
from muniment.model.events import Received
from muniment.model.policy import Policy
from muniment.model.scope import Channel, Principal, Role

ATTEMPTS_MAX = 2  # one retry: a second failure is news, not noise
RACES_MAX = 64  # lost races for the head before we call the store unavailable

Alert = Callable[[str, Stream, str, int, str], None]
Wanted = Callable[[Header], bool]


class Writer:
    def __init__(
        self,
        *,
        stream: Stream,
        store: Store,
        world: World,
        clock: Clock,
        spool: Spool,
        policy: Policy,
        alert: Alert,
        open_tables: bool = False,
    ) -> None:
        self.stream, self._store, self._world = stream, store, world
        self._clock, self._spool, self._alert = clock, spool, alert
        self._policy, self._open_tables = policy, open_tables
        self._now = DeskAtHead(Desk(), genesis(stream.ref))
        self._unsaved, self._opened = 0, False  # what the desk has heard since its checkpoint
        self._checkpoint_bytes = 0  # of the last one that we made
        self._generation = world.keyring.generation()
        self._at_hand = AtHand()  # texts kept lately: the next is compared with them
        self._attempted: list[AppendResult] = []
        self._unspooled: list[Failure] = []

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    @property
    def desk(self) -> Desk:
        """The desk at the stream's head, whoever wrote last."""
        return self._newest().desk

    @property
    def last_desk(self) -> Desk:
        """The desk as we last saw it; others may have written since."""
        return self._now.desk if self._opened else self.desk

    @property
    def head(self) -> Head:
        return self._newest().head

    @property
    def is_fenced(self) -> bool:
        """Whether a failure is known here alone: no disk took it."""
        return bool(self._unspooled)

    def _newest(self) -> DeskAtHead:
        """Where nobody has written since we looked, there is nobody to wait for."""
        now, same = self._now, self._world.keyring.generation() == self._generation
        if self._opened and same and self._store.head(self.stream.ref) == now.head:
            return now
        with self._store.write_lock(self.stream.ref):
            self.catch_up()
            return self._now

    def shelves(self, at: int | None = None, *, subject: str = "") -> Shelves:
        """The shelves as of a seq (now, without one), as whoever speaks for a subject sees them."""
        return self._reader(self.place(at), subject)

    def _reader(self, seq: int, subject: str, ahead: Ahead | None = None) -> Shelves:
        keys, held = self._world.keyring, self._at_hand if ahead else None
        mine = command_pipeline.seen_by(self.stream, subject, keys)
        return Shelves(ahead or self._store, self.stream, keys, seq, subjects=mine, at_hand=held)

    def place(self, at: object) -> int:
        """The seq to read at: the head, or one that the log has reached; the future has none."""
        return placed(at, self.head.seq)

    def lines(
        self, *, after: int = 0, upto: int | None = None, wanted: Wanted | None = None
    ) -> Iterable[Line]:
        """Entries in their order, each link checked; one that is not wanted is not opened."""
        for entry in chain.linked(self._store, self.stream.ref, after=after, upto=upto):
            if wanted is None or wanted(chain.header_of(entry)):
                yield self.opened(entry)

    def subjects(self) -> set[str]:
        """Whom entries are about, by reference; no entry is opened."""
        entries = chain.linked(self._store, self.stream.ref, after=0, upto=None)
        return {part.subject for entry in entries for part in chain.header_of(entry).parts}

    def entries_about(self, subject: str, *, after: int, upto: int) -> Iterable[Entry]:
        """The entries that whoever speaks for a subject may see; others are not even read."""
        mine = command_pipeline.seen_by(self.stream, subject, self._world.keyring)
        return chain.about(self._store, self.stream.ref, mine, after=after, upto=upto)

    def heard(self, *, after: int, upto: int) -> list[Line]:
        """Entries as a desk hears them: those that say nothing to it are not opened."""
        return list(map(self._seen, self._store.read(self.stream.ref, after=after, upto=upto)))

    def batch(self, seq: int) -> list[Line]:
        """The entries of the batch that begins at a seq."""
        return list(self._batch(seq).lines)

    def catch_up(self) -> None:
        """Fold what others have appended since we looked."""
        self._renew()
        if not self._opened:
            self._now = desk_checkpoints.latest(self._store, self.stream) or self._now
            self._opened = True
        head = self._store.head(self.stream.ref)
        if head is None or head == self._now.head:
            return
        desk, before = self._now
        entries = list(self._store.read(self.stream.ref, after=desk.seq, upto=head.seq))
        *_, reached = (before, *chain.verify(entries, after=before))
        lines = [self._seen(entry) for entry in entries]
        self._now = DeskAtHead(desks.fold(desk, lines), reached)
        self._unsaved += sum(weight(line.header) for line in lines)
        self._at_hand.hear(lines)

    def _renew(self) -> None:
        """After an erasure anywhere, start over: what we hold may be what must be gone."""
        now = self._world.keyring.generation()
        if now != self._generation:
            self.forget_state()
            self._generation = now

    def forget_state(self) -> None:
        """Start over from the log: after a rebuild or an erasure what we hold may be stale."""
        self._now = DeskAtHead(Desk(), genesis(self.stream.ref))
        self._unsaved, self._opened = 0, False
        self._at_hand.clear()

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────

    def tell(self, ask: Ask) -> AppendResult:
        return self.tell_all([ask])[-1]

    def tell_all(self, asks: Sequence[Ask]) -> list[AppendResult]:
        """Several commands in one durable append, in order, all or none."""
        with self._store.write_lock(self.stream.ref):
            self._lift_fence()
            return self._attempts(asks)

    def _attempts(self, asks: Sequence[Ask]) -> list[AppendResult]:
        self._attempted = []
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return self._settled(asks)
            except StorageFullError as error:
                # Waiting makes no room: no retry. The marker goes where the ballast made some.
                self._alert(error.code, self.stream, self._operation(asks), attempt, error.detail)
                raise
            except StoreError as error:
                operation = self._operation(asks)
                self._alert("RETRY_ATTEMPT", self.stream, operation, attempt, error.detail)
                if attempt == ATTEMPTS_MAX:
                    raise self._failed(operation, error) from error
                self._clock.wait(ids.retry_delay_ticks(self._seed(asks), operation))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _settled(self, asks: Sequence[Ask]) -> list[AppendResult]:
        # Whoever wrote last usually writes next: the first try trusts the desk we hold, and the
        # expected head refuses it where someone else has been here. Then we look.
        self._renew()
        looked = not self._opened or bool(self._attempted) or any(ask.operation for ask in asks)
        for _ in range(RACES_MAX):
            known = self._look(asks) if looked else []
            if known:
                return known[-len(asks) :]
            try:
                return self._append(asks)
            except HeadMovedError:
                looked = True
            except JobClosedError:
                if looked:
                    raise
                looked = True
        raise StoreError("the head of the stream kept changing")

    def _look(self, asks: Sequence[Ask]) -> list[AppendResult]:
        self.catch_up()
        return self._committed() or self._known(asks)

    def _append(self, asks: Sequence[Ask]) -> list[AppendResult]:
        desk, head = self._now
        ahead, told = Ahead(self._store), list[AppendResult]()
        for ask in self._with_genesis(asks):
            sealed = self._sealed(ask, desk, head, ahead)
            lines = [line for line, _ in sealed]
            for line, entry in sealed:
                ahead.add(entry, shelves.changes(self.stream, line))
                self._at_hand.release(line)
            desk = desks.fold(desk, lines)
            head = Head(seq=lines[-1].seq, hash=lines[-1].hash)
            told.append(AppendResult(lines=tuple(lines)))
        unsaved = self._unsaved + sum(weight(line.header) for each in told for line in each.lines)
        is_due = unsaved >= desk_checkpoints.due(self._checkpoint_bytes)
        checkpoint = desk_checkpoints.sealed(self.stream, desk) if is_due else b""
        batch = Batch(
            entries=tuple(ahead.entries),
            changes=tuple(ahead.changes),
            checkpoint=checkpoint,
            episodes=self._open_episodes(told),
        )
        self._attempted = told
        self._store.append(self.stream.ref, batch, expect=self._now.head)
        self._now = DeskAtHead(desk, head)
        self._unsaved = unsaved
        if checkpoint:
            self._unsaved, self._checkpoint_bytes = 0, len(checkpoint)
        for each in told:
            self._at_hand.take(each.lines)
        return told[-len(asks) :]

    def _open_episodes(self, told: list[AppendResult]) -> tuple[OpenEpisode, ...]:
        if not self._open_tables:
            return ()
        new = {line.seq: line for each in told for line in each.lines}

        def opened(seq: int) -> Line | None:
            return new.get(seq) or next(iter(self.lines(after=seq - 1, upto=seq)), None)

        return tuple(episodes.open_episodes(new.values(), opened).values())

    def _sealed(self, ask: Ask, desk: Desk, head: Head, ahead: Ahead) -> list[chain.Sealed]:
        when = command_pipeline.stamp(ask.command, desk, self.stream, job=ask.job, at=ask.at)
        received = command_pipeline.receive(ask, self.stream, desk, when, self._world)
        if received.command is not ask.command:  # a refused seed must not even choose a moment
            when = command_pipeline.stamp(
                received.command, desk, self.stream, job=ask.job, at=ask.at
            )
        if not received.operation:
            key = entry_id(self.stream, when, head.seq + 1)
            received = msgspec.structs.replace(received, operation=key)
        reader = self._reader(head.seq, ask.command.subject, ahead)
        events = command_pipeline.events(received, self.stream, desk, reader, when)
        return command_pipeline.seal(events, self.stream, desk, when, after=head, world=self._world)

    def _with_genesis(self, asks: Sequence[Ask]) -> list[Ask]:
        """The first thing a stream ever holds is the policy it lives under."""
        if self._now.head.seq:
            return list(asks)
        given = asks[0].command
        if isinstance(given, AdoptPolicy) and given.quorum == 1:  # else it may be refused
            return list(asks)
        engine = _engine(self.stream)
        first = Ask(command=AdoptPolicy(policy=self._policy), principal=engine, at=asks[0].at)
        return [first, *asks]

    # ── Keys, failures, fences ──────────────────────────────────────────────────────────────────

    def _committed(self) -> list[AppendResult]:
        """Whether an append whose answer we never got is in the log after all: its hash says."""
        if not self._attempted:
            return []
        last = self._attempted[-1].lines[-1]
        stored = next(self._store.read(self.stream.ref, after=last.seq - 1, upto=last.seq), None)
        return self._attempted if stored and stored.hash == last.hash else []

    def _known(self, asks: Sequence[Ask]) -> list[AppendResult]:
        """A caller's retry is a lookup: the same key and the same words give the same answer."""
        keyed = [ask for ask in asks if ask.operation]
        known = [told for ask in keyed if (told := self._before(ask))]
        if known and len(known) < len(keyed):
            raise KeyReusedError("only some of the sentences in this batch are in the log")
        # Those without a key are receipts: they came with the first and wait for the next append.
        return [*known[:1] * (len(asks) - len(keyed)), *known]

    def _before(self, ask: Ask) -> AppendResult | None:
        seq = self._store.find(self.stream.ref, ask.operation)
        if seq is None:
            return None
        before = self._batch(seq)
        received = before.lines[0].event
        if not isinstance(received, Received):
            raise KeyReusedError("the text that this key was used for is erased")
        self._same_words(ask, received)
        if ask.job and before.lines[0].header.job != ask.job:
            raise KeyReusedError("this key was used in another job")
        return before

    def _same_words(self, ask: Ask, received: Received) -> None:
        if received.asked != wire_name(ask.command):
            raise KeyReusedError
        when = Stamp(job=ask.job, tick=0, seed="", base_ms=0, first_seq=0)
        again = command_pipeline.receive(ask, self.stream, self._now.desk, when, self._world)
        if received.refused != again.refused:
            raise KeyReusedError
        if not received.refused and words(again.command) != words(received.command):
            raise KeyReusedError

    def _batch(self, seq: int) -> AppendResult:
        lines: list[Line] = []
        for line in self.lines(after=seq - 1):
            if line.header.cause != seq:
                break
            lines.append(line)
        return AppendResult(lines=tuple(lines))

    def _operation(self, asks: Sequence[Ask]) -> str:
        if self._attempted:
            received = self._attempted[-1].lines[0].event
            assert isinstance(received, Received)
            return received.operation
        return asks[-1].operation or f"{self.stream.ref}@{self._now.head.seq + 1}"

    def _seed(self, asks: Sequence[Ask]) -> str:
        job = self._now.desk.jobs.open.get(asks[-1].job)
        return job.seed if job else self.stream.ref

    def _failed(self, operation: str, error: StoreError) -> MemoryWriteFailError:
        failure = Failure(
            stream=self.stream.ref, operation=operation, code=MemoryWriteFailError.code
        )
        self._keep(failure)
        self._alert(MemoryWriteFailError.code, self.stream, operation, ATTEMPTS_MAX, error.detail)
        failed = MemoryWriteFailError(error.detail, operation=operation)
        failed.outcome = error.outcome  # of a commit that was not answered nobody knows yet
        return failed

    def _keep(self, failure: Failure) -> None:
        try:
            self._spool.add(failure)
        except StoreError:
            # No disk at all: the fence holds as long as this process does.
            self._unspooled.append(failure)

    def _lift_fence(self) -> None:
        """A failure the agent has seen must be in the log before anything else is."""
        for failure in [*self._spool.pending(self.stream.ref), *self._unspooled]:
            command = RecordOutcome(operation=failure.operation, code=failure.code)
            key = f"outcome:{failure.operation}"
            ask = Ask(command=command, principal=_engine(self.stream), operation=key)
            self._attempted = []  # what was offered before is another question
            try:
                self._settled([ask])
            except StoreError as error:
                raise MemoryWriteFailError(error.detail, operation=failure.operation) from error
            self._spool.remove(failure)
            self._unspooled = [each for each in self._unspooled if each != failure]

    # ── Opening entries ───────────────────────────────────────────────────────────────────────────

    def _seen(self, entry: Entry) -> Line:
        """As much of an entry as the desk hears: most of what is written needs no opening."""
        line = chain.glimpse(entry)
        return line if line.header.type in desks.UNOPENED else self.opened(entry)

    def opened(self, entry: Entry) -> Line:
        return chain.open_entry(entry, origin=self.stream.ref, keyring=self._world.keyring)


def _engine(stream: Stream) -> Principal:
    return Principal(
        name="engine", role=Role.ENGINE, tenant=stream.id.tenant, channel=Channel.ENGINE
    )
