"""What has happened to extracted facts: which were kept, replaced, ended, dropped and undone."""

import msgspec

from muniment.model.events.event import Event, SealedText


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


LearningEvent = FactsExtracted | ExtractionUndone
