"""Fixed-point arithmetic: halving and logarithms in whole numbers, equal on every machine."""

from functools import lru_cache
from math import isqrt
from typing import Final

MILLION: Final = 1_000_000
BITS: Final = 64  # of a mantissa
FRACTION_BITS: Final = 32  # of an exponent: far below a millionth

# 2^(-1/2), 2^(-1/4), 2^(-1/8), …: each is the root of the one before.
_ROOTS: list[int] = [isqrt(1 << (2 * BITS - 1))]
while len(_ROOTS) < FRACTION_BITS:
    _ROOTS.append(isqrt(_ROOTS[-1] << BITS))


def rounded(part: int, whole: int) -> int:
    """A quotient of whole numbers that are not negative, rounded half up."""
    return (part * 2 + whole) // (whole * 2)


@lru_cache(maxsize=65_536)
def halved_ppm(age: int, half_life: int) -> int:
    """exp(-ln 2 * age / half_life) in millionths."""
    whole, rest = divmod(age, half_life)
    if whole > BITS:
        return 0
    exponent = (rest << FRACTION_BITS) // half_life
    value = 1 << BITS
    for place, root in enumerate(_ROOTS, start=1):
        if exponent >> (FRACTION_BITS - place) & 1:
            value = value * root >> BITS
    return rounded(value * MILLION, 1 << (BITS + whole))


@lru_cache(maxsize=65_536)
def log2_ppm(part: int, whole: int) -> int:
    """The binary logarithm, in millionths, of a quotient that is at least one."""
    assert part >= whole > 0
    value = (part << BITS) // whole
    characteristic = value.bit_length() - 1 - BITS
    value >>= characteristic
    fraction = 0
    for _ in range(FRACTION_BITS):
        value = value * value >> BITS
        fraction <<= 1
        if value >> (BITS + 1):
            fraction |= 1
            value >>= 1
    return ((characteristic << FRACTION_BITS) + fraction) * MILLION >> FRACTION_BITS
