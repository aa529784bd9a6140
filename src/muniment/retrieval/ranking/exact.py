"""Exact division of many whole numbers at once, by floats as long as these cannot be wrong."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

# A float64 holds every whole number up to here. A quotient that is no whole number lies at least
# 1 / divisor away from the next one, which is more than its rounding as long as what is divided
# stays below: rounding down then gives what dividing whole numbers gives, several times faster.
EXACT_BELOW: Final = 1 << 53


def divided(values: Numbers, by: NDArray[np.integer] | int) -> Numbers:
    """Each value divided and rounded down; divisors are positive."""
    if len(values) and max(int(values.max()), -int(values.min())) >= EXACT_BELOW:
        return values // by
    return divided_small(values, by)


def divided_small(values: Numbers, by: NDArray[np.integer] | int) -> Numbers:
    """The same for values that are known to lie below."""
    quotients = values / by
    return np.floor(quotients, out=quotients).astype(np.int64)
