"""Blobs: several byte strings as one, each laid where it can be read without being copied."""

import struct
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
    return [whole[here] for here in places(whole, len(whole))]


def places(data: Blob, size: int) -> list[slice]:
    """Where each lies, of so many bytes in all, of which the first are at hand."""
    count = int.from_bytes(data[:WORD], "little")
    if head_size(count) > len(data):
        raise InputError("these are not blobs that were packed here")
    sizes = struct.unpack_from(f"<{count}Q", data, WORD)
    starts = list(accumulate((_up(size) for size in sizes), initial=_up(head_size(count))))
    if starts[-1] != size:
        raise InputError("these are not blobs that were packed here")
    return [slice(at, at + each) for at, each in zip(starts, sizes, strict=False)]


def head_size(count: int) -> int:
    """Of so many blobs: what has to be at hand to know where they lie."""
    return (count + 1) * WORD


def _up(size: int) -> int:
    return size + -size % ALIGNED
