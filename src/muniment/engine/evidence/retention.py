"""Retention by days: what is due is listed, then its keys are destroyed and space freed."""

from collections.abc import Mapping, Set
from functools import cached_property

import msgspec

from muniment.engine.audit import replay
from muniment.engine.audit.stage_progress import Progress, Stages, over_logs, unwatched
from muniment.engine.decide.evidence.holds import covering_entry
from muniment.engine.session.branch_hub import open_branches
from muniment.engine.session.role_session import RoleSession
from muniment.engine.session.stream_hub import StreamHub
from muniment.layers.shelves import Stream
from muniment.log import chain
from muniment.log.store import Find
from muniment.model import ids
from muniment.model.commands import ExpireContent
from muniment.model.errors import InputError
from muniment.model.policy.keep_days import KeepDays
from muniment.model.scope import BRANCH, StreamId
from muniment.rules import retention_periods

DAYS_MAX = 100_000


class DuePeriod(msgspec.Struct, frozen=True, kw_only=True):
    """Records of one kind and of the same days in one log, and when their words go."""

    stream: str
    kind: str
    told: str  # a day, or a month
    goes_on: str  # the day
    entries: int
    bytes: int  # at most: sealed content is counted by the next power of two
    held: tuple[str, ...] = ()  # legal holds that it waits for
    waits: bool = False  # something ended in it that stays: it goes with that

    @property
    def stays(self) -> bool:
        return bool(self.held) or self.waits


class RetentionSweep(RoleSession):
    """An administrator's hands for what the policy keeps no longer."""

    def due(self, *, within: int = 0, progress: Stages = unwatched) -> list[DuePeriod]:
        """What goes at the next `carry_out_due`, or within so many days; nothing is changed."""
        if not 0 <= within <= DAYS_MAX:
            raise InputError(f"within: from 0 to {DAYS_MAX} days")
        now = self._hub.parts.clock.now()
        until = ids.day_text(ids.day_number(now) + within) if now else ""
        streams = [each for each in self._streams() if self._keeps_by_days(each)]
        step = self._reading(streams, progress)
        found = [each for stream in streams for each in self._of(stream, step).due(until)]
        return sorted(found, key=lambda each: (each.goes_on, each.stream, each.kind, each.told))

    def carry_out_due(self, *, progress: Stages = unwatched) -> list[DuePeriod]:
        """Erase what is due, in the log and on the disk; what is held or waits stays.

        Killed in between, the next call goes on where it stopped.
        """
        now = self._hub.parts.clock.now()
        with self._hub.room.given():  # a full disk is a reason to do it, not an obstacle
            streams = self._streams()
            step = self._reading(streams, progress)
            return [
                each
                for stream in streams
                for each in self._carried_out(stream, self._of(stream, step), now, progress)
            ]

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _streams(self) -> list[StreamId]:
        known = self._hub.known_streams()
        return [each for each in known if each.tenant == self._principal.tenant]

    def _keeps_by_days(self, stream: StreamId) -> bool:
        return self._hub.writer(stream).desk.policy.keep_days != KeepDays()

    def _reading(self, streams: list[StreamId], progress: Stages) -> Progress:
        of = sum(self._hub.writer(each).head.seq for each in streams)
        return over_logs(progress, "reading", of)

    def _of(self, stream: StreamId, step: Progress) -> "_Periods":
        return _Periods(self._hub, stream, step)

    def _carried_out(
        self, stream: StreamId, periods: "_Periods", now: str, progress: Stages
    ) -> list[DuePeriod]:
        going = [each for each in periods.due(now[: retention_periods.DAY]) if not each.stays]
        refs = {periods.ref_of(each) for each in going}
        for each in going:
            ref = periods.ref_of(each)
            command = ExpireContent(
                period=f"{each.kind}/{each.told}", ref=ref, entries=each.entries
            )
            self._append_or_raise(stream, command, key=f"expire:{ref}")
        # Whatever a run before this one had ordered and not finished is finished too.
        ordered = refs | {ref for ref in periods.unfinished if not periods.held(ref)}
        if ordered:
            self._destroy(stream, ordered, progress)
        return going

    def _destroy(self, stream: StreamId, refs: Set[str], progress: Stages) -> None:
        """The keys first: from then on nobody reads it. Then what was folded, then the bytes."""
        keyring, hub = self._hub.parts.world.keyring, self._hub
        for ref in sorted(refs):
            keyring.destroy(ref)
        hub.forget_state()
        own = hub.stream(stream).ref
        of = hub.writer(stream).head.seq
        replay.rebuild(hub, stream, progress=over_logs(progress, f"erasing in {stream.text}", of))
        hub.parts.store.empty(own, chain.sealed_under(hub.parts.store.read(own), refs))
        for branch in open_branches(hub, stream.tenant):
            if stream in branch.written():
                replay.rebuild(branch, stream)
        kept = set(hub.ground.streams())
        for ref, _ in keyring.known(BRANCH):  # also of those that are over
            if ref in kept and (seqs := chain.sealed_under(hub.ground.read(ref), refs)):
                hub.ground.empty(ref, seqs)


class _Period(msgspec.Struct, kw_only=True):
    """What the headers of a log say of one period."""

    named: str  # the kind and the days
    entries: int = 0
    bytes: int = 0


class _Periods:
    """The periods of one log, read from its headers."""

    def __init__(self, hub: StreamHub, stream_id: StreamId, step: Progress) -> None:
        self._hub, self._stream_id = hub, stream_id
        self._stream: Stream = hub.stream(stream_id)
        self._policy = hub.writer(stream_id).desk.policy
        self._known: dict[str, _Period] = {}
        self._period_at: dict[int, str] = {}  # by entry: the reference of what it is sealed under
        self.unfinished: set[str] = set()  # ordered, and not yet destroyed and emptied
        self._read(step)

    def due(self, until: str) -> list[DuePeriod]:
        """What goes until a day, each with what it waits for."""
        days = {
            ref: retention_periods.goes_on(period.named, self._policy)
            for ref, period in self._known.items()
        }
        wanted = {ref for ref, day in days.items() if day and day <= until}
        held = {ref: self.held(ref) for ref in wanted}
        ends = period_ends(self._hub, self._stream_id, self._period_at)
        waiting = retention_periods.waiting({ref for ref in wanted if not held[ref]}, ends)
        shown = [self._shown(ref, days[ref], held[ref]) for ref in sorted(wanted)]
        return [
            msgspec.structs.replace(each, waits=True) if self.ref_of(each) in waiting else each
            for each in shown
        ]

    def ref_of(self, due: DuePeriod) -> str:
        named = f"{due.kind}/{due.told}"
        return next(ref for ref, period in self._known.items() if period.named == named)

    def _read(self, step: Progress) -> None:
        keyring, prefix = self._hub.parts.world.keyring, f"{self._stream.ref}/"
        for entry in self._hub.parts.store.read(self._stream.ref):
            step(entry.seq)
            for part in chain.header_of(entry).parts:
                if not part.period:
                    continue
                self._period_at[entry.seq] = part.period
                known = self._known.get(part.period)
                if known is None and any(entry.parts):
                    name = keyring.name(part.period)
                    if name is None:
                        self.unfinished.add(part.period)
                        continue
                    known = _Period(named=name.removeprefix(prefix))
                    self._known[part.period] = known
                if known is not None:
                    known.entries += 1
                    known.bytes += part.bucket
        ordered = replay.expired_periods(self._hub.writer(self._stream_id))
        for ref in ordered.intersection(self._known):
            self.unfinished.add(ref)
            del self._known[ref]

    def held(self, ref: str) -> tuple[str, ...]:
        """The legal holds in force that cover something of a period, here or in a branch."""
        now = self._hub.parts.clock.now()
        placed = self._hub.root.holds.of(self._stream_id.tenant)
        holds = [each for each in placed if each.in_force(now)]
        if not holds:
            return ()
        found = [
            hold.hold_id
            for hub, after in self._places
            for line in hub.writer(self._stream_id).lines(
                after=after, wanted=lambda header: any(ref == p.period for p in header.parts)
            )
            for hold in covering_entry(
                holds, self._stream_id, hub.writer(self._stream_id).shelves(), line
            )
        ]
        return tuple(dict.fromkeys(found))

    @cached_property
    def _places(self) -> list[tuple[StreamHub, int]]:
        """Where this log goes on, each with the entry behind which it is that place's own."""
        branches = open_branches(self._hub, self._stream_id.tenant)
        written = [each for each in branches if self._stream_id in each.written()]
        return [(self._hub, 0), *((each, each.fork(self._stream_id)) for each in written)]

    def _shown(self, ref: str, goes_on: str, held: tuple[str, ...]) -> DuePeriod:
        period = self._known[ref]
        kind, _, told = period.named.partition("/")
        return DuePeriod(
            stream=self._stream_id.text,
            kind=kind,
            told=told,
            goes_on=goes_on,
            entries=period.entries,
            bytes=period.bytes,
            held=held,
        )


def period_ends(
    hub: StreamHub, stream_id: StreamId, period_at: Mapping[int, str]
) -> set[tuple[str, str]]:
    """Of each record of a log that has ended: the periods in which it began and ended."""
    at, ref = hub.writer(stream_id).head.seq, hub.stream(stream_id).ref
    return {
        (period_at.get(row.born, ""), period_at[row.died])
        for shelf in replay.SHELVES
        for row in hub.parts.store.rows(ref, Find(shelf=shelf, at=at, every=True))
        if row.died is not None and row.died in period_at
    }
