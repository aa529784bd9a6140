"""Int8 vectors: exact integer dot products, equal on every machine and thread count.

A float32 product of small whole numbers is exact as long as every sum stays below 2^24, so the
fast matrix routines may be used and still give the same answer everywhere.
"""

from __future__ import annotations

from math import isqrt as isqrt_int
from typing import Final, TypeAlias

from muniment.model.fixed_point import MILLION
from muniment.retrieval import arrays as np

DIMS_MAX: Final = 4096
LENGTH_MAX: Final = 4095  # of a vector: two of them have a product below 2^24, and so has each part
ROWS_AT_ONCE: Final = 4096
NORM_UNIT: Final = 16  # a length is kept in sixteenths
GRID: Final = 512  # a vector of length one has codes in 1/512
INT8_MAX: Final = 127

Codes: TypeAlias = "np.NDArray[np.int8]"
Numbers: TypeAlias = "np.NDArray[np.int64]"


def norms(codes: Codes) -> np.NDArray[np.uint16]:
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


class QueryVector:
    """A vector that many are compared with: its codes, the same as floats, its length."""

    __slots__ = ("codes", "floats", "length")

    def __init__(self, vector: bytes) -> None:
        self.codes = as_codes(vector)
        self.floats = self.codes.astype(np.float32)
        # A square is below 2^24 like every product: see above.
        square = int(self.floats @ self.floats)
        self.length = max(isqrt_int(square * NORM_UNIT * NORM_UNIT), 1)


def products(codes: Codes, query: QueryVector) -> np.NDArray[np.float32]:
    """Exact dot products of each row with the query: whole numbers, as the floats they come as."""
    out = np.empty(len(codes), dtype=np.float32)
    for start in range(0, len(codes), ROWS_AT_ONCE):
        part = codes[start : start + ROWS_AT_ONCE]
        np.dot(part.astype(np.float32), query.floats, out=out[start : start + len(part)])
    return out


def cosines(codes: Codes, lengths: np.NDArray[np.integer], query: QueryVector) -> Numbers:
    """The cosine of each row with the query in millionths; an empty row has 0."""
    return _divided(products(codes, query), lengths, query)


def cosines_together(ones: Codes, others: Codes, query: QueryVector) -> Numbers:
    """The same for what two rows say together: the direction between them."""
    # As doubles, for two rows may have more together than a float counts exactly.
    both = np.add(ones, others, dtype=np.int16).astype(np.float64)
    squares = np.einsum("ij,ij->i", both, both).astype(np.int64) * NORM_UNIT * NORM_UNIT
    return _divided(both @ query.codes.astype(np.float64), isqrt(squares), query)


def _divided(
    found: np.NDArray[np.floating], lengths: np.NDArray[np.integer], query: QueryVector
) -> Numbers:
    scale = np.maximum(lengths, 1) * np.float64(query.length)
    # A product is below 2^24, two are below 2^25, so what is divided is below 2^53: see `bm25`.
    scaled: np.NDArray[np.float64] = np.multiply(
        found, MILLION * NORM_UNIT * NORM_UNIT, dtype=np.float64
    )
    scaled /= scale
    return np.floor(scaled, out=scaled).astype(np.int64)


def as_codes(vector: bytes) -> Codes:
    return np.frombuffer(vector, dtype=np.int8)


def quantised(vector: np.NDArray[np.floating]) -> bytes:
    """Int8 codes of a vector, whatever its length; a vector of nothing stays one of nothing.

    Machines differ in the last bits of a float; on a grid this coarse they agree.
    """
    length = float(np.sqrt(np.sum(vector * vector, dtype=np.float64)))
    if not length or not np.isfinite(length):
        return bytes(len(vector))
    scaled = np.rint(vector.astype(np.float64) * (GRID / length))
    return np.clip(scaled, -INT8_MAX, INT8_MAX).astype(np.int8).tobytes()
