"""The overview: who remembers here, how much of what, and what awaits you."""

from collections.abc import Mapping
from typing import Final

import msgspec

from muniment.adapters.studio import page_permissions
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_permissions import May
from muniment.adapters.studio.page_progress import PageProgress
from muniment.adapters.studio.page_request import (
    PageRequest,
    RenderedPage,
    part,
    stream_link,
)
from muniment.model.errors import NotFoundError
from muniment.model.scope import StreamId, StreamKind

FAILURES_MAX: Final = 200
DAYS_MAX: Final = 92  # bars of a chart; more are told by month
MONTH: Final = 7  # characters of a day, down to its month
LOGS: Final = 24  # on one page: each has to be opened


class LogCard(msgspec.Struct, frozen=True, kw_only=True):
    """One log on the overview."""

    stream: str
    name: str
    head: int
    proved: int
    log: str
    counts: str


class PendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    what: str
    count: int
    where: str  # an address, or empty


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    may = studio.may(asked)
    logs = part(asked, studio.streams(), LOGS)
    known = [_known(studio, each, may) for each in logs.rows]
    return RenderedPage(
        template="overview.html",
        values={
            "known": known,
            "logs": logs,
            "proved": sum(1 for each in known if each.proved >= each.head),
        },
    )


def counts(studio: Studio, asked: PageRequest) -> RenderedPage:
    """The layers and the activity of one log, counted while the page is already there."""
    stream = studio.stream(asked.get("stream"))
    counted, far = studio.counting.survey(stream)
    span, days = _by_span(counted.days)
    return RenderedPage(
        template="counts.html",
        values={
            "stream": stream.text,
            "layers": counted.layers,
            "refused": sorted(counted.refused.items()),
            "erased": counted.erased,
            "far": far,
            "again": stream_link("/counts", stream),
            "days": days,
            "span": span,
        },
    )


def _by_span(days: Mapping[str, int]) -> tuple[str, list[tuple[str, int]]]:
    """How much was asked by day, or by month where there are too many days for a picture."""
    if len(days) <= DAYS_MAX:
        return "day", sorted(days.items())
    months: dict[str, int] = {}
    for day, count in days.items():
        months[day[:MONTH]] = months.get(day[:MONTH], 0) + count
    return "month", sorted(months.items())


def waiting(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What awaits a hand, as far as whoever asks has to do with it."""
    may = studio.may(asked)
    told: list[PendingRequest] = []
    if may("requests"):
        count = len(studio.hands(asked, "requests").requests())
        told.append(PendingRequest(what="awaiting a decision", count=count, where="/council"))
    far, extraction = PageProgress(0, 0), studio.memory.extraction()
    agents = part(asked, studio.streams(StreamKind.AGENT) if may("streams") else [], LOGS)
    for stream in agents.rows:
        owed, apart, its = _owed(studio, stream), *studio.counting.survey(stream)
        who, far = wording.agent_name(stream), far.plus(its)
        log, list_ = (_seen(may, path, stream) for path in ("/log", "/apart"))
        told.append(PendingRequest(what=f"still to derive for {who}", count=owed, where=log))
        if extraction.model is not None:
            count = sum(extraction.waiting(stream.owner).values())
            told.append(
                PendingRequest(what=f"texts of {who} no model has read", count=count, where="")
            )
        told.append(
            PendingRequest(what=f"quarantined for {who}", count=len(apart.apart), where=list_)
        )
    if may("incidents"):
        failed = len(studio.memory.admin().incidents(queue="admin"))
        told.append(
            PendingRequest(what="failed and in need of a hand", count=failed, where="/failures")
        )
    values: dict[str, object] = {"waiting": told, "far": far, "agents": agents}
    return RenderedPage(template="waiting.html", values=values)


def apart(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What was told from outside and is not recalled until a person vouches for it."""
    stream = studio.stream(asked.get("stream"), StreamKind.AGENT)
    counted, far = studio.counting.survey(stream)
    rows = [
        (each, stream_link("/item", stream, id=each.item_id)) for each in counted.apart.values()
    ]
    known, _ = studio.counting.catalogue()
    own = {each.id for each in known.by_person.get(asked.who, ())}  # theirs to vouch for
    values: dict[str, object] = {
        "stream": stream,
        "part": part(asked, rows),
        "far": far,
        "own": own,
        "source": lambda origin: wording.SOURCES.get(origin, origin),
    }
    return RenderedPage(template="apart.html", values=values)


def failures(studio: Studio, asked: PageRequest) -> RenderedPage:
    """What the environment did, newest first."""
    del asked
    told = list(reversed(studio.memory.admin().incidents()))
    return RenderedPage(template="failures.html", values={"failures": told[:FAILURES_MAX]})


def _known(studio: Studio, stream: StreamId, may: May) -> LogCard:
    return LogCard(
        stream=stream.text,
        name=wording.log_name(stream),
        head=studio.memory.head(stream),
        proved=studio.proved.get(stream.text, 0),
        log=_seen(may, "/log", stream),
        counts=stream_link("/counts", stream),
    )


def _seen(may: May, path: str, stream: StreamId) -> str:
    """An address for who may see what is there; for others it is no link."""
    return stream_link(path, stream) if page_permissions.is_shown(path, may) else ""


def _owed(studio: Studio, stream: StreamId) -> int:
    try:
        coverage = studio.memory.subconscious_view(stream.owner).coverage(stream.persona)
    except NotFoundError:
        return 0  # nothing was ever observed there
    return coverage.pending_derivation + coverage.pending_embedding
