"""Routes of one's own log: a page of it, its entries as they come, one entry."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.rendering import event_summary
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import cursor_place
from muniment.adapters.requests.log import EntryRequest, FollowLogRequest, LogEntry, LogRequest
from muniment.log.entry import Line


def read_log(hands: Hands, asked: LogRequest) -> Page[LogEntry]:
    """A window of the caller's own log; entries about other people leave no gap but a number."""
    agent = hands.agent
    after = cursor_place(asked.after)
    last = min(agent.seq, after + asked.limit)
    found = agent.get_range(after + 1, last) if last > after else []
    following = str(last) if last > after else ""
    return Page(items=[entry(line) for line in found], next=following)


def entry(line: Line) -> LogEntry:
    header = line.header
    told = event_summary.document(line)["event"]
    assert isinstance(told, dict)
    return LogEntry(
        seq=line.seq,
        id=header.id,
        ts=header.ts,
        type=header.type,
        job=header.job,
        tick=header.tick,
        hash=line.hash.hex(),
        erased=event_summary.is_erased(line),
        event=told,
    )


ROUTES: Final = tagged(
    "memory",
    [
        route(LogRequest, read_log),
        route(FollowLogRequest, read_log),
        route(EntryRequest, lambda hands, asked: entry(hands.agent.get_by_id(asked.entry_id))),
    ],
)
