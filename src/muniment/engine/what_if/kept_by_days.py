"""Retention what-if: which records other periods would have erased or kept.

A period goes as a whole, and waits for legal holds and for what ended in it, as in a real sweep.
"""

from collections.abc import Iterator
from functools import cached_property

import msgspec

from muniment.engine.decide.evidence.holds import covering_entry
from muniment.engine.evidence.retention import period_ends
from muniment.engine.what_if.replayed_log import ReplayedLog
from muniment.engine.what_if.report import Fate
from muniment.log.entry import Line
from muniment.model.events import Received, Shredded
from muniment.model.events.erasure import ContentExpired
from muniment.model.kinds.hold import LegalHold
from muniment.model.policy import Policy
from muniment.rules import retention_periods


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """One command whose words would have gone, with what it did."""

    asked: str
    period: str  # as the other policy has it
    lines: list[Line]


class KeptByDays:
    """What the days of another policy would have left of a log by now."""

    def __init__(self, log: ReplayedLog) -> None:
        self._log = log
        self._now = log.hub.parts.clock.now()
        self._in_force = log.hub.writer(log.stream.id).desk.policy
        self._period_at: dict[int, str] = {}
        self._told: list[_Told] = []
        self._held: set[str] = set()
        self._period, self._batch = "", list[Line]()  # of the command that is being followed
        self._gone: dict[str, list[Line]] = {}  # by the reference of a period: no longer readable
        self._ordered: dict[str, str] = {}  # periods that went, by their reference

    def follow(self, line: Line) -> None:
        """Take the next entry of the log in."""
        if self._log.policy is None:
            return  # under its own policy nothing goes that does not go
        match line.event:
            case Received() as received:
                self._begin(line, received, self._log.policy)
            case ContentExpired(ref=ref, period=period):
                self._ordered[ref] = period
            case Shredded(wire="received"):
                self._period, self._batch = "", []
                for part in line.header.parts:
                    self._gone.setdefault(part.period, []).append(line)
            case _:
                self._batch.append(line)
        if self._period:
            self._period_at[line.seq] = self._period
            if self._holds and any(self._covering(line)):
                self._held.add(self._period)

    def count(self) -> None:
        """Report what would be otherwise; call it when the whole log was followed."""
        policy = self._log.policy
        if policy is None:
            return
        due = {each.period for each in self._told} - self._held
        if due:  # else nobody need look through every shelf
            ends = period_ends(self._log.hub, self._log.stream.id, self._period_at)
            due -= retention_periods.waiting(due, ends)
        for each in self._told:
            if each.period in due:
                words = self._log.effects(each.lines, 0)
                self._log.count(each.lines[0], each.asked, Fate.EXPIRED, words)
        for ref, period in self._ordered.items():
            if not self._goes(period, policy):
                for line in self._gone.get(ref, ()):
                    self._log.count(line, "", Fate.LASTS)

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _begin(self, line: Line, received: Received, policy: Policy) -> None:
        """A command: its period under the other policy, unless it goes under its own as well."""
        self._batch = []
        self._period = retention_periods.period(received.asked, received.at, policy)
        if not self._period or not self._goes(self._period, policy):
            return
        own = retention_periods.period(received.asked, received.at, self._in_force)
        if not self._goes(own, self._in_force):
            told = _Told(asked=received.asked, period=self._period, lines=[line])
            self._told.append(told)
            self._batch = told.lines

    def _goes(self, period: str, policy: Policy) -> bool:
        day = retention_periods.goes_on(period, policy)
        return bool(day) and day <= self._now[: retention_periods.DAY]

    @cached_property
    def _holds(self) -> list[LegalHold]:
        placed = self._log.hub.root.holds.of(self._log.stream.id.tenant)
        return [each for each in placed if each.in_force(self._now)]

    def _covering(self, line: Line) -> Iterator[LegalHold]:
        shelves = self._log.hub.writer(self._log.stream.id).shelves()
        return covering_entry(self._holds, self._log.stream.id, shelves, line)
