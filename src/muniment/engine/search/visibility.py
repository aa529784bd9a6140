"""Visibility: everything that a question may return, before ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search import recall_filter
from muniment.engine.search.recall_filter import RecallFilter
from muniment.layers import episodes
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model.events import EpisodeWritten
from muniment.model.policy import Trust
from muniment.retrieval import arrays as np
from muniment.retrieval.dates import validity
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import FilteredRecord
from muniment.retrieval.index.document_status import day_of

OpenLines = Callable[[Iterable[int]], Mapping[int, Line]]  # entries by their places


class VisibleItems:
    """The items of a reader's index that a question may be answered from, by their ids."""

    def __init__(self, view: IndexView, wanted: RecallFilter, trust: Trust) -> None:
        register = self._register = view.register
        self._collection = view.collection
        self._where = record_filter.of_text(wanted.where)
        self._day = day_of(wanted.valid_at) if wanted.valid_at else None
        self._barred = np.zeros(register.count, dtype=bool)
        for _, mask in recall_filter.barred(view, wanted, trust):
            self._barred |= mask

    def newest_episodes(
        self, shelves: Shelves, opened: OpenLines, at_a_time: int
    ) -> Iterator[Line]:
        """Those that live, what was told last first.

        Where one was told by itself its entry is the index's own, which most often has it open.
        """
        named = self._newest(episodes.SHELF)
        while some := list(islice(named, at_a_time)):
            born = shelves.born(episodes.SHELF, [name for name, _ in some])
            lines = opened(
                {seq for (_, seq), place in zip(some, born, strict=True) if seq == place}
            )
            for name, seq in some:
                line: Line | None = lines.get(seq)
                if line is None or not isinstance(line.event, EpisodeWritten):
                    line = shelves.get(episodes.SHELF, name)
                if line is not None:
                    yield line

    def _newest(self, layer: str) -> Iterator[tuple[str, int]]:
        """The ids of a layer and the entries that offer them, what was told last first."""
        shown = self._register.of_layer((layer,)) & ~self._barred
        seqs = self._register.column("seq")
        for number in np.flatnonzero(shown)[::-1]:
            yield self._collection.id_of(int(number)), int(seqs[number])

    def __contains__(self, item_id: str) -> bool:
        number = self._register.find(item_id)
        return number is not None and not self._barred[number]

    def holds(self, item_id: str, text: str, ts: str, unknown: FilteredRecord) -> bool:
        """Whether it may be shown; what no index knows goes by the day that its text tells of,
        and by what else is known of it.
        """
        number = self._register.find(item_id)
        if number is not None:
            return not self._barred[number]
        if self._day is not None and not validity.validity_of_text(text, ts).holds(self._day):
            return False
        return record_filter.matches(self._where, unknown)
