"""Requests of learning: extracted facts, cited summaries, undo; entities and their relations."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Done
from muniment.adapters.requests.fields import Id, Name, one_of
from muniment.adapters.requests.verb_request import ReadRequest, VerbRequest, ask, get, post
from muniment.engine.learning.extraction import Extraction
from muniment.engine.learning.recorded_answers import BATCHES_MAX
from muniment.engine.learning.summaries import CitedSummary
from muniment.model.kinds.cited_summary import SummaryKind
from muniment.model.kinds.memo import Memo
from muniment.retrieval.entities.entity_graph import NamedEntity
from muniment.retrieval.entities.entity_relation import EntityRelation
from muniment.retrieval.entities.relation_rules import ANIMAL, ORGANISATION, PERSON, PLACE

Batches = Annotated[int, Meta(ge=1, le=BATCHES_MAX, description="At most this many requests.")]


class ExtractFactsRequest(VerbRequest[list[Extraction]], frozen=True, kw_only=True):
    """Ask the configured model to extract facts from what was stored since the last run."""

    endpoint = ask("/v1/extractions", "remember")

    batches_max: Batches = BATCHES_MAX


class UndoneExtraction(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that were removed, and those that were restored."""

    forgotten: tuple[str, ...]
    restored: tuple[str, ...]


class UndoExtractionRequest(VerbRequest[UndoneExtraction], frozen=True):
    """Undo an extraction: forget what it stored, and restore what it replaced or ended."""

    endpoint = post("/v1/extractions/undo", "remember")

    extraction_id: Id


class ExtractedFactsRequest(ReadRequest[list[Memo]], frozen=True):
    """List extracted facts that hold, newest first, each with the words it comes from."""

    endpoint = get("/v1/extractions/facts", "recall")


class ExtractionWaitingRequest(VerbRequest[dict[str, int]], frozen=True):
    """Count the texts of each origin that wait for extraction."""

    endpoint = get("/v1/extractions/waiting", "recall")


SummaryKinds = Annotated[
    str, one_of(*SummaryKind), Meta(description="What is summarised; by default the user.")
]
OfSession = Annotated[Name, Meta(description="A conversation or a loop, by its name.")]
Since = Annotated[Name, Meta(description="A reflection: its first day.")]
Until = Annotated[Name, Meta(description="A reflection: its last day; by default it goes on.")]


class SummaryRequest(ReadRequest[CitedSummary], frozen=True, kw_only=True):
    """A profile, reflection, conversation, title or loop, each sentence with what it cites."""

    endpoint = get("/v1/summaries", "recall")

    kind: SummaryKinds = "profile"
    session: OfSession = ""
    since: Since = ""
    until: Until = ""


class WriteSummaryRequest(VerbRequest[CitedSummary], frozen=True, kw_only=True):
    """Ask the model that is named to word a summary; what its sentences cite is checked."""

    endpoint = ask("/v1/summaries", "remember")

    kind: SummaryKinds = "profile"
    session: OfSession = ""
    since: Since = ""
    until: Until = ""
    batches_max: Batches = BATCHES_MAX


class UndoSummaryRequest(VerbRequest[Done], frozen=True):
    """Take back one wording of a summary; the one before it is read again."""

    endpoint = post("/v1/summaries/undo", "remember")

    summary_id: Id


Kind = Annotated[
    str,
    one_of("", PERSON, PLACE, ORGANISATION, ANIMAL),
    Meta(description="Only entities of one kind."),
]


class EntitiesRequest(ReadRequest[list[NamedEntity]], frozen=True, kw_only=True):
    """List people, places and organisations, those with most relations first."""

    endpoint = get("/v1/entities", "recall")

    kind: Kind = ""


class AboutRequest(ReadRequest[NamedEntity], frozen=True):
    """One entity by any of its names: its relations, each with the sentence behind it."""

    endpoint = ask("/v1/entities/about", "recall")

    name: Id


class PathBetweenRequest(ReadRequest[list[EntityRelation]], frozen=True):
    """How two entities are connected, step by step; `user` is whoever the memory is of."""

    endpoint = ask("/v1/entities/path", "recall")

    start: Id
    end: Id


class MergeEntitiesRequest(VerbRequest[Done], frozen=True):
    """Merge two names into one entity."""

    endpoint = post("/v1/entities/merge", "remember")

    name: Id
    into: Id


class SplitEntityRequest(VerbRequest[Done], frozen=True):
    """Split a name from longer names that begin with it: an entity of its own."""

    endpoint = post("/v1/entities/split", "remember")

    name: Id


class RestoreEntityRequest(VerbRequest[Done], frozen=True):
    """Undo a merge or split of an entity."""

    endpoint = post("/v1/entities/restore", "remember")

    name: Id
