"""Requests of extraction: facts of the newest texts, what was extracted, what waits, and undo."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import At, Id
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, post
from muniment.engine.learning.extraction import BATCHES_MAX, Extraction
from muniment.model.kinds.memo import Memo

Batches = Annotated[int, Meta(ge=1, le=BATCHES_MAX, description="At most this many requests.")]


class ExtractFactsRequest(VerbRequest[list[Extraction]], frozen=True, kw_only=True):
    """Ask the model that is named for the facts of what was kept since the last time."""

    endpoint = ask("/v1/extractions", "remember")

    batches_max: Batches = BATCHES_MAX


class UndoneExtraction(msgspec.Struct, frozen=True, kw_only=True):
    """Which facts left, and which are back."""

    forgotten: tuple[str, ...]
    restored: tuple[str, ...]


class UndoExtractionRequest(VerbRequest[UndoneExtraction], frozen=True):
    """Forget what an extraction kept, and restore what it replaced or ended."""

    endpoint = post("/v1/extractions/undo", "remember")

    extraction_id: Id


class ExtractedFactsRequest(VerbRequest[list[Memo]], frozen=True, kw_only=True):
    """What was extracted and holds, newest first, each with the words it comes from."""

    endpoint = get("/v1/extractions/facts", "recall")

    at: At = None


class ExtractionWaitingRequest(VerbRequest[dict[str, int]], frozen=True):
    """How many texts of each origin no model has been asked about."""

    endpoint = get("/v1/extractions/waiting", "recall")
