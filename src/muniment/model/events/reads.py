"""Events of contexts: assembled, used, and the outcome of a task."""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts
from muniment.model.events.recalls import SealedCodes
from muniment.model.policy.context import ContextFilters, Spent


class ContextAssembled(Event, tag="context_assembled", frozen=True, kw_only=True):
    """A receipt: reading at `at` with this question and budget gives these items again."""

    receipt_id: SealedText
    query: SealedText
    filters: Annotated[ContextFilters, msgspec.Meta(extra=SEALED)]
    ids: SealedTexts
    sem_snapshot_hash: SealedText  # of the governed facts as they stood
    digest: SealedText  # of the text: left open, it could be guessed at for ever
    types: tuple[str, ...]
    scores_ppm: tuple[int, ...]
    budget_tokens: int
    tokens: int
    at: int
    reads: dict[str, int]
    policy: str
    dropped: dict[str, int]
    spent: tuple[Spent, ...]
    whole: bool = True
    quarantined: bool = False
    valid_at: str = ""
    as_of: str = ""
    counter: str = ""
    excerpts: tuple[tuple[int, int], ...] = ()  # places of items that are excerpts, and of which
    codes: Annotated[tuple[bytes, ...], msgspec.Meta(extra=SEALED)] = ()
    handed: SealedCodes = b""  # fingerprints of the lines that it gave out


class ContextUsed(Event, tag="context_used", frozen=True, kw_only=True):
    receipt_id: SealedText
    used: SealedTexts
    unused: SealedTexts
    how: str  # told, or the rule that found it out
    used_count: int
    unused_count: int


class TaskEnded(Event, tag="task_ended", frozen=True, kw_only=True):
    outcome: str  # success, failure
    task_id: SealedText = ""
    detail: SealedText = ""


ContextEvent = ContextAssembled | ContextUsed | TaskEnded
