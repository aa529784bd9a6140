"""Events of recall: receipts of rankings, and who vouched for a text."""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts
from muniment.model.kinds.receipts import Basis

SealedBasis = Annotated[Basis | None, msgspec.Meta(extra=SEALED)]
SealedCounts = Annotated[tuple[int, ...], msgspec.Meta(extra=SEALED)]
SealedCodes = Annotated[bytes, msgspec.Meta(extra=SEALED)]


class ItemReleased(Event, tag="memory_released", frozen=True, kw_only=True):
    """A person vouched for something that was told from outside: it may be recalled from here."""

    item_id: SealedText
    reason: SealedText = ""


class VectorsRecorded(Event, tag="vectors_recorded", frozen=True, kw_only=True):
    """What an embedder said of texts: of each the whole, then its sentences, one behind another.

    A text goes by a name that only who has it can make. One without vectors has none to come.
    """

    model: str
    dims: int
    names: SealedTexts
    counts: SealedCounts  # how many vectors each text has
    codes: SealedCodes


class VectorsReached(Event, tag="vectors_reached", frozen=True, kw_only=True):
    """Up to this entry every text has its vectors: from here on they are searched by."""

    model: str
    upto: int


class EchoHeard(Event, tag="memory_echo", frozen=True, kw_only=True):
    """Lines that a receipt gave out came back as somebody's words: they are no new knowledge."""

    lines: int
    where: str  # the source or the field that said them
    receipt_id: SealedText = ""  # of the receipt, where it is still known


RecallEvent = ItemReleased | VectorsRecorded | VectorsReached | EchoHeard
