"""Three measures on one scale, so that their coefficients mean what they say.

Similarity decides: it takes the whole scale within the pool. Recency and importance separate what
is about equally similar; taken over their whole range they would bury every old fact. So recency
falls over the memory's own span, not over days, and both move within a narrow band.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.fixed import MILLION

Numbers = NDArray[np.int64]

RECENCY_BAND: Final = 60_000  # what the oldest is less recent than the newest
IMPORTANCE_BAND: Final = 60_000  # what the least important is less so than the most


def similarity_ppm(scores: Numbers) -> Numbers:
    """The best of the pool has everything, the worst nothing, whatever their scores were."""
    low = int(scores.min(initial=0)) if len(scores) else 0
    spread = int(scores.max()) - low if len(scores) else 0
    return (scores - low) * MILLION // max(spread, 1)


def recency_ppm(moments: Numbers, *, as_of: int) -> Numbers:
    """From the newest down to the oldest of the pool; what has no time counts as the oldest."""
    known = moments[moments >= 0]
    if not len(known):
        return np.full(len(moments), MILLION - RECENCY_BAND, np.int64)
    oldest = int(known.min())
    span = max(as_of, int(known.max())) - oldest
    age = np.where(moments >= 0, max(as_of, int(known.max())) - moments, span)
    return MILLION - age * RECENCY_BAND // max(span, 1)


def importance_ppm(importance: Numbers) -> Numbers:
    """Importance as given, in its band."""
    return MILLION - (MILLION - np.clip(importance, 0, MILLION)) * IMPORTANCE_BAND // MILLION
