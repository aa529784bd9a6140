"""Requests of learning: extracted facts, what waits, undo; entities and their relations."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Done
from muniment.adapters.requests.fields import Id, one_of
from muniment.adapters.requests.verb_request import ReadRequest, VerbRequest, ask, get, post
from muniment.engine.learning.extraction import BATCHES_MAX, Extraction
from muniment.model.kinds.memo import Memo
from muniment.retrieval.entities.entity_graph import EntityRelation, NamedEntity
from muniment.retrieval.entities.relation_rules import ANIMAL, ORGANISATION, PERSON, PLACE

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


class ExtractedFactsRequest(ReadRequest[list[Memo]], frozen=True):
    """What was extracted and holds, newest first, each with the words it comes from."""

    endpoint = get("/v1/extractions/facts", "recall")


class ExtractionWaitingRequest(VerbRequest[dict[str, int]], frozen=True):
    """How many texts of each origin no model has been asked about."""

    endpoint = get("/v1/extractions/waiting", "recall")


Kind = Annotated[
    str,
    one_of("", PERSON, PLACE, ORGANISATION, ANIMAL),
    Meta(description="Only entities of one kind."),
]


class EntitiesRequest(ReadRequest[list[NamedEntity]], frozen=True, kw_only=True):
    """People, places and organisations that texts name, those with most relations first."""

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
    """Say that two names are one entity."""

    endpoint = post("/v1/entities/merge", "remember")

    name: Id
    into: Id


class SplitEntityRequest(VerbRequest[Done], frozen=True):
    """Say that a name is an entity of its own, whatever longer name begins with it."""

    endpoint = post("/v1/entities/split", "remember")

    name: Id


class RestoreEntityRequest(VerbRequest[Done], frozen=True):
    """Take back what was merged or split by hand."""

    endpoint = post("/v1/entities/restore", "remember")

    name: Id
