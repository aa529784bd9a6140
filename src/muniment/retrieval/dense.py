"""Vectors as int8 codes: exact integer products, whatever the machine, the threads or the batch.

A float32 product of small whole numbers is exact as long as every sum stays below 2^24, so the
fast matrix routines may be used and still give the same answer everywhere.
"""

from bisect import bisect_left
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


def products(codes: Codes, query: Codes) -> NDArray[np.float32]:
    """Exact dot products of each row with the query: whole numbers, as the floats they come as."""
    wanted = query.astype(np.float32)
    out = np.empty(len(codes), dtype=np.float32)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        part = codes[start : start + ROWS_AT_ONCE]
        np.dot(part.astype(np.float32), wanted, out=out[start : start + len(part)])
    return out


def cosines(codes: Codes, lengths: NDArray[np.integer], query: Codes) -> Numbers:
    """The cosine of each row with the query in millionths; an empty row has 0."""
    wide = query.astype(np.int64)
    length = isqrt_int(int(wide @ wide) * NORM_UNIT * NORM_UNIT)
    scale = np.maximum(lengths, 1).astype(np.float64)
    scale *= max(length, 1)
    # A product is below 2^24, so what is divided is below 2^53: see `exact`.
    scaled = products(codes, query).astype(np.float64)
    scaled *= MILLION * NORM_UNIT * NORM_UNIT
    scaled /= scale
    return np.floor(scaled, out=scaled).astype(np.int64)


def signs(codes: Codes) -> NDArray[np.uint64]:
    """One bit for each dimension, one row for each 64 of them: how a scan reads them."""
    width = -(-codes.shape[1] // 64)
    out = np.empty((width, len(codes)), np.uint64)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        bits = np.packbits(codes[start : start + ROWS_AT_ONCE] > 0, axis=1)
        if bits.shape[1] < 8 * width:
            bits = np.pad(bits, ((0, 0), (0, 8 * width - bits.shape[1])))
        out[:, start : start + len(bits)] = bits.view("<u8").T
    return out


def nearest_signs(bits: NDArray[np.uint64], query: Codes, wanted: int) -> Numbers:
    """The rows whose signs agree most with the query's; every tie at the cut comes along."""
    ours = signs(query[None])[:, 0]
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
    # To count those below a few cuts is quicker than to count every value.
    cuts = range(len(query) + 1)
    cut = bisect_left(
        cuts,
        min(wanted, count),
        key=lambda each: int(np.count_nonzero(apart <= small(each))),
    )
    return np.flatnonzero(apart <= small(cut))


def as_codes(vector: bytes) -> Codes:
    return np.frombuffer(vector, dtype=np.int8)
