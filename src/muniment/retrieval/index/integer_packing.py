"""Integer packing: integers on disk in as few bytes as their values need.

Kept is how far each number is above the smallest or, in a column that never falls, above the one
before it, whichever takes fewer bytes. A column that says the same throughout takes none, nor does
one that rises by the same throughout. What is small is read and decrypted sooner than what is
large.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from muniment.model.errors import InputError
from muniment.retrieval import arrays as np
from muniment.retrieval.index.buffers import Blob

HEAD: Final = struct.Struct("<BBHIq")  # bytes each, whether and how evenly it rises, length, lowest
WIDTHS: Final = {0: 1, 1: 1 << 8, 2: 1 << 16, 4: 1 << 32, 8: 1 << 64}  # what does not fit
EVEN_MAX: Final = 1 << 16
STEPS: Final = {width: f"<u{width}" for width in WIDTHS if width}

Integers: TypeAlias = "np.NDArray[np.integer]"


def packed(column: Integers) -> bytes:
    """Equal numbers give equal bytes, however wide their column was."""
    if not len(column):
        return HEAD.pack(0, 0, 0, 0, 0)
    numbers = column.astype(np.int64)
    low = int(numbers.min())
    steps, rises = numbers - low, np.diff(numbers, prepend=numbers[:1])
    if even := _evenly(rises):
        return HEAD.pack(0, 1, even, len(column), low)
    rising = int(rises.min()) >= 0 and _width(rises) < _width(steps)
    kept = rises if rising else steps
    width = _width(kept)
    data = kept.astype(STEPS[width]).tobytes() if width else b""
    return HEAD.pack(width, rising, 0, len(column), low) + data


def length(blob: Blob) -> int:
    """How many numbers a column has."""
    return _head(blob)[3]


def fill(blob: Blob, room: Integers) -> None:
    """The same numbers again, into a place that is as wide as they are wanted."""
    width, rising, even, count, low = _head(blob)
    if count != len(room):
        raise InputError("columns must have equal lengths")
    # A sum that fits is right even where a part of it does not.
    kind = room.dtype.type
    lowest = kind(low)
    if not width:
        room[:] = np.arange(count, dtype=kind) * kind(even) + lowest if even else lowest
        return
    steps = np.frombuffer(blob, STEPS[width], offset=HEAD.size)
    if rising:
        np.cumsum(steps, dtype=kind, out=room)
        np.add(room, lowest, out=room)
    else:
        np.add(steps, lowest, out=room, dtype=kind, casting="unsafe")


def unpacked(blob: Blob, kind: str) -> Integers:
    """The same numbers again, in a place of their own."""
    room: Integers = np.empty(length(blob), kind)
    fill(blob, room)
    return room


def _head(blob: Blob) -> tuple[int, int, int, int, int]:
    if len(blob) >= HEAD.size:
        width, rising, even, count, low = HEAD.unpack_from(blob)
        if width in WIDTHS and len(blob) == HEAD.size + width * count:
            return width, rising, even, count, low
    raise InputError("this is not a column of whole numbers")


def _evenly(rises: np.NDArray[np.int64]) -> int:
    """By how much each number is above the one before it, if it is the same for all; else 0."""
    even = int(rises[-1])
    return even if 0 < even < EVEN_MAX and bool((rises[1:] == even).all()) else 0


def _width(steps: np.NDArray[np.int64]) -> int:
    greatest = int(steps.max())
    return next(width for width, above in WIDTHS.items() if greatest < above)
