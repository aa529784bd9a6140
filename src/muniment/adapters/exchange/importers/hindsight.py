"""Hindsight: the memories of a bank, as its list and its recall return them."""

from collections.abc import Iterator

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, beside, named, texts
from muniment.adapters.exchange.source_files import SourceFiles

PATHS = (("items",), ("results",), ("memories",))


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.json", "*.jsonl"):
        with files.open(name) as data:
            for element in json_stream.elements(data, *PATHS):
                yield from _fact(f"{name}#{element.number}", element)


def _fact(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
        return
    kind = told.get("type") or told.get("fact_type")
    at = told.get("occurred_start") or told.get("mentioned_at") or told.get("date")
    yield from texts(
        place,
        told.get("text"),
        id=told.get("id"),
        origin="user" if kind in {"world", None} else "agent",  # its own acts and opinions
        session=told.get("document_id"),
        at=at,
        tags=told.get("tags"),
        metadata=beside(told, "context"),
    )
