"""Settling: how a request ended, with the votes that decided it."""

from muniment.layers.governance.requests import Request
from muniment.model.events import RequestSettled
from muniment.rules import governance


def settled(
    request: Request, outcome: str, votes: dict[str, str] | None = None, *, reason: str = ""
) -> RequestSettled:
    """By the votes that count, the last one among them; without any by those that decided it."""
    approvals, rejections = request.tally if votes is None else governance.tally(votes)
    return RequestSettled(
        request_id=request.request_id,
        outcome=outcome,
        approvals=approvals,
        rejections=rejections,
        reason=reason,
    )
