"""Model summaries: each version by its subject, until it is undone."""

from typing import Final

from muniment.log.entry import Line
from muniment.model.events.learning import SummaryUndone, SummaryWorded

SHELF: Final = "summaries"  # by request, under what it is of
DECIDED: Final = "summaries_decided"  # by request, undone ones too
SHELVES: Final = (SHELF, DECIDED)


def topic(kind: str, scope: str, subject: str) -> str:
    """Under which the wordings of one summary about somebody are found."""
    return f"{kind}/{subject}/{scope}"


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    match line.event:
        case SummaryUndone(request=request):
            return ((SHELF, request),)
        case _:
            return ()


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    match line.event:
        case SummaryWorded(request=request, kind=kind, scope=scope, subject=subject):
            return ((SHELF, request, topic(kind, scope, subject)), (DECIDED, request, ""))
        case _:
            return ()
