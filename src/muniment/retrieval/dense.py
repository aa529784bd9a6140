"""Vectors as int8 codes: exact integer products, whatever the machine, the threads or the batch.

A float32 product of small whole numbers is exact as long as every sum stays below 2^24, so the
fast matrix routines may be used and still give the same answer everywhere.
"""

from math import isqrt as isqrt_int
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.model.fixed import MILLION
from muniment.retrieval.quantise import INT8_MAX

DIMS_MAX: Final = 4096
LENGTH_MAX: Final = 4095  # of a vector: two of them have a product below 2^24, and so has each part
ROWS_AT_ONCE: Final = 4096
BITS_FROM: Final = 4096  # rows; below, looking at every code costs as little
RESCORED: Final = 1024  # rows that signs alone let through to the exact product
BITS_AT_ONCE: Final = 1 << 15  # rows whose signs stay close to the processor meanwhile
BYTE_MAX: Final = 255
SAMPLED: Final = 2048  # rows by which a cut through all of them is guessed
SAMPLE_SPARE: Final = 8  # rows of the sample that the guess goes beyond what is wanted
NORM_UNIT: Final = 16  # a length is kept in sixteenths

Codes = NDArray[np.int8]
Numbers = NDArray[np.int64]


def norms(codes: Codes) -> NDArray[np.uint16]:
    """The length of each vector, in sixteenths, rounded down: integers only."""
    squares = np.einsum("ij,ij->i", codes, codes, dtype=np.int64) * NORM_UNIT * NORM_UNIT
    return isqrt(squares).astype(np.uint16)


def are_too_long(codes: Codes) -> bool:
    """Whether products with these codes might not be exact. Short vectors never are."""
    if codes.shape[1] * INT8_MAX * INT8_MAX <= LENGTH_MAX * LENGTH_MAX:
        return False
    squares = np.einsum("ij,ij->i", codes, codes, dtype=np.int64)
    return bool((squares > LENGTH_MAX * LENGTH_MAX).any())


def isqrt(values: Numbers) -> Numbers:
    """Whole square roots: the float gives a guess, the integers correct it."""
    roots = np.sqrt(values.astype(np.float64)).astype(np.int64)
    roots -= (roots * roots > values).astype(np.int64)
    roots += ((roots + 1) * (roots + 1) <= values).astype(np.int64)
    return roots


class Query:
    """A vector that many are compared with: its codes, the same as floats, its length."""

    __slots__ = ("codes", "floats", "length")

    def __init__(self, vector: bytes) -> None:
        self.codes = as_codes(vector)
        self.floats = self.codes.astype(np.float32)
        # A square is below 2^24 like every product: see above.
        square = int(self.floats @ self.floats)
        self.length = max(isqrt_int(square * NORM_UNIT * NORM_UNIT), 1)


def products(codes: Codes, query: Query) -> NDArray[np.float32]:
    """Exact dot products of each row with the query: whole numbers, as the floats they come as."""
    out = np.empty(len(codes), dtype=np.float32)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        part = codes[start : start + ROWS_AT_ONCE]
        np.dot(part.astype(np.float32), query.floats, out=out[start : start + len(part)])
    return out


def cosines(codes: Codes, lengths: NDArray[np.integer], query: Query) -> Numbers:
    """The cosine of each row with the query in millionths; an empty row has 0."""
    return _divided(products(codes, query), lengths, query)


def cosines_together(ones: Codes, others: Codes, query: Query) -> Numbers:
    """The same for what two rows say together: the direction between them."""
    # As doubles, for two rows may have more together than a float counts exactly.
    both = np.add(ones, others, dtype=np.int16).astype(np.float64)
    squares = np.einsum("ij,ij->i", both, both).astype(np.int64) * NORM_UNIT * NORM_UNIT
    return _divided(both @ query.codes.astype(np.float64), isqrt(squares), query)


def _divided(found: NDArray[np.floating], lengths: NDArray[np.integer], query: Query) -> Numbers:
    scale = np.maximum(lengths, 1) * np.float64(query.length)
    # A product is below 2^24, two are below 2^25, so what is divided is below 2^53: see `exact`.
    scaled: NDArray[np.float64] = np.multiply(
        found, MILLION * NORM_UNIT * NORM_UNIT, dtype=np.float64
    )
    scaled /= scale
    return np.floor(scaled, out=scaled).astype(np.int64)


def room_for_signs(dims: int, count: int) -> NDArray[np.uint64]:
    """One bit for each dimension, one row for each 64 of them: how a scan reads them."""
    return np.empty((-(-dims // 64), count), np.uint64)


def signs(codes: Codes, room: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The signs of some codes, in a place of their own or in this one."""
    count, dims = codes.shape
    out = room_for_signs(dims, count) if room is None else room
    width = len(out)
    for start in range(0, count, ROWS_AT_ONCE):
        positive = codes[start : start + ROWS_AT_ONCE] > 0
        if dims < 64 * width:
            positive = np.pad(positive, ((0, 0), (0, 64 * width - dims)))
        # As one long row: many short ones take several times as long to pack.
        bits = np.packbits(positive.reshape(-1)).view("<u8").reshape(-1, width)
        out[:, start : start + len(bits)] = bits.T
    return out


def nearest_signs(
    bits: NDArray[np.uint64], query: Query, wanted: int, among: NDArray[np.bool_] | None = None
) -> Numbers:
    """The rows whose signs agree most with the query's; every tie at the cut comes along.

    What is not `among` those that may be shown takes nobody's place, however near it is.
    """
    apart = _apart(bits, query.codes)
    if among is not None:
        rows = np.flatnonzero(among)
        chosen: Numbers = rows[_nearest(apart[rows], wanted)]
        return chosen
    return _nearest(apart, wanted)


def _nearest(apart: NDArray[np.unsignedinteger], wanted: int) -> Numbers:
    count, wanted = len(apart), min(wanted, len(apart))
    # A sample tells about where the cut lies, so that few are left to be counted exactly.
    sample = apart[:: max(1, count // SAMPLED)]
    place = min(wanted * len(sample) // max(count, 1) + SAMPLE_SPARE, len(sample) - 1)
    near = (apart <= _smallest(sample, place + 1)).nonzero()[0]
    if len(near) < wanted:
        near = np.arange(count)
    theirs = apart[near]
    chosen: Numbers = near[theirs <= _smallest(theirs, wanted)]
    return chosen


def _smallest(values: NDArray[np.unsignedinteger], wanted: int) -> int:
    """The greatest of the so many smallest; they are small, so counting is faster than sorting."""
    return int(np.bincount(values).cumsum().searchsorted(wanted))


def _apart(bits: NDArray[np.uint64], query: Codes) -> NDArray[np.unsignedinteger]:
    """In how many signs each row differs from the query."""
    ours = np.frombuffer(np.packbits(query > 0).tobytes().ljust(8 * len(bits), b"\0"), "<u8")
    count = bits.shape[1]
    small = np.uint8 if len(query) <= BYTE_MAX else np.uint16
    apart: NDArray[np.unsignedinteger] = np.zeros(count, small)
    differing = np.empty(min(count, BITS_AT_ONCE), np.uint64)
    for start in range(0, count, BITS_AT_ONCE):
        part = apart[start : start + BITS_AT_ONCE]
        differ = differing[: len(part)]
        for row, mine in zip(bits, ours, strict=True):
            np.bitwise_xor(row[start : start + BITS_AT_ONCE], mine, out=differ)
            part += np.bitwise_count(differ)
    return apart


def as_codes(vector: bytes) -> Codes:
    return np.frombuffer(vector, dtype=np.int8)
