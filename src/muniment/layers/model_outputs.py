"""Model outputs: a model's recorded answers, found by the hash of the request."""

from muniment.layers.memos.threads import OUTPUTS
from muniment.layers.shelves import Shelves
from muniment.model.events.threads import OutputRecorded


def is_answered(shelves: Shelves, request: str) -> bool:
    """Whether there is an answer, be it that of somebody who was erased since."""
    return shelves.get(OUTPUTS, request) is not None


def answers(shelves: Shelves, beginning: str) -> list[str]:
    """The requests that begin so, up to their first dash, and that were answered; newest first."""
    told = (line.event for line in shelves.under(OUTPUTS, beginning))
    return [each.request for each in told if isinstance(each, OutputRecorded)]


def said(shelves: Shelves, request: str) -> OutputRecorded | None:
    """The answer; nothing where nobody asked (`""`), nobody answered, or who did was erased."""
    line = shelves.get(OUTPUTS, request) if request else None
    told = line.event if line else None
    return told if isinstance(told, OutputRecorded) else None
