"""Learning with a model: which texts it is shown, what it is told to keep, and what never."""

import re
from typing import Annotated

import msgspec

from muniment.model.kinds.episode import Origin
from muniment.model.unicode14 import known

Phrase = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
Phrases = Annotated[tuple[Phrase, ...], msgspec.Meta(max_length=64)]
Language = Annotated[str, msgspec.Meta(pattern="^[a-z]{2}$")]  # of ISO 639-1
Few = Annotated[int, msgspec.Meta(ge=1, le=8)]
Batch = Annotated[int, msgspec.Meta(ge=1, le=200)]
Tokens = Annotated[int, msgspec.Meta(ge=100, le=100_000)]


class Learning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How facts are extracted from what was kept."""

    origins: tuple[Origin, ...] = (Origin.USER, Origin.TOOL)  # whose texts are shown to a model
    instructions: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    categories: Phrases = ()  # where some are named, a fact of another one is dropped
    examples: Phrases = ()
    languages: tuple[Language, ...] = ()  # in which statements are written; none: the text's own
    never_keep: Phrases = ()  # a fact that names one of these is dropped, whatever the model says
    batch_entries: Batch = 20  # texts of one request
    batch_tokens: Tokens = 3_000
    facts_max: Batch = 40  # of one answer
    known_max: Batch = 40  # facts that a model is shown to compare with
    attempts_max: Few = 2  # requests for one batch whose answers cannot be read

    def never_keeps(self, text: str) -> bool:
        """Whether a text names something that is never kept."""
        seen = known(text)
        barred = (rf"(?<!\w){re.escape(known(each))}(?!\w)" for each in self.never_keep)
        return any(re.search(each, seen, re.IGNORECASE) for each in barred)
