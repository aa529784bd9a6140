"""Requests: pending approvals, votes cast, and the result of each."""

from collections.abc import Collection, Iterable

import msgspec

from muniment.log.entry import Line
from muniment.model.events import (
    RequestForwarded,
    RequestRaised,
    RequestSettled,
    Shredded,
    VoteCast,
)
from muniment.model.events.erasure import DeletionOrdered, ErasureCompleted
from muniment.model.kinds.episode import Evidence, Value
from muniment.model.struct_copy import copied

OUTBOX_MAX = 32  # a crash leaves at most one undelivered for each process that writes
# What stands where an erased request had its words.
SHREDDED: dict[str, object] = {
    "key": "",
    "value": None,
    "justification": "",
    "evidence": (),
    "requested_by": "",
    "subject": "",
    "binding": "",
}
SETTLED = frozenset({"rejected", "expired", "executed", "failed"})
# The entries that tell of requests, by their names in a log.
TELLING = frozenset({"action_request", "vote_cast", "request_settled"})


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
    over: tuple[int, ...] = ()  # the versions in many logs that `expected_head` stands for
    tally: tuple[int, int] = (0, 0)  # what decided it, once it is approved: approvals, rejections
    erased: bool = False  # what it asked is gone; it stays counted until its time runs out


class Requests(msgspec.Struct, frozen=True, kw_only=True):
    open: dict[str, Request] = {}
    count: int = 0
    forwarded: int = 0
    ordered: tuple[str, ...] = ()  # erasures begun and not completed: a crash does not lose them
    outbox: tuple[int, ...] = ()  # seqs of what was last forwarded; delivering twice is harmless

    def approved(self, request_id: str, actions: Collection[str]) -> Request | None:
        """A request for one of these that was approved and can still be carried out."""
        found = self.open.get(request_id)
        if found is None or found.status != "approved" or found.erased:
            return None
        return found if found.action in actions else None


def shown(request: Request) -> Request:
    """A request as whoever raised it sees it: without what tells of the council's other work.

    The version it would replace, and the binding that is made of it, are for those who vote.
    """
    return msgspec.structs.replace(request, expected_head=0, over=(), binding="", expires_at_tick=0)


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
            case DeletionOrdered(request_id=request_id, what="person"):
                ordered = (*ordered, request_id)
            case ErasureCompleted(request_id=request_id):
                ordered = tuple(each for each in ordered if each != request_id)
            case _:
                pass
        _record(waiting, line)
    return Requests(open=waiting, count=count, forwarded=forwarded, outbox=outbox, ordered=ordered)


def history(lines: Iterable[Line]) -> dict[str, Request]:
    """Every request that these entries tell of, with its votes and how it stands, open or not."""
    known: dict[str, Request] = {}
    for line in lines:
        match line.event:
            case RequestSettled() as settled if settled.request_id in known:
                known[settled.request_id] = _stands(known[settled.request_id], settled)
            case _:
                _record(known, line)
    return known


def _record(waiting: dict[str, Request], line: Line) -> None:
    match line.event:
        case RequestRaised() as raised:
            waiting[raised.request_id] = from_event(raised)
        case Shredded(wire="action_request", public=public):
            remains = msgspec.convert(public | SHREDDED | {"type": "action_request"}, RequestRaised)
            waiting[remains.request_id] = msgspec.structs.replace(from_event(remains), erased=True)
        case (
            VoteCast(request_id=request_id, member=member, vote=vote)
            | Shredded(
                wire="vote_cast",
                public={"request_id": str(request_id), "member": str(member), "vote": str(vote)},
            )
        ) if request_id in waiting:
            waiting[request_id] = _voted(waiting[request_id], member, vote)
        case RequestSettled() as settled if settled.request_id in waiting:
            _settle(waiting, settled)
        case _:
            pass


def from_event(raised: RequestRaised) -> Request:
    return copied(Request, raised)


def _voted(request: Request, member: str, vote: str) -> Request:
    return msgspec.structs.replace(request, votes=request.votes | {member: vote})


def _settle(waiting: dict[str, Request], settled: RequestSettled) -> None:
    if settled.outcome in SETTLED:
        waiting.pop(settled.request_id)
    else:
        waiting[settled.request_id] = _stands(waiting[settled.request_id], settled)


def _stands(request: Request, settled: RequestSettled) -> Request:
    tally = (settled.approvals, settled.rejections)
    return msgspec.structs.replace(request, status=settled.outcome, tally=tally)
