"""What may be asked about extraction: keep the facts of a recorded answer, or undo that."""

from typing import Annotated

import msgspec

from muniment.model.commands.command import Command, Name
from muniment.model.kinds.episode import Origin

Place = Annotated[int, msgspec.Meta(ge=0)]


class ExtractFacts(Command, tag="extract_facts", frozen=True, kw_only=True):
    """Keep what a model's recorded answer says about texts of one origin."""

    request: Name  # the recorded output that answers
    origin: Origin
    after: Place  # the texts stand behind this entry,
    upto: Place  # and not behind this one
    sources: Annotated[tuple[Name, ...], msgspec.Meta(max_length=1_000)]  # `SEQ.N` of each text
    attempt: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1


class UndoExtraction(Command, tag="undo_extraction", frozen=True, kw_only=True):
    """Forget what one extraction kept, and restore what it replaced or ended."""

    request: Name


LearningCommand = ExtractFacts | UndoExtraction
