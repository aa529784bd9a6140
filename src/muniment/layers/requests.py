"""Requests: what awaits a yes, who has voted, and how each was settled."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import (
    DeletionOrdered,
    ErasureCompleted,
    RequestForwarded,
    RequestRaised,
    RequestSettled,
    Shredded,
    VoteCast,
)
from muniment.model.item import Evidence, Value

OUTBOX_MAX = 32  # a crash leaves at most one undelivered for each process that writes
SETTLED = frozenset({"rejected", "expired", "executed", "failed"})


class Request(msgspec.Struct, frozen=True, kw_only=True):
    request_id: str
    action: str
    key: str
    value: Value
    justification: str
    evidence: tuple[Evidence, ...]
    requested_by: str
    subject: str
    created_seeded_ts: str
    required_approval: str
    expires_at_tick: int
    expected_head: int
    binding: str
    status: str = "pending"
    votes: dict[str, str] = {}  # member reference to vote


class Requests(msgspec.Struct, frozen=True, kw_only=True):
    open: dict[str, Request] = {}
    count: int = 0
    forwarded: int = 0
    ordered: tuple[str, ...] = ()  # erasures begun and not completed: a crash does not lose them
    outbox: tuple[int, ...] = ()  # seqs of what was last forwarded; delivering twice is harmless


def fold(state: Requests, lines: list[Line]) -> Requests:
    waiting, outbox, ordered = dict(state.open), state.outbox, state.ordered
    count, forwarded = state.count, state.forwarded
    for line in lines:
        match line.event:
            case RequestForwarded(n=n) | Shredded(wire="request_forwarded", public={"n": int(n)}):
                forwarded = n
                outbox = (*outbox, line.seq)[-OUTBOX_MAX:]
            case RequestRaised(n=n) | Shredded(wire="action_request", public={"n": int(n)}):
                count = n
            case DeletionOrdered(request_id=request_id):
                ordered = (*ordered, request_id)
            case ErasureCompleted(request_id=request_id):
                ordered = tuple(each for each in ordered if each != request_id)
            case _:
                pass
        _record(waiting, line)
    return Requests(open=waiting, count=count, forwarded=forwarded, outbox=outbox, ordered=ordered)


def _record(waiting: dict[str, Request], line: Line) -> None:
    match line.event:
        case RequestRaised() as raised:
            waiting[raised.request_id] = from_event(raised)
        case VoteCast() as vote if vote.request_id in waiting:
            waiting[vote.request_id] = _voted(waiting[vote.request_id], vote)
        case RequestSettled() as settled if settled.request_id in waiting:
            _settle(waiting, settled)
        case _:
            pass


def from_event(raised: RequestRaised) -> Request:
    return Request(
        request_id=raised.request_id,
        action=raised.action,
        key=raised.key,
        value=raised.value,
        justification=raised.justification,
        evidence=raised.evidence,
        requested_by=raised.requested_by,
        subject=raised.subject,
        created_seeded_ts=raised.created_seeded_ts,
        required_approval=raised.required_approval,
        expires_at_tick=raised.expires_at_tick,
        expected_head=raised.expected_head,
        binding=raised.binding,
    )


def _voted(request: Request, vote: VoteCast) -> Request:
    return msgspec.structs.replace(request, votes=request.votes | {vote.member: vote.vote})


def _settle(waiting: dict[str, Request], settled: RequestSettled) -> None:
    if settled.outcome in SETTLED:
        waiting.pop(settled.request_id)
    else:
        request = waiting[settled.request_id]
        waiting[settled.request_id] = msgspec.structs.replace(request, status=settled.outcome)
