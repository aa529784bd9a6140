"""Hash chain: seal, link and verify entries; a change of one breaks the chain."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Final

import msgspec

from muniment.log import codec, sealing, store_checks
from muniment.log.entry import (
    FORMAT,
    Commitment,
    Entry,
    Head,
    Header,
    Line,
    OpenedEntry,
    SealedPart,
    genesis,
    link,
)
from muniment.log.store import EventLog
from muniment.model import canonical_json
from muniment.model.errors import UNREADABLE, BeingErasedError, IntegrityError, NewerError
from muniment.model.events import AnyEvent

Sealed = tuple[Line, Entry]
SPAN: Final = 65_536  # entries of which a store is asked at once whom they are about
TOGETHER: Final = 4_096  # entries that are picked at once, and so held at once
FEW: Final = 16  # so many in a row, or as short a log, are read: asking first would cost more
HEADERS_KEPT: Final = 256  # decoded: those of the entries that reads look at again and again

_headers = msgspec.json.Decoder(Header)


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event with everything its header needs but its place."""

    event: AnyEvent
    id: str
    job: int
    tick: int
    ts: str
    policy: str
    subject: str  # a reference
    period: str = ""  # another


def seal(
    drafts: Iterable[Draft],
    *,
    origin: str,
    after: Head,
    operation: str,
    keyring: sealing.Keyring,
    encrypts: bool = True,
) -> list[Sealed]:
    """Number, commit to the payloads, link; one batch, whose first entry carries the key.

    What is only tried out, in memory, has the same hashes and need not be encrypted.
    """
    sealed: list[Sealed] = []
    head, first = after, after.seq + 1
    for draft in drafts:
        header, part = _header(
            draft, origin=origin, seq=head.seq + 1, cause=first, keyring=keyring, encrypts=encrypts
        )
        data = canonical_json.encode(header)
        head = Head(seq=header.seq, hash=link(head.hash, data))
        line = Line(header=header, hash=head.hash, event=draft.event)
        made: Callable[..., Entry] = Entry if encrypts else partial(OpenedEntry, line=line)
        entry = made(
            seq=header.seq,
            hash=head.hash,
            header=data,
            parts=(part,) if part else (),
            operation=operation if header.seq == first else "",
        )
        sealed.append((line, entry))
    return sealed


def header_of(entry: Entry) -> Header:
    if isinstance(entry, OpenedEntry):
        return entry.line.header
    try:
        header = _decoded(entry.header)
    except msgspec.ValidationError as error:
        raise NewerError(f"a newer program has written entry {entry.seq}: {error}") from None
    except UNREADABLE:
        raise IntegrityError(f"entry {entry.seq} was changed: it cannot be read") from None
    if header.v > FORMAT:
        raise NewerError(f"a newer program has written entry {entry.seq}, in format {header.v}")
    return header


@lru_cache(maxsize=HEADERS_KEPT)  # who may see an entry is asked again with every read
def _decoded(header: bytes) -> Header:
    return _headers.decode(header)


def open_entry(entry: Entry, *, origin: str, keyring: sealing.Keyring) -> Line:
    """Decode one entry; a part whose key is destroyed yields a shredded event."""
    if isinstance(entry, OpenedEntry):
        return entry.line
    header = header_of(entry)
    content: bytes | None = b""
    if header.parts:
        content = _content(header, entry, origin=origin, keyring=keyring)
    event = codec.join(header.type, header.body, content)
    return Line(header=header, hash=entry.hash, event=event)


def glimpse(entry: Entry) -> Line:
    """An entry without its sealed content: its structure, as an erasure would leave it."""
    header = header_of(entry)
    event = codec.join(header.type, header.body, None if header.parts else b"")
    return Line(header=header, hash=entry.hash, event=event)


def sealed_under(entries: Iterable[Entry], refs: Container[str]) -> list[int]:
    """Where the entries are that still have a part which one of these keys has sealed."""
    return [
        entry.seq
        for entry in entries
        if any(entry.parts)
        and any(ref in refs for part in header_of(entry).parts for ref in part.keys)
    ]


def verify(entries: Iterable[Entry], *, after: Head) -> Iterator[Head]:
    """Recompute every link from the stored bytes; yields the head after each entry."""
    head = after
    for entry in entries:
        _expect(entry, after=head)
        if header_of(entry).seq != entry.seq:
            raise IntegrityError(f"entry {entry.seq} has another position in its header")
        head = Head(seq=entry.seq, hash=entry.hash)
        yield head


def linked(log: EventLog, stream: str, *, after: int, upto: int | None) -> Iterator[Entry]:
    """Entries as they are read, each link recomputed; the first has one only at the beginning."""
    before = genesis(stream) if after <= 0 else None
    for entry in log.read(stream, after=after, upto=upto):
        if before is not None:
            _expect(entry, after=before)
        before = Head(seq=entry.seq, hash=entry.hash)
        yield entry


def about(
    log: EventLog, stream: str, subjects: frozenset[str] | None, *, after: int, upto: int
) -> Iterator[Entry]:
    """The entries that hold nothing about anybody else, in order; all where no subjects are named.

    Their links are not followed: whoever wants to see that none is missing reads the whole log.
    """
    if subjects is None or upto - after <= FEW:
        for entry in log.read(stream, after=after, upto=upto):
            if subjects is None or store_checks.is_about(entry, subjects):
                yield entry
        return
    for start in range(after, upto, SPAN):
        found = log.about(stream, subjects, after=start, upto=min(start + SPAN, upto))
        yield from _at(log, stream, found)


def _at(log: EventLog, stream: str, seqs: Sequence[int]) -> Iterator[Entry]:
    """Those that stand in a row are read, the others picked."""
    alone: list[int] = []
    for _, row in groupby(enumerate(seqs), key=lambda each: each[1] - each[0]):
        run = [seq for _, seq in row]
        if len(run) <= FEW:
            alone += run
        if len(run) > FEW or len(alone) >= TOGETHER:
            yield from log.pick(stream, alone)
            alone = []
        if len(run) > FEW:
            yield from log.read(stream, after=run[0] - 1, upto=run[-1])
    yield from log.pick(stream, alone)


def _expect(entry: Entry, *, after: Head) -> None:
    if entry.seq != after.seq + 1:
        raise IntegrityError(f"entry {after.seq + 1} is missing: the next one is {entry.seq}")
    if link(after.hash, entry.header) != entry.hash:
        raise IntegrityError(f"entry {entry.seq} was changed: its hash does not match")


def place(origin: str, seq: int, part: int) -> bytes:
    return f"{origin}\x00{seq}\x00{part}".encode()


def _header(
    draft: Draft, *, origin: str, seq: int, cause: int, keyring: sealing.Keyring, encrypts: bool
) -> tuple[Header, SealedPart | None]:
    body, content = codec.split(draft.event)
    told: tuple[Commitment, ...] = ()
    part: SealedPart | None = None
    if content:
        refs = (draft.subject, draft.period) if draft.period else (draft.subject,)
        key = sealing.part_key(keyring, refs)
        if key is None:
            raise BeingErasedError  # between looking up their reference and this their key went
        commitment, part = sealing.seal(
            key,
            draft.subject,
            place(origin, seq, 0),
            content,
            period=draft.period,
            encrypts=encrypts,
        )
        told = (commitment,)
    header = Header(
        v=FORMAT,
        seq=seq,
        id=draft.id,
        type=codec.wire_name(draft.event),
        cause=cause,
        job=draft.job,
        tick=draft.tick,
        ts=draft.ts,
        policy=draft.policy,
        body=msgspec.Raw(body),
        parts=told,
    )
    return header, part


def _content(
    header: Header, entry: Entry, *, origin: str, keyring: sealing.Keyring
) -> bytes | None:
    told, part = header.parts[0], entry.parts[0] if entry.parts else None
    key = sealing.part_key(keyring, told.keys)
    if key is None:
        return None
    if part is None:
        # An erasure destroys the key first: content that is missing while its key lives was taken.
        raise IntegrityError(f"the content of entry {header.seq} is missing without an erasure")
    return sealing.open_part(key, place(origin, header.seq, 0), told, part)
