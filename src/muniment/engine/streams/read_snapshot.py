"""Read snapshot: the state that one read depends on, which its receipt names."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from muniment.layers.desk import Desk
from muniment.log.entry import Head
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Evidence, Fact
from muniment.model.scope import StreamId


class DeskAtHead(NamedTuple):
    """A desk and the head it stands at, always assigned as one: other threads may be looking."""

    desk: Desk
    head: Head


class ReadSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A reader's own log, the council's facts, and the heads of both at one moment."""

    at: int | None  # as it was asked for: an entry, or now
    seq: int  # where the reader's own log is read
    desk: Desk  # of now: what may be shown is today's to say, also of the past
    reads: dict[str, int]
    council: int  # where the council's log is read
    shared: dict[StreamId, int] = {}  # the spaces that this reader shares, and where each is read
    facts: list[Fact]  # that the reader may know of, of then or of the day that is asked about
    own: list[Fact]  # those about the reader's user
    stamp: str  # of the facts of then that the reader may know of: what a decision rests on

    def evidence(self, found: Sequence[str]) -> list[Evidence]:
        """What a decision that uses these results rests on: each item, and the facts of then."""
        return [
            Evidence(episodic_id=each, sem_snapshot_hash=self.stamp)
            if each.startswith("ep:")
            else Evidence(sem_keys=(each,), sem_snapshot_hash=self.stamp)
            for each in found
        ]


def placed(at: object, head: int) -> int:
    """The seq to read at in a log that has reached `head`."""
    if at is None:
        return head
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= head:
        raise InputError(f"an entry is a whole number from 0 to {head}")
    return at
