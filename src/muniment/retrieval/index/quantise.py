"""The fixed grid on which vectors become whole numbers: a vector of length one, in 1/512."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

GRID: Final = 512
INT8_MAX: Final = 127


def codes(vector: NDArray[np.floating]) -> bytes:
    """Int8 codes of a vector, whatever its length; a vector of nothing stays one of nothing.

    Machines differ in the last bits of a float; on a grid this coarse they agree.
    """
    length = float(np.sqrt(np.sum(vector * vector, dtype=np.float64)))
    if not length or not np.isfinite(length):
        return bytes(len(vector))
    scaled = np.rint(vector.astype(np.float64) * (GRID / length))
    return np.clip(scaled, -INT8_MAX, INT8_MAX).astype(np.int8).tobytes()
