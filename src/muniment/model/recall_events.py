"""What happened to recall: what a ranking stood on, and who vouched for what was told."""

from typing import Annotated

import msgspec

from muniment.model.sealed import SEALED, Event, SealedText


class Basis(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a ranking stood on besides the log: enough to make the same one again."""

    index: str  # the version of the index
    embedder: str
    words: str  # the version of the tokenizer
    code: bytes = b""  # the question as the embedder gave it
    as_of: str = ""  # when it was asked, where there is a clock
    results_max: int = 0
    considered: int = 0
    dropped: dict[str, int] = {}  # by the stage that dropped them
    valid_at: str = ""
    purpose: str = ""
    quarantined: bool = False  # what awaits a yes was asked for too


SealedBasis = Annotated[Basis | None, msgspec.Meta(extra=SEALED)]


class ItemReleased(Event, tag="memory_released", frozen=True, kw_only=True):
    """A person vouched for something that was told from outside: it may be recalled from here."""

    item_id: SealedText
    reason: SealedText = ""


RecallEvent = ItemReleased
