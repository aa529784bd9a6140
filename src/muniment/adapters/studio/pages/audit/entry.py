"""One entry: as a card, as the JSON that is stored, and as plain lines without a bracket."""

from typing import Final

import msgspec

from muniment.adapters.rendering import event_summary, plain_text
from muniment.adapters.studio.known import entry_words
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, stream_link
from muniment.adapters.studio.pages.audit.timeline import RowMaker
from muniment.model.errors import InputError
from muniment.model.scope import StreamKind

VIEWS: Final = ("card", "json", "plain")


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream = studio.stream(asked.get("stream"))
    seq = asked.number("seq", least=1)
    if seq is None:
        raise InputError("name an entry: seq")
    view = asked.get("view", "card")
    if view not in VIEWS:
        raise InputError(f"an entry is shown as one of {', '.join(VIEWS)}")
    line, rows = studio.auditor.entry(stream, seq), RowMaker(studio, stream, asked.at)
    document = event_summary.document(line)
    told = entry_words.fields(document["event"], studio.auditor.named)
    known = {line.header.policy, line.hash.hex()}  # the header says these already
    return RenderedPage(
        template="entry.html",
        values={
            "stream": stream,
            "line": line,
            "row": rows.row(line),
            "view": view,
            "views": [(each, stream_link("/entry", stream, seq=seq, view=each)) for each in VIEWS],
            "facts": told.words,
            "codes": [each for each in told.codes if each[1] not in known],
            "empty": told.empty,
            "json": msgspec.json.format(msgspec.json.encode(document), indent=2).decode(),
            "plain": plain_text.plain(document),
            "batch": list(map(rows.row, studio.auditor.batch(stream, seq))),
            "stand": stream_link("/log", stream, at=seq),
            "previous": stream_link("/entry", stream, seq=seq - 1) if seq > 1 else "",
            "next": (
                stream_link("/entry", stream, seq=seq + 1)
                if seq < studio.memory.head(stream)
                else ""
            ),
            "is_agent": stream.kind is StreamKind.AGENT,
        },
    )
