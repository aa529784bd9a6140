"""Events of model answers: facts kept and ended, summaries written, and undone."""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText
from muniment.model.kinds.cited_summary import CitedSentence

SealedSentences = Annotated[tuple[CitedSentence, ...], msgspec.Meta(extra=SEALED)]


class FactsExtracted(Event, tag="facts_extracted", frozen=True, kw_only=True):
    """What became of one recorded answer; the memos themselves stand in the same batch."""

    request: str
    origin: str
    after: int
    upto: int  # read so far; `after` again where the answer is asked for once more
    sources: int  # how many texts the model was shown
    model: str
    attempt: int = 1
    kept: tuple[str, ...] = ()  # memos
    replaced: tuple[str, ...] = ()  # memos whose place others took
    ended: tuple[str, ...] = ()  # memos that hold no longer
    dropped: dict[str, int] = msgspec.field(
        default_factory=dict
    )  # by the code of the rule that said no
    reason: str = ""  # why nothing could be read
    subject: SealedText = ""


class ExtractionUndone(Event, tag="extraction_undone", frozen=True, kw_only=True):
    request: str
    forgotten: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    subject: SealedText = ""


class SummaryWorded(Event, tag="summary_worded", frozen=True, kw_only=True):
    """A summary from here on: the sentences of one recorded answer whose citations stand."""

    request: str
    kind: str
    after: int
    upto: int  # read so far; `after` again where the answer is asked for once more
    sources: int  # how many texts the model was shown
    model: str
    failures: int = 0  # answers in a row that could not be read
    dropped: dict[str, int] = msgspec.field(default_factory=dict)  # sentences, by reason
    reason: str = ""  # why the sentences are those of before
    scope: SealedText = ""
    sentences: SealedSentences = ()
    subject: SealedText = ""


class SummaryUndone(Event, tag="summary_undone", frozen=True, kw_only=True):
    request: str
    subject: SealedText = ""


LearningEvent = FactsExtracted | ExtractionUndone | SummaryWorded | SummaryUndone
