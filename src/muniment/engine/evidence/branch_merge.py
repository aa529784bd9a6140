"""Branch merge: commands of a branch are given again in the memory, in the same order.

Where nobody has written there since, the entries are the same bytes and are simply appended.
Elsewhere each command is decided again on what the memory holds by now, by the rules that decide
everything: so what conflicts is settled as it would be if it were said today. What the engine adds
by itself, and what reads left behind, is the branch's own and follows anew.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec

from muniment.engine.decide import wire_name
from muniment.engine.evidence.renamed_ids import RenamedIds
from muniment.engine.session.branch_hub import BranchHub
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.command_pipeline import Ask
from muniment.layers import shelves
from muniment.log.entry import Head, Line
from muniment.log.store import Batch
from muniment.model.commands import CloseJob, RecordRecall
from muniment.model.commands.branches import BranchCommand
from muniment.model.commands.conversation import RecordItemRecall
from muniment.model.commands.reads import RecordContext, ReportOutcome, ReportUse
from muniment.model.errors import JobClosedError, KeyReusedError
from muniment.model.events import JobOpened, Received, Shredded, WriteDenied
from muniment.model.scope import Channel, Principal, Role, StreamId, StreamKind

EFFECT: Final = "effect:"  # before the hash of the entry that a batch follows from
# What a read left behind, and what was said of it: they name what the branch knew.
OF_READS: Final = RecordRecall | RecordItemRecall | RecordContext | ReportUse | ReportOutcome
KINDS: Final = (StreamKind.AGENT, StreamKind.COLLECTION, StreamKind.SPACE, StreamKind.COUNCIL)
Fate = Literal["alike", "otherwise", "refused", "erased"]


class MergedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """One command of a branch, and what became of it in the memory."""

    log: str
    entry: int  # in the branch
    asked: str
    fate: Fate
    now: tuple[str, ...] = ()  # the events it led to in the memory
    then: tuple[str, ...] = ()  # and in the branch, where they differ


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """What merging a branch did, or would do."""

    name: str
    appended: bool  # the same bytes: nobody had written since
    told: tuple[MergedCommand, ...] = ()

    @property
    def commands(self) -> int:
        return len(self.told)

    @property
    def conflicts(self) -> tuple[MergedCommand, ...]:
        """What did not come out as in the branch."""
        return tuple(each for each in self.told if each.fate != "alike")


def merge(branch: BranchHub, into: StreamHub) -> Merge:
    written = [each for each in branch.written() if each.kind is not StreamKind.OPS]
    if all(_continues(branch, into, each) for each in written):
        told = [each for stream in written for each in _appended(branch, into, stream)]
        return Merge(name=branch.name, appended=True, told=tuple(told))
    return Merge(name=branch.name, appended=False, told=tuple(_Replay(branch, into).run(written)))


# ── The same bytes ──────────────────────────────────────────────────────────────────────────────


def _continues(branch: BranchHub, into: StreamHub, stream: StreamId) -> bool:
    """Whether a log stands where it was branched from, or has what the branch holds already."""
    ref = branch.stream(stream).ref
    head = into.parts.store.head(ref)
    return (head.seq if head else 0) == branch.fork(stream) or head == branch.parts.store.head(ref)


def _appended(branch: BranchHub, into: StreamHub, stream: StreamId) -> Iterator[MergedCommand]:
    writer, known = branch.writer(stream), into.stream(stream)
    fork, store = branch.fork(stream), into.parts.store
    for batch in _batches(writer.lines(after=fork)):
        first, last = batch[0].seq, batch[-1].seq
        head = store.head(known.ref)
        if (head.seq if head else 0) < first:
            entries = tuple(branch.parts.store.read(known.ref, after=first - 1, upto=last))
            changes = tuple(one for line in batch for one in shelves.changes(known, line))
            before = branch.parts.store.pick(known.ref, [first - 1])
            at = Head(seq=first - 1, hash=before[0].hash) if before else Head(seq=0, hash=b"")
            store.append(known.ref, Batch(entries=entries, changes=changes), expect=at)
        if _is_told(batch):
            yield _outcome(stream, batch, batch)


# ── Said again ──────────────────────────────────────────────────────────────────────────────────


class _Replay:
    """The commands of a branch on their way into a memory that has gone on."""

    def __init__(self, branch: BranchHub, into: StreamHub) -> None:
        self._branch, self._into = branch, into
        self._names = RenamedIds()  # from what the branch called a thing
        self._jobs: dict[tuple[str, int], int] = {}
        self._open: dict[str, set[int]] = {}

    def run(self, streams: list[StreamId]) -> Iterator[MergedCommand]:
        for stream in streams:
            self._open[stream.text] = set(
                self._branch.desk_at(stream, self._branch.fork(stream)).jobs.open
            )
        for stream, batch in _in_order(self._branch, streams):
            if isinstance(batch[0].event, Shredded):
                yield MergedCommand(
                    log=stream.text, entry=batch[0].seq, asked=_asked(batch[0]), fate="erased"
                )
            elif _is_told(batch):
                yield self._said(stream, batch)

    def _said(self, stream: StreamId, batch: list[Line]) -> MergedCommand:
        first = batch[0]
        received = first.event
        assert isinstance(received, Received)
        job = first.header.job if first.header.job in self._open[stream.text] else 0
        ask = self._into.prepare(
            self._names.command(received.command),
            _principal(self._branch, received, stream.tenant),
            job=self._jobs.get((stream.text, job), job),
            operation=f"merge:{first.hash.hex()}",
            at=received.at,
            reads=self._reads(received.reads),
            consent=received.consent_id,
            contradicts=received.contradicts,
            own_space=received.own_space,
        )
        now = self._told(stream, ask)
        self._follow(stream, batch, now)
        return _outcome(stream, batch, now)

    def _told(self, stream: StreamId, ask: Ask) -> list[Line]:
        try:
            return list(self._into.append(stream, [ask])[-1].lines)
        except (JobClosedError, KeyReusedError):  # its job is over in the memory: nothing is said
            return []

    def _reads(self, heads: Mapping[str, int]) -> dict[str, int]:
        """As far as the memory holds what the branch had read."""
        seen = {ref: min(seq, self._branch.forks.get(ref, 0)) for ref, seq in heads.items()}
        return {ref: seq for ref, seq in seen.items() if seq}

    def _follow(self, stream: StreamId, then: list[Line], now: list[Line]) -> None:
        """What things are called there, and which jobs are open."""
        for old, new in zip(then, now, strict=False):
            if old.header.type == new.header.type:
                self._names.learn(old.event, new.event)
                self._names.put(old.header.id, new.header.id)
        job = then[0].header.job
        if now and any(isinstance(line.event, JobOpened) for line in now):
            self._jobs[stream.text, job] = now[0].header.job
            self._open[stream.text].add(job)
        received = then[0].event
        if isinstance(received, Received) and isinstance(received.command, CloseJob):
            self._open[stream.text].discard(job)


def _in_order(branch: BranchHub, streams: list[StreamId]) -> Iterator[tuple[StreamId, list[Line]]]:
    """Batches after what they follow from or had read, those of one log in their order."""
    waiting = {
        each: list(_batches(branch.writer(each).lines(after=branch.fork(each))))
        for each in sorted(streams, key=lambda each: (KINDS.index(each.kind), each.text))
    }
    reached = {branch.stream(each).ref: branch.fork(each) for each in streams}
    hashes = {line.hash.hex() for told in waiting.values() for batch in told for line in batch}
    while any(waiting.values()):
        heads = [(each, told[0]) for each, told in waiting.items() if told]
        ready = [(each, it) for each, it in heads if _is_ready(it, reached, hashes)]
        stream, batch = min(ready or heads, key=lambda each: _moment(each[1]))
        waiting[stream].pop(0)
        reached[branch.stream(stream).ref] = batch[-1].seq
        hashes -= {line.hash.hex() for line in batch}
        yield stream, batch


def _is_ready(batch: list[Line], reached: Mapping[str, int], hashes: set[str]) -> bool:
    received = batch[0].event
    if not isinstance(received, Received):
        return True
    own = {batch[0].hash.hex()}
    follows = received.operation.removeprefix(EFFECT) in hashes - own
    return not follows and all(seq <= reached.get(ref, seq) for ref, seq in received.reads.items())


def _moment(batch: list[Line]) -> str:
    received = batch[0].event
    return received.at if isinstance(received, Received) else ""


def _batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    for line in lines:
        if batch and line.header.cause != batch[0].seq:
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch


def _is_told(batch: list[Line]) -> bool:
    """Whether somebody asked this, other than the engine and whoever only read."""
    received = batch[0].event
    if not isinstance(received, Received) or received.role == Role.ENGINE:
        return False
    return not isinstance(received.command, OF_READS | BranchCommand)


def _asked(line: Line) -> str:
    event = line.event
    if isinstance(event, Received):
        return wire_name(event.command)
    return str(event.public.get("asked", "")) if isinstance(event, Shredded) else ""


def _outcome(stream: StreamId, then: list[Line], now: list[Line]) -> MergedCommand:
    was, told = _summary(then), _summary(now)
    fate: Fate = "alike" if was == told else "otherwise"
    if fate != "alike" and (not now or any(isinstance(it.event, WriteDenied) for it in now)):
        fate = "refused"
    return MergedCommand(
        log=stream.text,
        entry=then[0].seq,
        asked=_asked(then[0]),
        fate=fate,
        now=told,
        then=() if was == told else was,
    )


def _summary(batch: list[Line]) -> tuple[str, ...]:
    """The events that followed, with the reason where the answer was no."""
    return tuple(
        f"{line.header.type}: {reason}" if reason else line.header.type
        for line in batch[1:]
        for reason in [str(getattr(line.event, "reason", "")) if _is_no(line) else ""]
    )


def _is_no(line: Line) -> bool:
    return line.header.type.endswith("_denied")


def _principal(hub: StreamHub, received: Received, tenant: str) -> Principal:
    """Who asked, as the log knows them; somebody who was erased has no name any more."""
    known = hub.parts.world.keyring.name(received.actor) or ""
    return Principal(
        name=known.partition("/")[2].partition(":")[2],
        role=Role(received.role),
        tenant=tenant,
        channel=Channel(received.channel),
    )
