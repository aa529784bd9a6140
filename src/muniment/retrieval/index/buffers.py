"""Buffers: several arrays, or several byte strings, in one allocation.

A system gives out one large piece in far less time than many small ones, page by page. Byte
strings (blobs) lie where each can be read without being copied.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Final

from muniment.model.errors import InputError
from muniment.retrieval import arrays as np

ALIGNED: Final = 64  # bytes; where an array may begin
GROWTH_SHARE: Final = 8  # of what there is, added when an array is full
GROWTH_MIN: Final = 16
BLOB_ALIGNED: Final = 16  # bytes; no number in a blob is wider
BLOB_WORD: Final = 8

Shape = tuple[int, ...]
Blob = bytes | memoryview


def arrays(wanted: Mapping[str, tuple[Shape, str]]) -> dict[str, np.NDArray[np.integer]]:
    """Arrays of these shapes and kinds of numbers; nothing is in them yet."""
    kinds = {name: np.dtype(kind) for name, (_, kind) in wanted.items()}
    sizes = {name: prod(shape) * kinds[name].itemsize for name, (shape, _) in wanted.items()}
    places = accumulate((size + -size % ALIGNED for size in sizes.values()), initial=0)
    spans = list(pairwise(places))
    whole = np.empty(spans[-1][1] if spans else 0, np.uint8)
    return {
        name: whole[start : start + sizes[name]].view(kinds[name]).reshape(shape)
        for (name, (shape, _)), (start, _) in zip(wanted.items(), spans, strict=True)
    }


def roomy(length: int) -> int:
    """So much room for so many rows that most additions need no other."""
    return length + length // GROWTH_SHARE + GROWTH_MIN


def packed_blobs(blobs: Sequence[Blob]) -> bytes:
    """How many they are, how long each is, then each from an aligned place on."""
    sizes = [len(blob) for blob in blobs]
    head = b"".join(size.to_bytes(BLOB_WORD, "little") for size in (len(sizes), *sizes))
    padded = [part for blob in (head, *blobs) for part in (blob, bytes(-len(blob) % BLOB_ALIGNED))]
    return b"".join(padded)


def unpacked_blobs(data: Blob) -> list[memoryview]:
    """The same again, as views into the data."""
    whole = memoryview(data)
    return [whole[here] for here in blob_places(whole, len(whole))]


def blob_places(data: Blob, size: int) -> list[slice]:
    """Where each lies, of so many bytes in all, of which the first are at hand."""
    count = int.from_bytes(data[:BLOB_WORD], "little")
    if blob_head_size(count) > len(data):
        raise InputError("these are not blobs that were packed here")
    sizes = struct.unpack_from(f"<{count}Q", data, BLOB_WORD)
    starts = list(accumulate((_up(size) for size in sizes), initial=_up(blob_head_size(count))))
    if starts[-1] != size:
        raise InputError("these are not blobs that were packed here")
    return [slice(at, at + each) for at, each in zip(starts, sizes, strict=False)]


def blob_head_size(count: int) -> int:
    """Of so many blobs: what has to be at hand to know where they lie."""
    return (count + 1) * BLOB_WORD


def _up(size: int) -> int:
    return size + -size % BLOB_ALIGNED
