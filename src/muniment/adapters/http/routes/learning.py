"""Routes of learning: extracted facts, cited summaries, undo; entities and their relations."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.answers import Done
from muniment.adapters.requests.learning import (
    AboutRequest,
    EntitiesRequest,
    ExtractedFactsRequest,
    ExtractFactsRequest,
    ExtractionWaitingRequest,
    MergeEntitiesRequest,
    PathBetweenRequest,
    RestoreEntityRequest,
    SplitEntityRequest,
    SummaryRequest,
    UndoExtractionRequest,
    UndoneExtraction,
    UndoSummaryRequest,
    WriteSummaryRequest,
)
from muniment.engine.learning.summaries import CitedSummary
from muniment.model.kinds.cited_summary import SummaryKind


def _undo(hands: Hands, asked: UndoExtractionRequest) -> UndoneExtraction:
    told = hands.agent.undo_extraction(asked.extraction_id)
    return UndoneExtraction(forgotten=told.forgotten, restored=told.restored)


def _session(hands: Hands, asked: SummaryRequest | WriteSummaryRequest) -> str:
    """A session by the name that it has in this house; a loop by its own."""
    return asked.session if asked.kind == SummaryKind.LOOP else hands.session(asked.session)


def summary(hands: Hands, asked: SummaryRequest) -> CitedSummary:
    return hands.agent.summary(
        asked.kind,
        session=_session(hands, asked),
        since=asked.since,
        until=asked.until,
        **asked.then,
    )


def _write_summary(hands: Hands, asked: WriteSummaryRequest) -> CitedSummary:
    return hands.agent.write_summary(
        asked.kind,
        session=_session(hands, asked),
        since=asked.since,
        until=asked.until,
        batches_max=asked.batches_max,
    )


ROUTES: Final = tagged(
    "learning",
    [
        route(
            ExtractFactsRequest,
            lambda hands, asked: hands.agent.extract_facts(batches_max=asked.batches_max),
        ),
        route(UndoExtractionRequest, _undo),
        route(
            ExtractedFactsRequest, lambda hands, asked: hands.agent.extracted_facts(**asked.then)
        ),
        route(ExtractionWaitingRequest, lambda hands, _: hands.agent.extraction_waiting()),
        route(SummaryRequest, summary),
        route(WriteSummaryRequest, _write_summary),
        route(
            UndoSummaryRequest,
            lambda hands, asked: Done(seq=hands.agent.undo_summary(asked.summary_id)),
        ),
        route(
            EntitiesRequest,
            lambda hands, asked: hands.agent.entities(kind=asked.kind, **asked.then),
        ),
        route(AboutRequest, lambda hands, asked: hands.agent.about(asked.name, **asked.then)),
        route(
            PathBetweenRequest,
            lambda hands, asked: hands.agent.path_between(asked.start, asked.end, **asked.then),
        ),
        route(
            MergeEntitiesRequest,
            lambda hands, asked: Done(seq=hands.agent.merge_entities(asked.name, asked.into)),
        ),
        route(
            SplitEntityRequest,
            lambda hands, asked: Done(seq=hands.agent.split_entity(asked.name)),
        ),
        route(
            RestoreEntityRequest,
            lambda hands, asked: Done(seq=hands.agent.restore_entity(asked.name)),
        ),
    ],
)
