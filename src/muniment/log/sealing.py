"""Sealing: commitments and encryption under a subject's key and a period's; either's loss erases.

Salt, encryption key and nonce are all derived from these keys and the entry's place, so a replay
gives identical bytes, and one destroyed key takes payload, salt and guessability with it.
The nonce depends on the sealed bytes too: after a crash the same place may be tried with others,
and a repeated nonce under one key would betray both.
A part is packed before it is sealed. The chain commits to what it says and not to its packing,
which another build of the compressor may spell otherwise.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from muniment.log import compression
from muniment.log.entry import Commitment, SealedPart
from muniment.model.errors import IntegrityError, KeystoreError
from muniment.model.ids import keyed_digest

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
SEALED_BYTES: Final = NONCE_BYTES + TAG_BYTES  # more than when it is open
TOKEN_BYTES: Final = 16
BLOCK_BYTES: Final = 16  # of the cipher
READ_BYTES: Final = 1 << 18  # of a large blob at a time: they stay close to the processor
FRAGMENT: Final = b"muniment/v1/fragment\x00"
PAYLOAD: Final = b"muniment/v1/payload\x00"
NONCE: Final = b"muniment/v1/nonce\x00"
TOKEN: Final = b"muniment/v1/token\x00"

Read = Callable[[int, int], bytes | memoryview]  # so many bytes, from a place on


class Keyring(Protocol):
    """Names to references, references to keys. A destroyed key answers None for ever."""

    def ref(self, kind: str, name: str) -> str: ...
    def name(self, ref: str) -> str | None: ...
    def key(self, ref: str) -> bytes | None: ...
    def known(self, kind: str) -> list[tuple[str, str]]: ...
    def find(self, kind: str, name: str) -> str | None: ...

    def strays(self, logs: Iterable[str]) -> list[str]:
        """Logs that lie here, and whose reference this keyring never gave out."""

    def destroy(self, ref: str) -> None: ...

    def generation(self) -> bytes:
        """Another value after every destruction, in this process or any other: what was opened
        before it may hold what must be gone.
        """

    def close(self) -> None:
        """Let go of what is held open; whoever asks again opens it again."""


def keyless(log: str) -> KeystoreError:
    """A log lies here that nobody can open, name or prove."""
    return KeystoreError(
        f"the log {log[:8]} has no key here: the keys are older than the log,"
        " or the file belongs to another memory"
    )


def part_key(keyring: Keyring, refs: Iterable[str]) -> bytes | None:
    """What opens a part, of the keys that it names; nothing as soon as one of them is destroyed."""
    keys = [keyring.key(ref) for ref in refs]
    return None if None in keys else b"".join(key for key in keys if key)


def seal(
    key: bytes,
    subject: str,
    place: bytes,
    content: bytes,
    *,
    period: str = "",
    encrypts: bool = True,
) -> tuple[Commitment, SealedPart]:
    """Commit to the content and encrypt it, for one place in one stream.

    What is only tried out need not be encrypted: the part then says whose it is, and no more.
    """
    salt, secret = _derive(key, place)
    commitment = keyed_digest(salt, PAYLOAD + content)
    told = Commitment(
        subject=subject, commitment=commitment.hex(), bucket=_bucket(len(content)), period=period
    )
    data = _encrypted(salt, secret, place, compression.pack(content)) if encrypts else b""
    return told, SealedPart(subject=subject, data=data)


def open_part(key: bytes, place: bytes, told: Commitment, part: SealedPart) -> bytes:
    """The content again, checked against the commitment that the chain holds."""
    salt, secret = _derive(key, place)
    nonce, body = part.data[:NONCE_BYTES], part.data[NONCE_BYTES:]
    try:
        content = compression.unpack(AESGCM(secret).decrypt(nonce, body, place))
    except (InvalidTag, ValueError):  # not its bytes, or too few to be any
        raise IntegrityError("a sealed part cannot be decrypted with its subject's key") from None
    if keyed_digest(salt, PAYLOAD + content).hex() != told.commitment:
        raise IntegrityError("a sealed part is not what the chain committed to")
    return content


def revealed(key: bytes, place: bytes, told: Commitment, part: SealedPart) -> tuple[bytes, bytes]:
    """Salt and content of one part: with both, and with nothing else, anybody can check it.

    The salt is of this place alone, and neither the key nor another salt follows from it.
    """
    return _derive(key, place)[0], open_part(key, place, told, part)


def committed(salt: bytes, content: bytes) -> str:
    """What the chain says of a content that somebody reveals with its salt."""
    return keyed_digest(salt, PAYLOAD + content).hex()


def token(key: bytes, text: str) -> bytes:
    """A keyed name to look something up by: without the key it says nothing."""
    return hashlib.blake2b(TOKEN + text.encode(), key=key, digest_size=TOKEN_BYTES).digest()


def pseudonym(key: bytes, text: str) -> str:
    """What stands for a redacted value: equal values look equal, and only while the key lives."""
    return keyed_digest(key, b"muniment/v1/pseudonym\x00" + text.encode()).hex()[:16]


def seal_blob(key: bytes, place: str, content: bytes) -> bytes:
    """Encrypt a derived blob (a desk checkpoint, a segment) that no chain commits to."""
    salt, secret = _derive(key, place.encode())
    return _encrypted(salt, secret, place.encode(), content)


def open_blob(key: bytes, place: str, data: bytes) -> bytes:
    _, secret = _derive(key, place.encode())
    sealed = memoryview(data)  # these are large: nothing is copied on the way
    try:
        return AESGCM(secret).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
    except (InvalidTag, ValueError):
        raise IntegrityError("a derived blob cannot be decrypted with its stream's key") from None


def open_large(key: bytes, place: str, read: Read, room: memoryview) -> None:
    """A blob that is read part by part, opened into a place: none of it lies anywhere else.

    What stands there counts for nothing before this has ended: only then is all of it checked.
    """
    _, secret = _derive(key, place.encode())
    if len(room) <= READ_BYTES - SEALED_BYTES:
        _open_small(secret, place, read(0, len(room) + SEALED_BYTES), room)
        return
    opening = Cipher(algorithms.AES(secret), modes.GCM(bytes(read(0, NONCE_BYTES)))).decryptor()
    opening.authenticate_additional_data(place.encode())
    at = 0
    while (left := len(room) - at) > READ_BYTES:
        size = min(READ_BYTES, left - BLOCK_BYTES)  # it wants to see more room than it needs
        opening.update_into(read(NONCE_BYTES + at, size), room[at:])
        at += size
    room[at:] = opening.update(read(NONCE_BYTES + at, len(room) - at))
    try:
        opening.finalize_with_tag(bytes(read(NONCE_BYTES + len(room), TAG_BYTES)))
    except InvalidTag:
        raise IntegrityError("a derived blob cannot be decrypted with its stream's key") from None


def _encrypted(salt: bytes, secret: bytes, place: bytes, data: bytes) -> bytes:
    nonce = keyed_digest(salt, NONCE + data)[:NONCE_BYTES]
    return nonce + AESGCM(secret).encrypt(nonce, data, place)


def _open_small(secret: bytes, place: str, data: bytes | memoryview, room: memoryview) -> None:
    sealed = memoryview(data)
    try:
        AESGCM(secret).decrypt_into(
            sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode(), room
        )
    except InvalidTag:
        raise IntegrityError("a derived blob cannot be decrypted with its stream's key") from None


def room_for(size: int) -> int:
    """How many bytes a blob of so many has when it is open."""
    return max(size - SEALED_BYTES, 0)


def _derive(key: bytes, place: bytes) -> tuple[bytes, bytes]:
    # The key is uniform and random, so one keyed hash over the place is derivation enough. It takes
    # up to 64 bytes: two keys fit as they are.
    derived = hashlib.blake2b(FRAGMENT + place, key=key, digest_size=2 * KEY_BYTES).digest()
    return derived[:KEY_BYTES], derived[KEY_BYTES:]


def _bucket(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()
