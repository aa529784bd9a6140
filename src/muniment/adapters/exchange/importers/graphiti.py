"""Graphiti and Zep: episodes, facts on edges, summaries of nodes, and messages of a session."""

from collections.abc import Iterator

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, named, origin_of, texts
from muniment.adapters.exchange.source_files import SourceFiles

PATHS = (("episodes",), ("edges",), ("facts",), ("nodes",), ("messages",))


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.json", "*.jsonl"):
        with files.open(name) as data:
            for element in json_stream.elements(data, *PATHS):
                yield from _part(f"{name} {'/'.join(element.path)}#{element.number}", element)


def _part(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
    elif "fact" in told or {"source_node_uuid", "target_node_uuid"} <= told.keys():
        yield from _edge(place, told)
    elif "role" in told or "role_type" in told:
        yield from _message(place, told)
    elif "content" in told:
        yield from _episode(place, told)
    elif "name" in told:
        yield from _node(place, told)
    else:
        yield Skipped(place=place, reason="unknown_shape")


def _edge(place: str, told: dict[str, object]) -> Iterator[Found]:
    if told.get("invalid_at") or told.get("expired_at"):
        yield Skipped(place=place, reason="no_longer_valid")
        return
    at = told.get("valid_at") or told.get("created_at")
    yield from texts(place, told.get("fact"), id=told.get("uuid"), origin="agent", at=at)


def _message(place: str, told: dict[str, object]) -> Iterator[Found]:
    yield from texts(
        place,
        told.get("content"),
        id=told.get("uuid"),
        origin=origin_of(told.get("role_type") or told.get("role")),
        session=told.get("session_id") or told.get("thread_id"),
        at=told.get("created_at"),
    )


def _episode(place: str, told: dict[str, object]) -> Iterator[Found]:
    outside = told.get("source") not in {None, "message"}
    yield from texts(
        place,
        told.get("content"),
        id=told.get("uuid"),
        origin="external" if outside else "user",
        source=told.get("source_description") if outside else "",
        at=told.get("valid_at") or told.get("created_at"),
    )


def _node(place: str, told: dict[str, object]) -> Iterator[Found]:
    summary = told.get("summary")
    words = f"{told['name']}: {summary}" if isinstance(summary, str) and summary.strip() else None
    yield from texts(place, words, id=told.get("uuid"), origin="agent", at=told.get("created_at"))
