"""Text validity: whether a stored text is in force now, or was on a day, and until when."""

from muniment.engine.decide.memos.extraction import KINDS, lives
from muniment.layers.shelves import Shelves
from muniment.model import ids
from muniment.retrieval.dates import valid_from, validity
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


def until(shelves: Shelves, text: Offered) -> str | None:
    """The day on which something took the place of a text; nothing where it stands.

    None where it was taken back, which makes it true of no day.
    """
    if lives(shelves, text):
        return ""
    for shelf in KINDS.get(text.layer, ()):
        for _, died, line in shelves.ever(shelf, item_id=text.id):
            told = validity.told(shelves, line, died, text.text, text.handles)
            if told.until is not None and told.until != valid_from.UNKNOWN:
                return ids.day_text(told.until)
    return None
