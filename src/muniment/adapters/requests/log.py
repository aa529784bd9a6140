"""Requests about one's own log: a page of it, its entries as they come, one entry."""

import msgspec

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import PAGE, Cursor, Id, PageLimit
from muniment.adapters.requests.verb_request import VerbRequest, get


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry: its public header, and its event as the caller may read it."""

    seq: int
    id: str
    ts: str
    type: str
    job: int
    tick: int
    hash: str
    erased: bool
    event: dict[str, object]


class LogRequest(VerbRequest[Page[LogEntry]], frozen=True, kw_only=True):
    """List the entries of the caller's own log, oldest first."""

    endpoint = get("/v1/log", "log")

    after: Cursor = ""
    limit: PageLimit = PAGE


class FollowLogRequest(LogRequest, frozen=True, kw_only=True):
    """Stream the entries of the caller's own log; Last-Event-ID resumes."""

    endpoint = msgspec.structs.replace(get("/v1/log/stream", "log"), streams=True)


class EntryRequest(VerbRequest[LogEntry], frozen=True):
    """One entry of the caller's own log, verbatim."""

    endpoint = get("/v1/log/{entry_id}", "log")

    entry_id: Id
