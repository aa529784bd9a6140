"""Replayed stream: a log folded and decided again in a store of its own, batch by batch."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.engine.streams import command_pipeline, restated_commands
from muniment.engine.streams.parts import World
from muniment.layers import desk as desks
from muniment.layers import shelves
from muniment.layers.desk import Desk
from muniment.layers.memos.recent_texts import AtHand
from muniment.layers.shelves import Shelves, Stream
from muniment.log import chain
from muniment.log.entry import Entry, Head, Line, genesis
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, Birth
from muniment.model.errors import ReplayDivergedError
from muniment.model.events import Received, Shredded

LINES_AT_HAND: Final = 8_192  # opened entries: deciding looks back, and seldom further
# A batch that is only folded takes about this share of one that is also decided again.
FOLDED_PERCENT: Final = 25


class DecidedSpan(msgspec.Struct, frozen=True):
    """Which entries of a log are decided again: what comes before is verified and folded only."""

    after: int = 0
    upto: int | None = None  # what comes behind is not even read


WHOLE: Final = DecidedSpan()


def spans(entries: int, pieces: int, after: int = 0) -> list[DecidedSpan]:
    """Spans for as many workers, which are done at about the same time; together the whole rest.

    Whoever begins later folds all that lies before, so each decides a little less.
    """
    shares = [(100 - FOLDED_PERCENT) ** n * 100 ** (pieces - n) for n in range(pieces)]
    places = [sum(shares[:n]) * (entries - after) // sum(shares) for n in range(1, pieces)]
    starts = [after, *(after + each for each in places)]
    return [DecidedSpan(*each) for each in zip(starts, [*starts[1:], None], strict=True)]


class ReplayedStream:
    """Desk, shelves and counters of one stream, as far as its log was taken."""

    def __init__(self, stream: Stream, world: World, span: DecidedSpan) -> None:
        self.desk, self.head, self.scratch = Desk(), genesis(stream.ref), ScratchStore()
        self.batches = self.shredded = self.undecided = 0
        self.gone: set[str] = set()  # references whose content was erased
        self.births: list[Birth] = []
        self._stream, self._world, self._span = stream, world, span
        self._at_hand = AtHand(lines_max=LINES_AT_HAND)

    def take(self, batch: list[Entry]) -> list[Line]:
        """The next batch: decided again where that is wanted, then folded."""
        origin, keyring = self._stream.ref, self._world.keyring
        lines = [chain.open_entry(each, origin=origin, keyring=keyring) for each in batch]
        if erased := [line for line in lines if isinstance(line.event, Shredded)]:
            self.shredded += len(erased)
            self.gone |= {ref for line in lines for part in line.header.parts for ref in part.keys}
        elif batch[0].seq > self._span.after:
            self._decide(batch, lines)
        self._fold(batch, lines)
        return lines

    def _decide(self, batch: list[Entry], lines: list[Line]) -> None:
        try:
            self._again(batch, lines)
        except ReplayDivergedError:
            # It may have rested on what an erasure took away; before one, nothing may differ.
            if not self.shredded:
                raise
            self.undecided += 1

    def _fold(self, batch: list[Entry], lines: list[Line]) -> None:
        changes = tuple(each for line in lines for each in shelves.changes(self._stream, line))
        self.births += [each for each in changes if isinstance(each, Birth)]
        kept = Batch(entries=tuple(batch), changes=changes)
        self.scratch.append(self._stream.ref, kept, expect=self.head)
        self._at_hand.hear(lines)
        self._at_hand.keep_open(lines)
        self.desk = desks.fold(self.desk, lines)
        self.head = Head(seq=batch[-1].seq, hash=batch[-1].hash)
        self.batches += 1

    def _again(self, batch: list[Entry], lines: list[Line]) -> None:
        """Decide what was received once more; every byte that is hashed must come out the same."""
        first, *others = lines[:2]
        if not isinstance(first.event, Received):
            raise ReplayDivergedError(f"entry {first.seq} should be the received command")
        desk, stream, world = self.desk, self._stream, self._world
        received = restated_commands.whole(first.event, others[0].event if others else None)
        job = first.header.job if first.header.job in desk.jobs.open else 0
        when = command_pipeline.stamp(received.command, desk, stream, job=job, at=received.at)
        events = command_pipeline.events(
            received, stream, desk, self._reader(received.command.subject), when
        )
        sealed = command_pipeline.seal(
            events, stream, desk, when, after=self.head, world=world, encrypts=False
        )
        _compare(batch, [entry for _, entry in sealed])

    def _reader(self, subject: str) -> Shelves:
        seen = command_pipeline.seen_by(self._stream, subject, self._world.keyring)
        return Shelves(
            self.scratch,
            self._stream,
            self._world.keyring,
            self.desk.seq,
            subjects=seen,
            at_hand=self._at_hand,
        )


def _compare(batch: list[Entry], again: list[Entry]) -> None:
    for place, entry in enumerate(batch):
        if place >= len(again) or not _is_same(again[place], entry):
            raise ReplayDivergedError(f"entry {entry.seq} is decided differently now")
    if len(again) != len(batch):
        raise ReplayDivergedError(f"the batch of entry {batch[0].seq} has more entries now")


def _is_same(again: Entry, stored: Entry) -> bool:
    """What a sealed part says is hashed with the header; how it is packed is the compressor's."""
    return (again.seq, again.hash, again.header, again.operation, _subjects(again)) == (
        stored.seq,
        stored.hash,
        stored.header,
        stored.operation,
        _subjects(stored),
    )


def _subjects(entry: Entry) -> list[str | None]:
    return [part.subject if part else None for part in entry.parts]


def batches(entries: Iterable[Entry]) -> Iterable[list[Entry]]:
    """Entries that belong to one command: a batch begins where something was received."""
    batch: list[Entry] = []
    for entry in entries:
        if entry.operation and batch:
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch
