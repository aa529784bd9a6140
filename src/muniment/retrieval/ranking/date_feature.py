"""Date feature: how well the time of a document agrees with the dates of a question."""

from __future__ import annotations

from typing import Final, TypeAlias

from muniment.model import ids
from muniment.retrieval import arrays as np
from muniment.retrieval.dates.date_mentions import NamedDate
from muniment.retrieval.index import document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking.query import Query

Numbers: TypeAlias = "np.NDArray[np.int64]"

DAY_MS: Final = 86_400_000
LONG_AGO: Final = 365  # days: what is told of then is no news
OF_TODAY: Final = 5  # part of it that counts where "today" may as well mean "by now"
UNKNOWN: Final = -1  # the moment of what has no time
# Things are told on the day or in the week after it; a month is often told of at its end.
TOLD_WITHIN: Final = 7
TOLD_AFTER_MONTH: Final = 10
ON_DAY: Final = 1_000_000
LATER: Final = 850_000
IN_MONTH: Final = 700_000
OF_MONTH: Final = 500_000  # told at another time
AFTER_MONTH: Final = 350_000
IN_YEAR: Final = 300_000
# Nobody counts back exactly, and it may have been told of until it was asked for.
COUNTED_BACK: Final = 700_000
COUNTED_LATER: Final = 350_000


def days_of_life(days: Numbers, tells_of: Numbers | None) -> Numbers:
    """When each was so: on the day that it was told, if it does not tell of one long before."""
    if tells_of is None:
        return days
    return np.where(tells_of < days - LONG_AGO, tells_of, days)


def agreement_of(
    asked: Query, collection: Collection, numbers: Numbers, tells_of: Numbers | None
) -> Numbers:
    """The same of documents; what is on today says so, whatever else was told today."""
    moments = collection.moments[numbers].astype(np.int64)
    if not asked.of_today:
        return agreement(asked, moments, tells_of)
    tells_time = collection.column("flags")[numbers] & document_features.TELLS_TIME > 0
    return agreement(asked, np.where(tells_time, moments, UNKNOWN), tells_of) // OF_TODAY


def agreement(asked: Query, moments: Numbers, tells_of: Numbers | None = None) -> Numbers:
    """In millionths; 0 where the question names no date or the document has none.

    `tells_of` is the day that each tells of, where that is known: the one it was told on, unless
    it says another.
    """
    best = np.zeros(len(moments), np.int64)
    known = moments >= 0
    if not known.any() or not (asked.named or asked.spans):
        return best
    days = moments // DAY_MS
    of = days if tells_of is None else np.where(known, tells_of, days)
    years = [ids.civil(int(day))[0] for day in (days[known].min(), days[known].max())]
    for date in asked.named:
        # What was told in January may tell of the December before, and in December of January.
        for year in [date.year] if date.year else range(years[0] - 1, years[1] + 2):
            best = np.maximum(best, _agrees(date, year, days, of))
    for span in asked.spans:
        told = np.where(days <= span.last, COUNTED_BACK, COUNTED_LATER)
        best = np.maximum(best, np.where(_within(days, span.first, span.today), told, 0))
        best = np.maximum(best, np.where(_within(of, span.first, span.last), COUNTED_BACK, 0))
    return np.where(known, best, 0)


def _agrees(date: NamedDate, year: int, days: Numbers, of: Numbers) -> Numbers:
    first, last = date.span(year)
    if not date.month:
        return np.where(_within(days, first, last) | _within(of, first, last), IN_YEAR, 0)
    month_first, month_last = NamedDate(month=date.month).span(year)
    out = np.where(_within(days, month_first, month_last), IN_MONTH, 0)
    after = _within(days, month_last + 1, month_last + TOLD_AFTER_MONTH)
    out = np.maximum(out, np.where(after, AFTER_MONTH, 0))
    out = np.maximum(out, np.where(_within(of, month_first, month_last), OF_MONTH, 0))
    return _of_day(out, days, of, first, month_first) if date.day else out


def _of_day(out: Numbers, days: Numbers, of: Numbers, day: int, month_first: int) -> Numbers:
    """Told on the day or of it; who tells of another one does not tell of this a week late."""
    another = days != of
    # Of a week or a month that is told of, only the first day is known.
    roughly = _within(of, day - TOLD_WITHIN, day + TOLD_WITHIN) | (of == month_first)
    out = np.where(another, np.where(roughly, np.minimum(out, OF_MONTH), 0), out)
    out = np.where(~another & _within(days, day + 1, day + TOLD_WITHIN), LATER, out)
    return np.where((days == day) | (of == day), ON_DAY, out)


def _within(days: Numbers, first: int, last: int) -> np.NDArray[np.bool_]:
    return (days >= first) & (days <= last)
