"""Echo fingerprints: lines that the last receipts returned, and to whom."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from muniment.log.entry import Line
from muniment.model.events import Recalled
from muniment.model.events.conversation import ItemsRecalled
from muniment.model.events.reads import ContextAssembled
from muniment.model.text import fingerprints

RECEIPTS_MAX: Final = 64  # what comes back later than that is known by its frame alone


class HandedOut(msgspec.Struct, frozen=True, kw_only=True):
    """What one receipt gave out."""

    receipt: str  # its id; of a recall the id of the entry that keeps it
    about: tuple[str, ...]  # references: under whose keys the receipt is sealed
    codes: bytes


Receipts = tuple[HandedOut, ...]


def fold(state: Receipts, lines: list[Line]) -> Receipts:
    found = [given for given in map(_given, lines) if given]
    return (*state, *found)[-RECEIPTS_MAX:] if found else state


def giver(state: Receipts, code: bytes, is_ours: Callable[[Iterable[str]], bool]) -> str | None:
    """The last receipt that gave a line of this fingerprint to somebody.

    Few lines are looked up in a turn, and thousands were given out: they are searched as they lie.
    """
    found = (each for each in reversed(state) if fingerprints.holds(each.codes, code))
    return next((each.receipt for each in found if is_ours(each.about)), None)


def _given(line: Line) -> HandedOut | None:
    match line.event:
        case ContextAssembled(receipt_id=receipt, handed=codes) if codes:
            pass
        case Recalled(handed=codes) | ItemsRecalled(handed=codes) if codes:
            receipt = line.header.id
        case _:
            return None
    about = tuple(part.subject for part in line.header.parts)
    return HandedOut(receipt=receipt, about=about, codes=codes)
