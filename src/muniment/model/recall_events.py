"""What happened to recall: what a ranking stood on, and who vouched for what was told."""

from typing import Annotated

import msgspec

from muniment.model.sealed import SEALED, Event, SealedText, SealedTexts


class Basis(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a ranking stood on besides the log: enough to make the same one again."""

    index: str  # the version of the index
    embedder: str
    words: str  # the version of the tokenizer
    recipe: str = ""  # the version of the ranking
    code: bytes = b""  # the question as the embedder gave it
    as_of: str = ""  # when it was asked, where there is a clock
    results_max: int = 0
    considered: int = 0
    dropped: dict[str, int] = {}  # by the stage that dropped them
    valid_at: str = ""
    purpose: str = ""
    quarantined: bool = False  # what awaits a yes was asked for too
    policy: str = ""  # the digest that a read of the past went by; one of now by its entry's


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


RecallEvent = ItemReleased | VectorsRecorded | VectorsReached
