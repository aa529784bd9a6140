"""Commands about learning: facts or a summary of a recorded answer, or undo either."""

from typing import Annotated

import msgspec

from muniment.model.commands.command import Command, Name
from muniment.model.kinds.cited_summary import SummaryKind
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


class WordSummary(Command, tag="word_summary", frozen=True, kw_only=True):
    """Keep the sentences of a model's recorded answer whose citations stand."""

    request: Name  # the recorded output that answers
    kind: SummaryKind
    scope: Annotated[str, msgspec.Meta(max_length=512)] = ""  # a session, a loop, or days
    after: Place  # the texts stand behind this entry,
    upto: Place  # and not behind this one
    sources: Annotated[tuple[Name, ...], msgspec.Meta(max_length=1_000)]  # `SEQ.N` of each text


class UndoSummary(Command, tag="undo_summary", frozen=True, kw_only=True):
    """Take back one wording of a summary; the one before it is read again."""

    request: Name


LearningCommand = ExtractFacts | UndoExtraction | WordSummary | UndoSummary
