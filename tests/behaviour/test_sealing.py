"""A large blob is opened part by part, and counts only when all of it has been checked."""

import pytest

from muniment.log import sealing
from muniment.log.sealing import READ_BYTES, SEALED_BYTES
from muniment.model.errors import IntegrityError

KEY = bytes(range(32))
PLACE = "recall:somebody\x00codes"


def content(size: int) -> bytes:
    return bytes(n * 31 % 251 for n in range(size))


def opened(data: bytes, *, place: str = PLACE, key: bytes = KEY) -> bytes:
    room = bytearray(sealing.room_for(len(data)))
    asked: list[int] = []

    def read(at: int, size: int) -> bytes:
        asked.append(size)
        return data[at : at + size]

    sealing.open_large(key, place, read, memoryview(room))
    assert max(asked) <= READ_BYTES, "no more is at hand at a time"
    return bytes(room)


@pytest.mark.parametrize(
    "size",
    [
        0,
        1,
        READ_BYTES - SEALED_BYTES,
        READ_BYTES - SEALED_BYTES + 1,
        READ_BYTES,
        READ_BYTES + 1,
        READ_BYTES + 16,
        READ_BYTES + 17,
        3 * READ_BYTES,
        3 * READ_BYTES + 5,
    ],
)
def test_a_blob_of_any_size_opens_as_it_was_sealed(size: int) -> None:
    told = content(size)
    sealed = sealing.seal_blob(KEY, PLACE, told)

    assert opened(sealed) == told == sealing.open_blob(KEY, PLACE, sealed)


@pytest.mark.parametrize("size", [10, 2 * READ_BYTES + 10])
def test_a_blob_that_was_changed_or_moved_or_is_anothers_does_not_open(size: int) -> None:
    sealed = sealing.seal_blob(KEY, PLACE, content(size))

    for at in (0, sealing.NONCE_BYTES, len(sealed) // 2, len(sealed) - 1):
        spoilt = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises(IntegrityError):
            opened(spoilt)
    with pytest.raises(IntegrityError):
        opened(sealed, place=PLACE + "!")
    with pytest.raises(IntegrityError):
        opened(sealed, key=bytes(32))
