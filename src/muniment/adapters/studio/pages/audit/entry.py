"""One entry: as a card, as the JSON that is stored, and as plain lines without a bracket."""

import re
from typing import Final

import msgspec

from muniment.adapters.rendering import event_summary, plain_text
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage, stream_link
from muniment.adapters.studio.pages.audit.timeline import RowMaker
from muniment.model.errors import InputError
from muniment.model.scope import StreamKind

TAG: Final = "type"  # of an event: its kind, which the card says first
VIEWS: Final = ("card", "json", "plain")
_DIGEST: Final = re.compile("[0-9a-f]{64}")


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream = studio.stream(asked.get("stream"))
    seq = asked.number("seq", least=1)
    if seq is None:
        raise InputError("say which entry: seq")
    view = asked.get("view", "card")
    if view not in VIEWS:
        raise InputError(f"an entry is shown as one of {', '.join(VIEWS)}")
    line, rows = studio.auditor.entry(stream, seq), RowMaker(studio, stream, asked.at)
    document = event_summary.document(line)
    event = {name: told for name, told in _fields(document["event"]) if name != TAG}
    facts = [(_words(name), _told(told)) for name, told in event.items() if _told(told)]
    digests = [each for each in facts if _DIGEST.fullmatch(each[1])]
    known = {line.header.policy, line.hash.hex()}  # the header says these already
    return RenderedPage(
        template="entry.html",
        values={
            "stream": stream,
            "line": line,
            "row": rows.row(line),
            "view": view,
            "views": [(each, stream_link("/entry", stream, seq=seq, view=each)) for each in VIEWS],
            "facts": [each for each in facts if each not in digests],
            "digests": [each for each in digests if each[1] not in known],
            "empty": len(event) - len(facts),
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


def _fields(event: object) -> list[tuple[str, object]]:
    return sorted(event.items()) if isinstance(event, dict) else []


def _words(name: str) -> str:
    return name.replace("_", " ")


def _told(value: object) -> str:
    """A value as a person reads it; empty where it holds nothing."""
    match value:
        case dict():
            inner = [(_words(str(name)), _told(each)) for name, each in sorted(value.items())]
            rest = ", ".join(f"{name} {told}" for name, told in inner if told and name != TAG)
            return f"{value[TAG]}: {rest}" if TAG in value else rest
        case list() | tuple():
            return "; ".join(told for told in map(_told, value) if told)
        case bool():
            return "yes" if value else ""
        case None | 0:
            return ""
        case _:
            return str(value)
