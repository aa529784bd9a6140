"""Sign-bit scan: candidate selection over many vectors by one bit for each dimension.

A vector's own dimensions are poor directions: some tell much and most tell little. So its codes
are mixed first, each with all of its block, by sums and differences alone (Hadamard's matrix):
whole numbers that are the same on every machine, and bits of which each tells as much as another.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from muniment.model.errors import InputError
from muniment.retrieval import arrays as np
from muniment.retrieval.index.int8_vectors import Codes, Numbers, QueryVector

FROM: Final = 4096  # rows; below, looking at every code costs as little
LET_THROUGH: Final = 512  # rows that go on to the exact product,
ONE_MORE_OF: Final = 128  # and more of many, for a bit tells the less the more there are to tell
ROWS_AT_ONCE: Final = 4096
BITS_AT_ONCE: Final = 1 << 15  # rows whose signs stay close to the processor meanwhile
WORD: Final = 64
BYTE_MAX: Final = 255
COUNTED: Final = 1 << 14  # rows that are all counted: a guess would take as long
SAMPLED: Final = 2048  # rows by which a cut through all of them is guessed
SAMPLE_SPARE: Final = 8  # rows of the sample that the guess goes beyond what is wanted

Bits: TypeAlias = "np.NDArray[np.uint64]"  # a row for each 64 directions, as a scan reads them


def wanted(count: int) -> int:
    """Of so many rows, how many go on to the exact product."""
    return LET_THROUGH + count // ONE_MORE_OF


def room(dims: int, count: int) -> Bits:
    return np.empty((_width(dims) // WORD, count), np.uint64)


def of(codes: Codes, place: Bits | None = None) -> Bits:
    """The signs of some codes, in a place of their own or in this one."""
    count, dims = codes.shape
    out = room(dims, count) if place is None else place
    for start in range(0, count if dims else 0, ROWS_AT_ONCE):
        positive = _mixed(codes[start : start + ROWS_AT_ONCE]) > 0
        # As one long row: many short ones take several times as long to pack.
        bits = np.packbits(positive.reshape(-1)).view("<u8").reshape(-1, len(out))
        out[:, start : start + len(bits)] = bits.T
    return out


def read(data: bytes | memoryview, place: Bits) -> None:
    """Signs as they were kept, into their place."""
    if len(data) != place.nbytes:
        raise InputError("an index has signs for each of its documents")
    place[:] = np.frombuffer(data, "<u8").reshape(place.shape)


def _width(dims: int) -> int:
    """As many directions as dimensions, in whole words."""
    return dims + -dims % WORD


def _mixed(codes: Codes) -> np.NDArray[np.float32]:
    """Each with its block. The sums are far below 2^24, and so the floats are exact."""
    count, dims = codes.shape
    width = _width(dims)
    wide = codes.astype(np.float32)
    if dims < width:
        wide = np.pad(wide, ((0, 0), (0, width - dims)))
    # A block is the largest power of two that divides the width. As a square, or nearly one, it
    # is mixed row by row and column by column, which takes a fraction of the sums.
    halvings = (width & -width).bit_length() - 1
    rows, columns = 1 << halvings // 2, 1 << (halvings + 1) // 2
    squares = wide.reshape(-1, rows, columns)
    mixed: np.NDArray[np.float32] = np.matmul(
        np.matmul(_hadamard(rows), squares), _hadamard(columns)
    )
    return mixed.reshape(count, width)


@cache
def _mixing(dims: int) -> np.NDArray[np.float32]:
    """The same in one product, which is the shorter way for a single vector."""
    return np.ascontiguousarray(_mixed(np.eye(dims, dtype=np.int8)).T)


@cache
def _hadamard(size: int) -> np.NDArray[np.float32]:
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def nearest(bits: Bits, query: QueryVector, among: np.NDArray[np.bool_] | None = None) -> Numbers:
    """The rows whose signs agree most with the query's; every tie at the cut comes along.

    What is not `among` those that may be shown takes nobody's place, however near it is.
    """
    apart = _apart(bits, query.codes)
    if among is None:
        return _nearest(apart)
    rows = np.flatnonzero(among)
    chosen: Numbers = rows[_nearest(apart[rows])]
    return chosen


def _nearest(apart: np.NDArray[np.unsignedinteger]) -> Numbers:
    count = len(apart)
    most = min(wanted(count), count)
    if count <= COUNTED:
        return (apart <= _smallest(apart, most)).nonzero()[0]
    # A sample tells about where the cut lies, so that few are left to be counted exactly.
    sample = apart[:: max(1, count // SAMPLED)]
    place = min(most * len(sample) // max(count, 1) + SAMPLE_SPARE, len(sample) - 1)
    near = (apart <= _smallest(sample, place + 1)).nonzero()[0]
    if len(near) < most:
        near = np.arange(count)
    theirs = apart[near]
    chosen: Numbers = near[theirs <= _smallest(theirs, most)]
    return chosen


def _smallest(values: np.NDArray[np.unsignedinteger], count: int) -> int:
    """The greatest of the so many smallest; they are small, so counting is faster than sorting."""
    return int(np.bincount(values).cumsum().searchsorted(count))


def _apart(bits: Bits, query: Codes) -> np.NDArray[np.unsignedinteger]:
    """In how many signs each row differs from the query."""
    ours = np.packbits(_mixing(len(query)) @ query.astype(np.float32) > 0).view("<u8")
    count = bits.shape[1]
    small = np.uint8 if WORD * len(bits) <= BYTE_MAX else np.uint16
    apart: np.NDArray[np.unsignedinteger] = np.empty(count, small)
    for start in range(0, count, BITS_AT_ONCE):
        part = slice(start, start + BITS_AT_ONCE)
        differing = np.bitwise_count(bits[:, part] ^ ours[:, None])
        differing.sum(axis=0, dtype=small, out=apart[part])
    return apart
