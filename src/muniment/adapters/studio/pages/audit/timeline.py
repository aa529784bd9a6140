"""The timeline: every entry of a log, newest first, filtered, at any past place."""

from typing import Final

import msgspec

from muniment.adapters.rendering import event_summary, event_words
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, stream_link
from muniment.engine.audit import provenance
from muniment.engine.audit.auditor import EntryFilter
from muniment.log.entry import Line
from muniment.model.scope import StreamId, StreamKind

ENTRIES: Final = 50
FILTERS: Final = ("kind", "job", "item", "about", "text", "receipts")
# What the machine notes about itself: questions as they came in, reads and their receipts.
RECEIPTS: Final = frozenset(
    {
        *("received", "memory_recall", "items_recalled", "context_assembled", "context_used"),
        *("ltm_embedded", "ltm_regraded", "vectors_recorded", "vectors_reached", "ticked"),
        *("ledger_opened", "ledger_shelved", "cwm_recomputed", "outcome_recorded"),
    }
)
SHOWN: Final = tuple(sorted(each for each in event_summary.GISTS if each not in RECEIPTS))
ORDINARY: Final = "write_policy"  # a refusal that only says that chatter is not kept for good


class TimelineRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entry on the timeline."""

    seq: int
    time: str
    exact: str  # the same, as the log has it
    kind: str
    name: str  # of its kind, in words
    gist: str
    is_question: bool
    is_refusal: bool
    is_erased: bool
    made: tuple[tuple[str, str], ...]  # ids and where each is shown
    where: str


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream = chosen(studio, asked)
    if stream is None:
        return RenderedPage(template="empty.html", values={})
    sought = EntryFilter(
        types=_types(asked),
        job=asked.number("job") or 0,
        item=asked.get("item"),
        text=asked.get("text"),
        about=studio.auditor.ref(asked.get("about")) if asked.get("about") else "",
    )
    found = studio.auditor.page(
        stream,
        before=asked.number("before") or 0,
        limit=ENTRIES,
        sought=sought,
        at=asked.at,
    )
    kept = {name: asked.get(name) for name in FILTERS}
    more = stream_link("/log", stream, at=asked.at, before=found.before, **kept)
    return RenderedPage(
        template="rows.html" if asked.is_fragment and asked.get("before") else "timeline.html",
        values={
            "stream": stream,
            "streams": studio.streams(),
            "rows": list(map(RowMaker(studio, stream, asked.at).row, found.lines)),
            "more": more if found.before else "",
            "looked_at": found.looked_at,
            "filters": kept,
            "kinds": sorted(event_words.NAMES.items()),
            "head": studio.memory.head(stream),
            "at": asked.at,
            "people": studio.people(),
        },
    )


def _types(asked: PageRequest) -> tuple[str, ...]:
    """The kinds that are shown: the one that was asked for, or all but receipts."""
    if asked.get("kind"):
        return (asked.get("kind"),)
    return () if asked.get("receipts") or asked.get("item") else SHOWN


def chosen(studio: Studio, asked: PageRequest, kind: StreamKind | None = None) -> StreamId | None:
    """The log that was named; without a name the first agent's, or none at all."""
    if asked.get("stream"):
        return studio.stream(asked.get("stream"), kind)
    agents = studio.streams(StreamKind.AGENT)
    others = studio.streams(kind)
    return next(iter(agents), None) or next(iter(others), None)


def moment(line: Line) -> str:
    return wording.minute(line.header.ts)


class RowMaker:
    """Makes rows of entries, in the words that the logs have as far as they were read."""

    def __init__(self, studio: Studio, stream: StreamId, at: int | None = None) -> None:
        self._named, self._known = studio.auditor.named, studio.counting.catalogue()[0]
        self._stream, self._at = stream, at

    def _worded(self, item_id: str) -> str:
        """What an id stands for; whoever sees entries sees words."""
        found = self._known.find(item_id)
        return wording.told(found) if found else ""

    def row(self, line: Line) -> TimelineRow:
        kind = line.header.type
        return TimelineRow(
            seq=line.seq,
            time=moment(line),
            kind=kind,
            name=event_words.name(line),
            exact=line.header.ts,
            gist=wording.codeless(event_words.gist(line, self._named, self._worded)),
            is_question=kind == "received",
            is_refusal=kind.endswith("denied")
            and not str(getattr(line.event, "reason", "")).startswith(ORDINARY),
            is_erased=event_summary.is_erased(line),
            made=tuple(
                (name, stream_link("/item", self._stream, id=name, at=self._at))
                for name in provenance.made(line)
            ),
            where=stream_link("/entry", self._stream, seq=line.seq, at=self._at),
        )
