"""Passport: signed export of what an agent knows about a person, with a proof per record.

The first line is the head and its signature, each other line a record of the exchange format. A
record's proof is the entry it stands in, opened, and the way from there to the signed root of its
log. Nothing here needs the installation that made it.
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from muniment.engine.exchange import export_records
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.log import chain, codec, merkle_tree, sealing, signed_notes
from muniment.log.entry import Entry, link
from muniment.log.signed_notes import PublicKey, TreeHead
from muniment.model.errors import UNREADABLE, InputError, MunimentError
from muniment.model.events import AnyEvent, Shredded
from muniment.model.kinds.carried_record import KIND_OF

FORMAT: Final = "muniment-passport"
VERSION: Final = 1


class PassportUnreadableError(InputError):
    """It is no passport, or one of another version."""

    code = "PASSPORT_UNREADABLE"
    sentence = "That is no passport that I can read."


class PassportChangedError(InputError):
    """The passport is not what was signed, or a proof in it does not hold."""

    code = "PASSPORT_CHANGED"
    sentence = "That passport was changed after it was signed."


class PassportKeyError(InputError):
    """Another key has signed it than the one that is trusted."""

    code = "PASSPORT_OTHER_KEY"
    status = 403
    sentence = "That passport is signed by somebody else."


class PassportPersonError(InputError):
    """It is about somebody else than it is taken in for."""

    code = "PASSPORT_OTHER_PERSON"
    status = 403
    sentence = "That passport is somebody else's."


class PassportReplayedError(InputError):
    """It was taken in here before."""

    code = "PASSPORT_REPLAYED"
    status = 409
    sentence = "I have taken in that passport already."


class EntryProof(msgspec.Struct, frozen=True, kw_only=True):
    """One entry, opened, and its way to the root that its log's head states; all in base64."""

    origin: str
    after: str  # the hash that the entry's own follows from
    header: str
    salt: str
    content: str
    path: tuple[str, ...]


class PassportLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record, and its proof where the record shows all that its entry says."""

    record: ExchangeLine
    proof: EntryProof | None = None


class PassportHead(msgspec.Struct, frozen=True, kw_only=True):
    """Whose passport it is, who made it and when, and what it holds."""

    format: str
    version: int
    serial: str
    person: str
    subject: str  # the reference that the logs of its maker have for this person
    issued: str
    key: str  # the maker's public key
    heads: tuple[str, ...]  # signed notes: where each log stood
    lines: int
    sha256: str  # of the lines


class SignedPassport(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    passport: PassportHead
    signature: str


class VerifiedPassport(msgspec.Struct, frozen=True, kw_only=True):
    """A passport that is what its maker signed."""

    head: PassportHead
    lines: tuple[PassportLine, ...]

    @property
    def proved(self) -> int:
        """Records whose words are those of an entry under a signed root; the rest is signed."""
        return sum(line.proof is not None for line in self.lines)


def signed_text(head: PassportHead) -> str:
    """What the signature of a passport says."""
    digest = hashlib.sha256(msgspec.json.encode(head, order="sorted")).hexdigest()
    return f"{FORMAT} {VERSION}\n{digest}\n"


def encoded(first: SignedPassport, lines: Sequence[bytes]) -> bytes:
    return b"\n".join((msgspec.json.encode(first, order="sorted"), *lines, b""))


def verify(data: bytes, *, key: str = "", person: str = "") -> VerifiedPassport:
    """The passport, if it is whole, of this key and about this person; without a key, of its own.

    A passport that is checked by the key it names shows only that nobody changed it since.
    """
    first, lines = _read(data)
    head = first.passport
    named = _key(head.key)
    trusted = signed_notes.key_of(key) if key else named
    if named != trusted:
        raise PassportKeyError("it was signed by another key than the trusted one")
    _check_signature(first, trusted)
    if head.lines != len(lines) or head.sha256 != digest_of(lines):
        raise PassportChangedError("its lines differ from what was signed")
    if person and head.person != person:
        raise PassportPersonError("it is not about this person")
    roots = {its.origin: its for its in (_head(note, trusted) for note in head.heads)}
    read = tuple(_line(number, line) for number, line in enumerate(lines, start=1))
    for number, line in enumerate(read, start=1):
        _check_line(number, line, head, roots)
    return VerifiedPassport(head=head, lines=read)


def digest_of(lines: Sequence[bytes]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


def _read(data: bytes) -> tuple[SignedPassport, list[bytes]]:
    first, *lines = data.split(b"\n")
    if not lines or lines.pop():
        raise PassportChangedError("it is truncated: its last line is incomplete")
    try:
        read = msgspec.json.decode(first, type=SignedPassport)
    except UNREADABLE as error:
        raise PassportUnreadableError(f"its first line: {error}") from None
    if (read.passport.format, read.passport.version) != (FORMAT, VERSION):
        raise PassportUnreadableError(f"this reads {FORMAT} {VERSION}")
    return read, lines


def _check_signature(first: SignedPassport, key: PublicKey) -> None:
    try:
        said = signed_notes.opened(first.signature, [key])
    except InputError as error:
        raise PassportChangedError(error.detail) from None
    if said != signed_text(first.passport):
        raise PassportChangedError("the signature belongs to another head")


def _key(text: str) -> PublicKey:
    try:
        return signed_notes.key_of(text)
    except InputError as error:
        raise PassportChangedError(error.detail) from None


def _head(note: str, key: PublicKey) -> TreeHead:
    try:
        return signed_notes.head_of(signed_notes.opened(note, [key]))
    except InputError as error:
        raise PassportChangedError(error.detail) from None


def _line(number: int, line: bytes) -> PassportLine:
    try:
        found = msgspec.json.decode(line, type=PassportLine)
    except UNREADABLE as error:
        raise PassportUnreadableError(f"line {number}: {error}") from None
    if found.record.event not in KIND_OF:
        raise PassportUnreadableError(f"line {number}: there is no record {found.record.event!r}")
    return found


def _check_line(
    number: int, line: PassportLine, head: PassportHead, roots: dict[str, TreeHead]
) -> None:
    if line.record.user != head.person:
        raise PassportPersonError(f"line {number} is about somebody else")
    if line.proof is None:
        return
    try:
        holds = is_proved(line.record, line.proof, head.subject, roots)
    except (MunimentError, binascii.Error, ValueError, IndexError) as error:
        raise PassportChangedError(f"line {number}: its proof cannot be read") from error
    if not holds:
        raise PassportChangedError(f"line {number}: its proof does not hold")


def is_proved(
    record: ExchangeLine, proof: EntryProof, subject: str, roots: dict[str, TreeHead]
) -> bool:
    """Whether a signed root stands over an entry of this person that says this and nothing else."""
    data, root = _raw(proof.header), roots.get(proof.origin)
    hashed = link(_raw(proof.after), data)
    header = chain.header_of(Entry(seq=record.seq, header=data, hash=hashed, parts=()))
    content = _raw(proof.content)
    (told,) = header.parts
    event = codec.join(header.type, header.body, content)
    return (
        root is not None
        and header.seq == record.seq
        and told.subject == subject
        and told.commitment == sealing.committed(_raw(proof.salt), content)
        and not isinstance(event, Shredded)
        and header.type == record.event
        and shows_all(record, event)
        and merkle_tree.includes(
            hashed,
            header.seq - 1,
            size=root.size,
            root=root.root,
            path=[_raw(each) for each in proof.path],
        )
    )


def shows_all(record: ExchangeLine, event: AnyEvent) -> bool:
    """Whether a record tells all of an event, and the event says nothing beyond it."""
    told, said = (
        msgspec.json.encode(each, order="sorted")
        for each in (record.data, export_records.fields(event))
    )
    return told == said and not getattr(event, "raw", None)


def spelled(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _raw(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
