"""Blobs: several byte strings as one, each laid where it can be read without being copied."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from muniment.model.errors import InputError

ALIGNED: Final = 16  # bytes; no number in them is wider
WORD: Final = 8

Blob = bytes | memoryview


def packed(blobs: Sequence[Blob]) -> bytes:
    """How many they are, how long each is, then each from an aligned place on."""
    sizes = [len(blob) for blob in blobs]
    head = b"".join(size.to_bytes(WORD, "little") for size in (len(sizes), *sizes))
    padded = [part for blob in (head, *blobs) for part in (blob, bytes(-len(blob) % ALIGNED))]
    return b"".join(padded)


def unpacked(data: Blob) -> list[memoryview]:
    """The same again, as views into the data."""
    whole = memoryview(data)
    count = int.from_bytes(whole[:WORD], "little")
    head = (count + 1) * WORD
    if head > len(whole):
        raise InputError("these are not blobs that were packed here")
    sizes = [int.from_bytes(whole[at : at + WORD], "little") for at in range(WORD, head, WORD)]
    places = list(accumulate((_up(size) for size in sizes), initial=_up(head)))
    if places[-1] != len(whole):
        raise InputError("these are not blobs that were packed here")
    return [whole[at : at + size] for at, size in zip(places, sizes, strict=False)]


def _up(size: int) -> int:
    return size + -size % ALIGNED
