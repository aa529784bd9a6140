"""Branches: a copy-on-write line of the logs, to be compared, merged or discarded."""

from collections.abc import Mapping

import msgspec

from muniment.engine.audit.auditor import Auditor
from muniment.engine.audit.log_statistics import Touched
from muniment.engine.decide.evidence.branches import HAS_BRANCHES
from muniment.engine.decide.evidence.holds import covering_entry
from muniment.engine.evidence import branch_merge
from muniment.engine.evidence.branch_merge import Merge
from muniment.engine.session.branch_hub import (
    BranchHub,
    branches_off,
    open_branch,
    scratch_branch,
)
from muniment.engine.session.role_session import RoleSession
from muniment.engine.session.stream_hub import StreamHub, reads
from muniment.engine.streams import admission
from muniment.engine.streams.read_snapshot import placed
from muniment.log.entry import Line
from muniment.model.commands.branches import CloseBranch, OpenBranch
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events.operations import BranchOpened
from muniment.model.kinds.hold import LegalHold
from muniment.model.scope import StreamId, name, ops_stream


class BranchStatus(msgspec.Struct, frozen=True, kw_only=True):
    """An open branch: since which entry of the tenant's ops log, and how much it holds."""

    name: str
    opened: int
    at: str  # the moment it was opened
    logs: int  # that are seen through it
    entries: dict[str, int]  # of its own, by log
    inner: tuple[str, ...] = ()  # branches of it that are open


class BranchDiff(msgspec.Struct, frozen=True, kw_only=True):
    """What a branch added, changed, retired, forgot and refused, by log."""

    name: str
    changes: dict[str, list[Touched]]


class Branches(RoleSession):
    """An administrator's hands for the branches of a tenant's logs."""

    def open(self, branch: str, *, at: Mapping[str, int] | None = None) -> BranchHub:
        """Another line of this memory, from where its logs stand or from the entries `at` names.

        What was read here is logged first: who says in the branch what they were given says it
        again.
        """
        self._hub.flush_receipts()
        command = OpenBranch(name=name(branch, "branch"), heads=self._heads(at or {}))
        told = self._append_or_raise(self._ops, command)
        return open_branch(self._hub, _opening(told.lines))

    def status(self, branch: str) -> BranchStatus:
        return self._status(self._line(branch))

    def list(self) -> list[BranchStatus]:
        """The branches that are open, oldest first."""
        return [self._status(line) for line in branches_off(self._hub, self._principal.tenant)]

    def hub(self, branch: str) -> BranchHub:
        return open_branch(self._hub, self._line(branch))

    def diff(self, branch: str, *, reason: str = "") -> BranchDiff:
        """What a branch changed, in the words of those who did; a reason is written down first."""
        hub = self.hub(branch)
        if reason:
            self._note_access(f"branch {hub.name}", reason)
        eyes = Auditor(hub, self._principal)
        told = {each.text: eyes.diff(each, hub.fork(each)) for each in hub.written()}
        return BranchDiff(name=hub.name, changes={log: each for log, each in told.items() if each})

    def merge(self, branch: str, *, preview: bool = False) -> Merge:
        """Say in the memory what was said in a branch, and end the branch; once, if done twice.

        A preview finds out what that would do, in another branch of which nothing is kept.
        """
        hub = self.hub(branch)
        hub.flush_receipts()
        command = CloseBranch(name=hub.name, outcome="merged")
        self._refuse_inner(hub, command, preview=preview)
        if preview:
            return branch_merge.merge(hub, scratch_branch(self._hub, self._heads({})))
        done = branch_merge.merge(hub, self._hub)
        self._close(hub, msgspec.structs.replace(command, commands=done.commands))
        return done

    def discard(self, branch: str) -> int:
        """End a branch and what was written there; returns how many entries that were."""
        hub = self.hub(branch)
        hub.flush_receipts()
        command = CloseBranch(name=hub.name, outcome="discarded")
        self._refuse_inner(hub, command)
        self._refuse_held(hub, command)
        entries = sum(self._entries(hub).values())
        self._close(hub, command)
        return entries

    def _refuse_inner(self, hub: BranchHub, command: CloseBranch, *, preview: bool = False) -> None:
        """A branch of the branch would be lost with it: it is merged or discarded before."""
        inner = self._inner(hub)
        if inner and preview:
            raise RefusedError(HAS_BRANCHES, ", ".join(inner))
        if inner:
            self._append_or_raise(self._ops, msgspec.structs.replace(command, inner=inner))

    def _inner(self, hub: BranchHub) -> tuple[str, ...]:
        opened = (line.event for line in branches_off(hub, self._principal.tenant))
        return tuple(each.name for each in opened if isinstance(each, BranchOpened))

    def _refuse_held(self, hub: BranchHub, command: CloseBranch) -> None:
        """What a legal hold covers is not destroyed: the log says who asked for it, and which."""
        held = self._held()
        found = (
            hold
            for stream in (hub.written() if held else ())
            for line in hub.writer(stream).lines(after=hub.fork(stream))
            for hold in covering_entry(held, stream, hub.shelves(stream), line)
        )
        if (first := next(found, None)) is not None:
            refused = msgspec.structs.replace(command, holds=(first.hold_id,))
            ask = self._hub.prepare(
                admission.admit(refused), self._principal, operation=self._operation(self._ops)
            )
            named = msgspec.structs.replace(ask, held=(first,))  # it may be the parent's
            self._hub.append(self._ops, [named])[-1].or_raise()

    def _held(self) -> tuple[LegalHold, ...]:
        """The holds in force here and in what this branches off; one that is tried goes with it."""
        hub, now = self._hub, self._hub.parts.clock.now()
        found = list(hub.holds.of(self._principal.tenant))
        while isinstance(hub, BranchHub):
            hub = hub.parent
            found += hub.holds.of(self._principal.tenant)
        return tuple(hold for hold in found if hold.in_force(now))

    def _close(self, hub: BranchHub, command: CloseBranch) -> None:
        """What lies in its logs goes before the log says so: cut short, it is done again."""
        for stream in hub.written():
            empty_log(hub, stream)
        self._append_or_raise(self._ops, command)
        self._hub.branches = {key: its for key, its in self._hub.branches.items() if its is not hub}

    def _heads(self, at: Mapping[str, int]) -> dict[str, int]:
        """Where each log stands; those that are named, and what their entries had read, then."""
        known = {each.text: each for each in self._hub.known_streams() if self._is_own(each)}
        if unknown := at.keys() - known.keys():
            raise NotFoundError(f"there is no log {min(unknown)!r}")
        store, refs = (
            self._hub.parts.store,
            {log: self._hub.stream(known[log]).ref for log in known},
        )
        stand = {ref: head.seq for ref in refs.values() if (head := store.head(ref))}
        named = {refs[log]: placed(seq, stand[refs[log]]) for log, seq in at.items()}
        for log, seq in at.items():
            for ref, seen in _seen(self._hub, known[log], seq).items():
                stand[ref] = min(seen, stand.get(ref, 0))
        return {ref: seq for ref, seq in (stand | named).items() if seq}

    def _is_own(self, stream: StreamId) -> bool:
        return stream.tenant == self._principal.tenant

    def _status(self, line: Line) -> BranchStatus:
        hub = open_branch(self._hub, line)
        return BranchStatus(
            name=hub.name,
            opened=line.seq,
            at=line.header.ts,
            logs=len(hub.forks),
            entries=self._entries(hub),
            inner=self._inner(hub),
        )

    def _entries(self, hub: BranchHub) -> dict[str, int]:
        store = hub.branch_store
        return {each.text: store.written(hub.stream(each).ref) for each in hub.written()}

    def _line(self, branch: str) -> Line:
        wanted = name(branch, "branch")
        for line in branches_off(self._hub, self._principal.tenant):
            if isinstance(line.event, BranchOpened) and line.event.name == wanted:
                return line
        raise NotFoundError(f"there is no open branch {branch!r}")

    @property
    def _ops(self) -> StreamId:
        return ops_stream(self._principal.tenant)


def empty_log(hub: BranchHub, stream: StreamId) -> None:
    """Of a log that is over only headers stay: what they commit to, and what follows, is gone."""
    ref = hub.stream(stream).ref
    lines = hub.writer(stream).lines(after=hub.fork(stream))
    subjects = {part.subject for line in lines for part in line.header.parts}
    for subject in sorted(subjects):
        hub.branch_store.shred(ref, subject)
    hub.branch_store.reset(ref)


def _opening(lines: tuple[Line, ...]) -> Line:
    return next(line for line in lines if isinstance(line.event, BranchOpened))


def _seen(hub: StreamHub, stream: StreamId, seq: int) -> dict[str, int]:
    """How far the batch of an entry says it had read the other logs."""
    writer = hub.writer(stream)
    for line in writer.lines(after=seq - 1, upto=seq):
        for first in writer.lines(after=line.header.cause - 1, upto=line.header.cause):
            return reads(first)
    return {}
