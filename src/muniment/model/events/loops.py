"""Events of loops: idetic events, mirror, summaries.

Kinds, times, counters and statuses are structure; what was said, and whatever was made of it
(compact text, vector), is sealed under the key of the person it is about.
"""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts, SealedValue
from muniment.model.kinds.loop import EventKind, Mark, Visibility
from muniment.model.kinds.skill import Constant, Example

SealedVector = Annotated[bytes, msgspec.Meta(extra=SEALED)]


class EventObserved(Event, tag="idetic_event", frozen=True, kw_only=True):
    """One event of a loop, literally; its id is that of this entry, or of the one it came from."""

    n: int  # within its loop
    loop_id: str
    kind: EventKind
    visibility: Visibility
    ts: str
    content: SealedValue
    metadata: SealedValue
    subject: SealedText
    # Where memory itself gave out some of it: the rest, and the receipt.
    own_words: Annotated[str | None, msgspec.Meta(extra=SEALED)] = None
    echo_of: SealedText = ""
    id: str = ""  # given by another memory, from which it was carried over


class Mirrored(Event, tag="ltm_mirrored", frozen=True, kw_only=True):
    """The compact form of exactly one idetic event."""

    source_id: str
    source_seq: int
    loop_id: str
    kind: EventKind
    visibility: Visibility
    ts: str
    importance: int
    status: str  # embedded, or pending_embedding until a vector follows
    summary: SealedText


class MirrorDeferred(Event, tag="ltm_deferred", frozen=True, kw_only=True):
    """The mirror entry is still owed: it will be tried again."""

    source_id: str
    status: str
    reason: str


class Embedded(Event, tag="ltm_embedded", frozen=True, kw_only=True):
    """A vector, recorded once with the name of the model that made it."""

    source_id: str
    model: str
    dims: int
    vector: SealedVector


class Regraded(Event, tag="ltm_regraded", frozen=True, kw_only=True):
    source_id: str
    importance: int
    reasons: tuple[str, ...]


class LoopSummarised(Event, tag="stm_summarised", frozen=True, kw_only=True):
    loop_id: str
    source_seq: int
    ts_start: str
    ts_end: str
    mirror_ids: tuple[str, ...]
    marks: tuple[Mark, ...]
    complete: bool
    summary: SealedText


class LoopsDigested(Event, tag="stm_digested", frozen=True, kw_only=True):
    """Several summaries beyond the window as one text; they and their mirror stay as they are."""

    digest_id: str
    loop_ids: tuple[str, ...]
    summary: SealedText


class SkillExtracted(Event, tag="skill_extracted", frozen=True, kw_only=True):
    """A skill as it is by now; its id follows from what was done, so it is sealed with it."""

    frequency: int
    confidence_ppm: int
    evidence: tuple[str, ...]
    last_seen: str
    skill_id: SealedText
    name: SealedText
    preconditions: SealedTexts
    steps: SealedTexts
    parameters: SealedTexts
    constants: Annotated[tuple[Constant, ...], msgspec.Meta(extra=SEALED)]
    uses: int = 0
    last_used: str = ""
    description: SealedText = ""
    postconditions: SealedTexts = ()
    returns: SealedText = ""
    examples: Annotated[tuple[Example, ...], msgspec.Meta(extra=SEALED)] = ()
    failures: int = 0
    failed_with: SealedTexts = ()


class PatchProposed(Event, tag="identity_patch_proposed", frozen=True, kw_only=True):
    paths: SealedTexts
    patch: SealedValue
    rubric: str
    score_before_ppm: int
    score_after_ppm: int
    loops: tuple[str, ...]


LoopEvent = (
    EventObserved
    | Mirrored
    | MirrorDeferred
    | Embedded
    | Regraded
    | LoopSummarised
    | LoopsDigested
    | SkillExtracted
    | PatchProposed
)
