"""Text validity: whether a stored text is in force now, or was on a day."""

from muniment.engine.decide.memos.extraction import KINDS, lives
from muniment.layers.shelves import Shelves
from muniment.model import ids
from muniment.retrieval.dates import validity
from muniment.retrieval.index.index_feed import MIRROR, Offered


def holds(shelves: Shelves, text: Offered, day: str) -> bool:
    """Whether a text stands now, or was so on a day."""
    if not day or text.layer == MIRROR:
        return lives(shelves, text) and (not day or text.days[0] <= ids.day_number(day))
    return any(
        validity.told(shelves, line, died, text.text, text.handles).holds(ids.day_number(day))
        for shelf in KINDS.get(text.layer, ())
        for _, died, line in shelves.ever(shelf, item_id=text.id)
    )
