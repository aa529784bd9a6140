"""Routes of extraction: facts of the newest texts, what was extracted, what waits, and undo."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.learning import (
    ExtractedFactsRequest,
    ExtractFactsRequest,
    ExtractionWaitingRequest,
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
        route(ExtractedFactsRequest, lambda hands, asked: hands.agent.extracted_facts(at=asked.at)),
        route(ExtractionWaitingRequest, lambda hands, _: hands.agent.extraction_waiting()),
    ],
)
