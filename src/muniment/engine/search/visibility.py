"""What may be shown: for one question, everything that nothing but its rank could keep out."""

import numpy as np

from muniment.engine.search import candidate_selection
from muniment.engine.search.candidate_selection import RecallFilter
from muniment.model.policy import Trust
from muniment.retrieval.dates import validity
from muniment.retrieval.index.document_status import Register, day_of


class VisibleItems:
    """The items of a reader's index that a question may be answered from, by their ids."""

    def __init__(self, register: Register, wanted: RecallFilter, trust: Trust) -> None:
        self._register = register
        self._day = day_of(wanted.valid_at) if wanted.valid_at else None
        self._barred = np.zeros(register.count, dtype=bool)
        for _, mask in candidate_selection.barred(register, wanted, trust):
            self._barred |= mask

    def __contains__(self, item_id: str) -> bool:
        number = self._register.find(item_id)
        return number is not None and not self._barred[number]

    def holds(self, item_id: str, text: str, ts: str) -> bool:
        """Whether it may be shown; what no index knows goes by the day that its text tells of."""
        number = self._register.find(item_id)
        if number is not None:
            return not self._barred[number]
        return self._day is None or validity.validity_of_text(text, ts).holds(self._day)
