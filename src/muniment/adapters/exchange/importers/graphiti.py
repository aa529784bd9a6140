"""Graphiti and Zep: episodes, facts on edges, summaries of nodes, and messages of a session."""

from collections.abc import Iterator

import msgspec

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import (
    NOT_READABLE,
    Found,
    ImportedDocument,
    ImportedText,
    Skipped,
    beside,
    moment,
    named,
    origin_of,
    plain,
    texts,
)
from muniment.adapters.exchange.importers import messages
from muniment.adapters.exchange.source_files import SourceFiles

KEY_CHARACTERS = 100  # of an id that is part of a key
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
        user=told.get("user_id"),
        speaker=_speaker(told),
        session=told.get("session_id") or told.get("thread_id"),
        at=told.get("created_at"),
        metadata=beside(told),
    )


def _speaker(told: dict[str, object]) -> object:
    """By name: in a field of its own, or, of older ones, where the role's type stands beside it."""
    return told.get("name") or (told.get("role") if told.get("role_type") else "")


def _episode(place: str, told: dict[str, object]) -> Iterator[Found]:
    if told.get("source") == "json":
        yield _value(place, told)
        return
    lines = str(told.get("content") or "").strip().split("\n")
    if told.get("source") == "message" and messages.SPOKEN.match(lines[0]):
        yield from (_of(told, each) for each in messages.spoken(place, iter(lines)))
        return
    outside = told.get("source") not in {None, "message"}
    yield from texts(
        place,
        told.get("content"),
        id=told.get("uuid"),
        origin="external" if outside else "user",
        source=told.get("source_description") if outside else "",
        at=told.get("valid_at") or told.get("created_at"),
    )


def _of(told: dict[str, object], each: Found) -> Found:
    """What somebody said in an episode, at its time and under its name."""
    if not isinstance(each, ImportedText):
        return each
    at = moment(told.get("valid_at") or told.get("created_at"))
    key = f"{each.key} {plain(told.get('uuid'))[:KEY_CHARACTERS]}".strip()
    return msgspec.structs.replace(each, at=at, key=key, session=plain(told.get("name")))


def _value(place: str, told: dict[str, object]) -> Found:
    """A value is no sentence: it is kept as what it is."""
    try:
        value = msgspec.json.decode(str(told.get("content")))
    except msgspec.DecodeError:
        return Skipped(place=place, reason=NOT_READABLE)
    name = str(told.get("uuid") or place)
    return ImportedDocument(namespace=("graphiti",), name=name, value=value)


def _node(place: str, told: dict[str, object]) -> Iterator[Found]:
    summary = told.get("summary")
    words = f"{told['name']}: {summary}" if isinstance(summary, str) and summary.strip() else None
    yield from texts(place, words, id=told.get("uuid"), origin="agent", at=told.get("created_at"))
