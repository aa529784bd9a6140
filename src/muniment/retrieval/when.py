"""How well the time of a document agrees with the dates that a question names."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.model import ids
from muniment.retrieval.asked import Asked
from muniment.retrieval.dates import Named

Numbers = NDArray[np.int64]

DAY_MS: Final = 86_400_000
# Things are told on the day or in the week after it; a month is often told of at its end.
TOLD_WITHIN: Final = 7
TOLD_AFTER_MONTH: Final = 10
ON_DAY: Final = 1_000_000
IN_MONTH: Final = 700_000
AFTER_MONTH: Final = 350_000
IN_YEAR: Final = 300_000
# Nobody counts back exactly, and it may have been told of until it was asked for.
COUNTED_BACK: Final = 700_000
COUNTED_LATER: Final = 350_000


def agreement(asked: Asked, moments: Numbers) -> Numbers:
    """In millionths; 0 where the question names no date or the document has none."""
    best = np.zeros(len(moments), np.int64)
    known = moments >= 0
    if not known.any() or not (asked.named or asked.spans):
        return best
    days = moments // DAY_MS
    years = [ids.civil(int(day))[0] for day in (days[known].min(), days[known].max())]
    for date in asked.named:
        for year in [date.year] if date.year else range(years[0], years[1] + 1):
            best = np.maximum(best, _agrees(date, year, days))
    for span in asked.spans:
        told = np.where(days <= span.last, COUNTED_BACK, COUNTED_LATER)
        best = np.maximum(best, np.where((days >= span.first) & (days <= span.today), told, 0))
    return np.where(known, best, 0)


def _agrees(date: Named, year: int, days: Numbers) -> Numbers:
    first, last = date.span(year)
    if not date.month:
        return np.where((days >= first) & (days <= last), IN_YEAR, 0)
    month_first, month_last = Named(month=date.month).span(year)
    out = np.where((days >= month_first) & (days <= month_last), IN_MONTH, 0)
    after = (days > month_last) & (days <= month_last + TOLD_AFTER_MONTH)
    out = np.maximum(out, np.where(after, AFTER_MONTH, 0))
    if date.day:
        out = np.where((days >= first) & (days <= last + TOLD_WITHIN), ON_DAY, out)
    return out
