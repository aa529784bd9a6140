"""What-if replay: a log decided again under another policy, without writing.

Each command is taken from the log as it was received, screened again where the other policy screens
differently, decided by the same pure functions, and appended to a temporary store. So each command
is decided on the state that the other policy would have produced.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from muniment.engine.audit import log_statistics
from muniment.engine.audit.log_statistics import EntryEffect
from muniment.engine.audit.replay import verified
from muniment.engine.audit.replayed_stream import batches
from muniment.engine.decide.decision_context import Stamp
from muniment.engine.evidence.branch_merge import EFFECT
from muniment.engine.evidence.renamed_ids import RenamedIds
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import command_pipeline, restated_commands
from muniment.engine.what_if import privacy_again
from muniment.engine.what_if.report import EXAMPLES_MAX, Fate, Otherwise
from muniment.layers import desk as desks
from muniment.layers import shelves
from muniment.layers.desk import Desk
from muniment.layers.memos.recent_texts import AtHand
from muniment.layers.shelves import Shelves
from muniment.log import chain
from muniment.log.entry import Entry, Head, Line, genesis, link
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch
from muniment.model.commands import AdoptPolicy, AnyCommand, ExpireContent
from muniment.model.commands.conversation import UndoWrite
from muniment.model.commands.memos import RecordExport
from muniment.model.commands.recalls import RecordVectors
from muniment.model.commands.rollback import RevertChange
from muniment.model.errors import JobClosedError
from muniment.model.events import (
    JobClosed,
    JobOpened,
    PiiRedacted,
    PolicyAdopted,
    Received,
    RequestForwarded,
    Shredded,
)
from muniment.model.events.conversation import Forwarded
from muniment.model.policy import Policy
from muniment.model.scope import StreamId

# Commands that name entries of their own log, and where.
PLACES: Final[dict[type[AnyCommand], tuple[str, ...]]] = {
    UndoWrite: ("batch",),
    RecordExport: ("first_seq", "last_seq"),
    RecordVectors: ("upto",),
    RevertChange: ("first", "last"),
}
ENDINGS: Final = frozenset({EntryEffect.RETIRED, EntryEffect.FORGOTTEN})
GONE: Final = "gone:"  # before the id of what would not be there
CAUSES: Final = Forwarded | RequestForwarded

Effect = tuple[str, str, str]  # what kind of change, where or why, and the words


class ReplayedLog:
    """One log under another policy, up to where it has been decided again."""

    def __init__(
        self,
        hub: StreamHub,
        stream_id: StreamId,
        policy: Policy | None,
        uncaused: frozenset[str] = frozenset(),
    ) -> None:
        self.hub, self.stream, self.policy = hub, hub.stream(stream_id), policy
        self.store, self.names = ScratchStore(), RenamedIds()
        self.desk, self.head = Desk(), genesis(self.stream.ref)
        self.then = Policy()  # in force in the log itself
        self.jobs: dict[int, int] = {}  # those that are open there, and what they are here
        self.counts, self.examples = Counter[str](), list[Otherwise]()
        self.entries = self.commands = self.erased = 0
        self.uncaused: list[str] = []
        self._without = uncaused
        self._numbers: dict[int, int] = {}  # of jobs, open or not
        self._at_hand = AtHand()
        self._places: list[tuple[int, int]] = []  # the last entry of each batch, there and here
        self._said: tuple[dict[str, str], dict[str, str]] = ({}, {})  # by id, there and here

    def decide(self) -> Iterator[Line]:
        """Decide the whole log again; gives out its own entries as it goes."""
        opened = self.stream.ref, self.hub.parts.world.keyring
        for batch in batches(verified(self.hub.parts.store, self.stream)):
            lines = [chain.open_entry(e, origin=opened[0], keyring=opened[1]) for e in batch]
            self.entries, self.commands = self.entries + len(lines), self.commands + 1
            if any(isinstance(line.event, Shredded) for line in lines):
                self._erased(batch, lines)
            else:
                self._again(lines)
            self._follow(lines)
            self._places.append((lines[-1].seq, self.head.seq))
            yield from lines

    def place(self, seq: int) -> int:
        """The entry up to which this log has come where the log itself had come to `seq`."""
        found = bisect_right(self._places, seq, key=lambda each: each[0])
        there, here = self._places[found - 1] if found else (0, 0)
        return min(here + seq - there, self.head.seq)

    def job(self, number: int) -> int:
        """What a job of the log is called here; 0 where it would not have been opened."""
        return self._numbers.get(number, 0)

    def words(self, item_id: str) -> str:
        """What a record of the log says; its name, where nothing here tells."""
        return self._said[0].get(item_id) or item_id

    def count(
        self,
        line: Line,
        asked: str,
        fate: Fate,
        then: Counter[Effect] | None = None,
        now: Counter[Effect] | None = None,
    ) -> None:
        self.counts[fate] += 1
        if self.counts[fate] <= EXAMPLES_MAX:
            self.examples.append(
                Otherwise(
                    log=self.stream.id.text,
                    entry=line.seq,
                    asked=asked,
                    fate=fate,
                    then=_told(then),
                    now=_told(now),
                )
            )

    # ── One command ─────────────────────────────────────────────────────────────────────────────

    def _again(self, lines: Sequence[Line]) -> None:
        first = lines[0]
        assert isinstance(first.event, Received)
        received = restated_commands.whole(first.event, lines[1].event if lines[1:] else None)
        if received.operation.removeprefix(EFFECT) in self._without:
            self._lose(lines)
            self.count(first, received.asked, Fate.NOT_ASKED)
            return
        try:
            now = self._decided(lines, received)
        except JobClosedError:  # it would not have been opened
            self._lose(lines)
            self.count(first, received.asked, Fate.REFUSED, self.effects(lines, 0))
            return
        if [line.hash for line in now] != [line.hash for line in lines]:
            if not isinstance(received.command, ExpireContent):  # whose words last is told instead
                self._compare(lines, now, received)
            self._rename(lines, now)
        opened = next((line for line in now if isinstance(line.event, JobOpened)), None)
        if opened is not None:
            self.jobs[first.header.job] = opened.header.job
            self._numbers[first.header.job] = opened.header.job

    def _decided(self, then: Sequence[Line], received: Received) -> list[Line]:
        stream, world, desk, first = self.stream, self.hub.parts.world, self.desk, then[0]
        job = self.jobs.get(first.header.job, 0)
        if first.header.job in self.jobs and not job:
            raise JobClosedError
        received = msgspec.structs.replace(received, command=self._command(received.command))
        when = command_pipeline.stamp(received.command, desk, stream, job=job, at=received.at)
        received = self._screened(received, when)
        subjects = command_pipeline.seen_by(stream, received.command.subject, world.keyring)
        reader = Shelves(
            self.store,
            stream,
            world.keyring,
            desk.seq,
            subjects=subjects,
            at_hand=self._at_hand,
        )
        events = command_pipeline.events(received, stream, desk, reader, when)
        sealed = command_pipeline.seal(
            events,
            stream,
            desk,
            when,
            after=self.head,
            world=world,
            period=_period(then),
            encrypts=False,
        )
        now, entries = [line for line, _ in sealed], [entry for _, entry in sealed]
        self._append(entries, now)
        return now

    def _command(self, command: AnyCommand) -> AnyCommand:
        """As it would have been asked: by the names and places that things have here."""
        if isinstance(command, AdoptPolicy) and self.policy is not None:
            return msgspec.structs.replace(command, policy=self.policy, over=0)
        command = self.names.command(command)
        if places := PLACES.get(type(command)):
            moved = {each: self.place(getattr(command, each)) for each in places}
            command = msgspec.structs.replace(command, **moved)
        return command

    def _screened(self, received: Received, when: Stamp) -> Received:
        """What was received was screened; another table looks at what that has left."""
        then, now = self.then.privacy, self.desk.policy.privacy
        looks_alike = msgspec.structs.replace(now, deny_patterns=then.deny_patterns) == then
        if received.refused or looks_alike or not self.desk.seq:
            return received  # patterns are the gate's: no detector looks for them
        return privacy_again.screened(
            received,
            then,
            now,
            lambda told: command_pipeline.screened(
                told.command,
                self.stream,
                self.desk,
                when,
                world=self.hub.parts.world,
                consent=told.consent_id,
            ),
        )

    def _append(self, entries: Sequence[Entry], lines: Sequence[Line]) -> None:
        changes = tuple(one for line in lines for one in shelves.changes(self.stream, line))
        batch = Batch(entries=tuple(entries), changes=changes)
        self.store.append(self.stream.ref, batch, expect=self.head)
        self._at_hand.hear(lines)
        self.desk = desks.fold(self.desk, list(lines))
        self.head = Head(seq=entries[-1].seq, hash=entries[-1].hash)

    # ── What the log itself says ────────────────────────────────────────────────────────────────

    def _erased(self, batch: Sequence[Entry], lines: Sequence[Line]) -> None:
        """Of what was erased nothing can be decided; it counts where it would stand here too."""
        self.erased += 1
        if self.head.seq == batch[0].seq - 1:
            # Another policy is another first entry, so every link after it is another one, too.
            reached, entries, told = self.head.hash, list[Entry](), list[Line]()
            for entry, line in zip(batch, lines, strict=True):
                reached = link(reached, entry.header)
                entries.append(msgspec.structs.replace(entry, hash=reached))
                told.append(msgspec.structs.replace(line, hash=reached))
            self._append(entries, told)

    def _follow(self, lines: Sequence[Line]) -> None:
        for line in lines:
            match line.event:
                case PolicyAdopted(policy=policy):
                    self.then = policy
                case JobOpened(number=number):
                    self.jobs.setdefault(number, 0)
                case JobClosed(number=number):
                    self.jobs.pop(number, None)
                case _:
                    pass

    def _lose(self, lines: Sequence[Line]) -> None:
        self.uncaused += [line.hash.hex() for line in lines if isinstance(line.event, CAUSES)]

    def _rename(self, then: Sequence[Line], now: Sequence[Line]) -> None:
        """What things are called here; what is not here has a name that nothing has."""
        self.names.put(then[0].header.id, now[0].header.id)
        for old, new in zip_longest(then[1:], now[1:]):
            if old and new and old.header.type == new.header.type:
                if not isinstance(old.event, PolicyAdopted):
                    self.names.learn(old.event, new.event)
                    self.names.put(old.header.id, new.header.id)
            elif old:
                for name in _born(old):
                    self.names.put(name, f"{GONE}{name}")
        kinds = Counter(line.header.type for line in now)
        for line in then:
            if isinstance(line.event, CAUSES) and not kinds[line.header.type]:
                self.uncaused.append(line.hash.hex())
            kinds[line.header.type] -= 1

    # ── What differs ────────────────────────────────────────────────────────────────────────────

    def _compare(self, then: Sequence[Line], now: Sequence[Line], received: Received) -> None:
        was, is_now = self.effects(then, 0), self.effects(now, 1)
        lost, new = was - is_now, is_now - was
        lenient = any(
            privacy_again.is_freer(each, self.then.privacy, self.desk.policy.privacy)
            for each in received.redactions
        )
        fate = _fate(lost, new) if lost or new else Fate.UNKNOWN if lenient else None
        if fate is not None:
            self.count(then[0], received.asked, fate, lost, new)

    def effects(self, lines: Sequence[Line], side: int) -> Counter[Effect]:
        """What a command did, without the names that it gave: how often each thing."""
        found, said = Counter[Effect](), self._said[side]
        for line in lines[1:]:
            touched = list(log_statistics.touched(line))
            for each in touched:
                said.setdefault(each.item_id, each.text)
                words = each.text or said.get(each.item_id, "")
                found[each.change, each.layer or each.why, words] += 1
            if isinstance(line.event, PiiRedacted):
                found["redacted", line.event.redaction_reason, ""] += line.event.count
            elif not touched and not isinstance(line.event, PolicyAdopted):
                found["event", line.header.type, ""] += 1
        return found


def _period(then: Sequence[Line]) -> str:
    """What a batch is sealed under beside its subjects, in the log itself."""
    return next((part.period for line in then for part in line.header.parts if part.period), "")


def _born(line: Line) -> list[str]:
    touched = log_statistics.touched(line)
    return [each.item_id for each in touched if each.change is EntryEffect.ADDED]


def _fate(lost: Counter[Effect], new: Counter[Effect]) -> Fate:
    gone, come = {each[0] for each in lost}, {each[0] for each in new}
    table = {
        Fate.REFUSED: EntryEffect.REFUSED in come,
        Fate.KEPT: EntryEffect.REFUSED in gone,
        Fate.REDACTED: "redacted" in come,
        Fate.ENDED: bool(ENDINGS & come),
        Fate.STAYS: bool(ENDINGS & gone),
    }
    return next((fate for fate, holds in table.items() if holds), Fate.OTHERWISE)


def _told(effects: Counter[Effect] | None) -> tuple[str, ...]:
    told = ((kind, why, words) for kind, why, words in sorted(effects or ()))
    return tuple(
        ": ".join(filter(None, (f"{kind} {why}".strip(), words))) for kind, why, words in told
    )
