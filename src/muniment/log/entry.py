"""Log entry: a header that is hashed, and sealed parts that lie beside it."""

from __future__ import annotations

from typing import Final

import msgspec

from muniment.model import canonical_json
from muniment.model import lazy_events as events

# The next number whenever a value inside an event says more: only whole events guard themselves.
FORMAT: Final = 1
GENESIS: Final = b"genesis"
EVENT: Final = "muniment/v1/event"
ORDINARY: Final = 4096  # bytes; an entry that is longer counts as several


class Commitment(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What the header says of a sealed part: whose it is, and that it was exactly this."""

    subject: str  # a reference
    commitment: str
    bucket: int  # the next power of two of its length: an erased text leaves not even its size
    period: str = ""  # a reference: its key opens the part together with the subject's

    @property
    def keys(self) -> tuple[str, ...]:
        """The references of all keys that it takes to open the part."""
        return (self.subject, self.period) if self.period else (self.subject,)


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hashed part of an entry. It names nobody: references, counters, codes, commitments."""

    v: int
    seq: int
    id: str
    type: str
    cause: int  # the seq of the batch's first entry: what was asked
    job: int
    tick: int
    ts: str
    policy: str
    body: msgspec.Raw
    parts: tuple[Commitment, ...]


class SealedPart(msgspec.Struct, frozen=True, kw_only=True):
    subject: str
    data: bytes


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as a store keeps it: bytes, never spelled again."""

    seq: int
    hash: bytes
    header: bytes
    parts: tuple[SealedPart | None, ...] = ()  # None: shredded
    operation: str = ""  # the idempotency key, on the first entry of a batch


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as the engine reads it: opened, decoded, in its place."""

    header: Header
    hash: bytes
    event: events.AnyEvent | events.Shredded

    @property
    def seq(self) -> int:
        return self.header.seq

    def is_only_about(self, subject: str) -> bool:
        """Whether every part is sealed for one subject; a stream's own reference is nobody's."""
        return all(part.subject == subject for part in self.header.parts)


class OpenedEntry(Entry, frozen=True, kw_only=True):
    """One entry of a log that is only tried out, in memory: committed to, and never encrypted."""

    line: Line


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a stream stands: the seq of its last entry and that entry's hash."""

    seq: int
    hash: bytes


def genesis(origin: str) -> Head:
    """The head of an empty stream; its first entry is number 1."""
    return Head(seq=0, hash=canonical_json.digest(EVENT, GENESIS, origin.encode()))


def link(previous: bytes, header: bytes) -> bytes:
    return canonical_json.digest(EVENT, previous, header)


def weight(header: Header) -> int:
    """What it takes to hear an entry, in ordinary ones, however small it is packed."""
    size = len(bytes(header.body)) + sum(part.bucket for part in header.parts)
    return 1 + size // ORDINARY
