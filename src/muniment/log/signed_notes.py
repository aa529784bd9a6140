"""Signed notes (C2SP): the signed head of a log, strictly parsed.

    muniment/<reference of the log>/e<epoch>
    <entries>
    <root of the tree, base64>

    — <name of the key> <base64 of its id and the signature>

Witnesses and verifiers that others have written read this text too. The origin names nobody: the
reference is the one that the log's own first link is made of.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from muniment.log.merkle_tree import HASH_BYTES
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern

ED25519: Final = 1  # the type of a key is a byte of its text, not an assumption
ID_BYTES: Final = 4
NOTE_CHARACTERS_MAX: Final = 16_384
SIGNATURES_MAX: Final = 16
DASH: Final = "\N{EM DASH} "
HEIR: Final = "muniment/heir"
ORIGIN: Final = lazy_pattern(r"muniment/([0-9a-f]{32})/e([1-9][0-9]{0,8})", re.ASCII)
SIZE: Final = lazy_pattern(r"0|[1-9][0-9]{0,15}", re.ASCII)
NAME: Final = lazy_pattern(r"[!-*,-~]{1,255}", re.ASCII)  # what is seen, and no plus


class PublicKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is handed out: `<name>+<id>+<base64 of its type and bytes>`."""

    name: str
    kind: int
    data: bytes

    @property
    def id(self) -> bytes:
        kind = self.kind.to_bytes(1, "big")
        return hashlib.sha256(self.name.encode() + b"\n" + kind + self.data).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        told = base64_of(self.kind.to_bytes(1, "big") + self.data)
        return f"{self.name}+{self.id.hex()}+{told}"


class SecretKey(msgspec.Struct, frozen=True, kw_only=True):
    """What signs; of the keys there are, it knows Ed25519."""

    name: str
    seed: bytes

    @property
    def public(self) -> PublicKey:
        data = self._key.public_key().public_bytes_raw()
        return PublicKey(name=self.name, kind=ED25519, data=data)

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def line(self, text: str) -> str:
        """The line under a text that says: this key has signed it."""
        told = base64_of(self.public.id + self._key.sign(text.encode()))
        return f"{DASH}{self.name} {told}\n"


class TreeHead(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log stood: how many entries, and the root of the tree over their hashes."""

    ref: str
    epoch: int  # the next one begins where a log was put back, and went on otherwise
    size: int
    root: bytes

    @property
    def origin(self) -> str:
        return f"muniment/{self.ref}/e{self.epoch}"

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"


class SignedNote(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    signatures: tuple[tuple[str, bytes], ...]  # the name of a key; its id and the signature


def signed(text: str, *keys: SecretKey) -> str:
    return f"{text}\n{''.join(key.line(text) for key in keys)}"


def opened(note: str, keys: Iterable[PublicKey]) -> str:
    """The text of a note, if one of these keys has signed it; a wrong signature spoils it."""
    read = parse(note)
    known = {(key.name, key.id): key for key in keys}
    good = False
    for name, data in read.signatures:
        key = known.get((name, data[:ID_BYTES]))
        if key is not None:
            _check(key, read.text, data[ID_BYTES:])
            good = True
    if not good:
        raise InputError("none of the known keys has signed that")
    return read.text


def parse(note: str) -> SignedNote:
    if len(note) > NOTE_CHARACTERS_MAX or any(each < " " and each != "\n" for each in note):
        raise InputError("that is not a signed note: too long, or with invisible characters")
    body, blank, below = note.rpartition("\n\n")
    lines = below.split("\n")
    if not blank or lines.pop() or not 1 <= len(lines) <= SIGNATURES_MAX:
        raise InputError("that is not a signed note: text, an empty line, signatures")
    return SignedNote(text=f"{body}\n", signatures=tuple(_signature(line) for line in lines))


def head_of(text: str) -> TreeHead:
    """The head that a note's text states, spelled in the one way there is."""
    lines = text.split("\n")
    origin = ORIGIN.fullmatch(lines[0])
    if len(lines) != len(("origin", "size", "root", "")) or lines[-1] or not origin:
        raise InputError("that is not the head of a log: an origin, a size, a root")
    if not SIZE.fullmatch(lines[1]):
        raise InputError("the size of a head is a whole number without leading zeros")
    root = bytes_of(lines[2])
    if len(root) != HASH_BYTES:
        raise InputError(f"the root of a head has {HASH_BYTES} bytes")
    return TreeHead(ref=origin[1], epoch=int(origin[2]), size=int(lines[1]), root=root)


def key_of(text: str) -> PublicKey:
    """A public key from its text; its id must be the one that follows from it."""
    name, _, rest = text.partition("+")
    told, _, data = rest.partition("+")
    raw = bytes_of(data)
    if not NAME.fullmatch(name) or len(raw) != 1 + HASH_BYTES or raw[0] != ED25519:
        raise InputError("that is not a public key: a name, an id and an Ed25519 key, with a plus")
    key = PublicKey(name=name, kind=raw[0], data=raw[1:])
    if key.id.hex() != told:
        raise InputError("the id of that public key does not match")
    return key


def heir(old: SecretKey, new: SecretKey) -> str:
    """The old key says that the new one signs from here on; the new one agrees."""
    return signed(f"{HEIR}\n{old.public.text}\n{new.public.text}\n", old, new)


def heir_of(note: str, old: PublicKey) -> PublicKey:
    """The key that an old one has named; both must have signed."""
    lines = opened(note, [old]).split("\n")
    if len(lines) != len((HEIR, "old", "new", "")) or lines[0] != HEIR or lines[1] != old.text:
        raise InputError("that does not name the successor of this key")
    new = key_of(lines[2])
    opened(note, [new])
    return new


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def bytes_of(text: str) -> bytes:
    """Base64 in its one spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data or base64_of(data) != text:
        raise InputError("that is not canonical base64")
    return data


def _signature(line: str) -> tuple[str, bytes]:
    name, blank, told = line.removeprefix(DASH).partition(" ")
    data = bytes_of(told)
    if not line.startswith(DASH) or not blank or not NAME.fullmatch(name) or len(data) <= ID_BYTES:
        raise InputError("a signature line is a dash, the name of a key, and base64")
    return name, data


def _check(key: PublicKey, text: str, signature: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(key.data).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise InputError(f"the signature of {key.name} is not valid") from None
