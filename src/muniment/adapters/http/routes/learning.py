"""Routes of learning: extracted facts, what waits, undo; entities and their relations."""

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
    UndoExtractionRequest,
    UndoneExtraction,
)


def _undo(hands: Hands, asked: UndoExtractionRequest) -> UndoneExtraction:
    told = hands.agent.undo_extraction(asked.extraction_id)
    return UndoneExtraction(forgotten=told.forgotten, restored=told.restored)


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
