"""Extractions: the result of each recorded answer, and how far each origin's texts are read."""

from typing import Final

from muniment.log.entry import Line
from muniment.model.events.learning import ExtractionUndone, FactsExtracted

SHELF: Final = "extractions"  # by request
REACHED: Final = "extracted"  # by whose texts they are, and their origin
UNDONE: Final = "extractions_undone"  # by request
SHELVES: Final = (SHELF, REACHED, UNDONE)


def reach(subject: str, origin: str) -> str:
    """Under which it is found how far the texts of one origin about somebody are read."""
    return f"{origin}/{subject}"


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    match line.event:
        case FactsExtracted(subject=subject, origin=origin):
            return ((REACHED, reach(subject, origin)),)
        case _:
            return ()


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    match line.event:
        case FactsExtracted(request=request, subject=subject, origin=origin):
            return ((SHELF, request, f"of:{subject}"), (REACHED, reach(subject, origin), ""))
        case ExtractionUndone(request=request):
            return ((UNDONE, request, ""),)
        case _:
            return ()
