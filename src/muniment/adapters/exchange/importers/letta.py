"""Letta: an agent file (.af), with its blocks and its messages, of either version."""

from collections.abc import Iterator

import msgspec

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import (
    Found,
    Skipped,
    listed,
    named,
    origin_of,
    texts,
)
from muniment.adapters.exchange.importers import messages
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.model.errors import UNREADABLE

PATHS = (("agents",), ("blocks",), ("core_memory",), ("messages",))
OWN = frozenset({"persona", "system", "self"})  # blocks in which an agent speaks of itself


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.af", "*.json"):
        with files.open(name) as data:
            for element in json_stream.elements(data, *PATHS):
                place = f"{name} {'/'.join(element.path)}#{element.number}"
                yield from _part(place, element)


def _part(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
    elif "label" in told and "value" in told:
        yield from _block(place, told)
    elif element.path in {("agents",), ()}:
        yield from _agent(place, told)
    else:
        yield from _message(place, told, "")


def _agent(place: str, told: dict[str, object]) -> Iterator[Found]:
    session = str(told.get("name") or told.get("id") or "")
    for n, each in enumerate(listed(told.get("core_memory")), start=1):
        yield from _block(f"{place}.block{n}", named(each))
    for n, each in enumerate(listed(told.get("messages")), start=1):
        yield from _message(f"{place}.{n}", named(each), session)


def _block(place: str, told: dict[str, object]) -> Iterator[Found]:
    label, value = str(told.get("label") or ""), told.get("value")
    yield from texts(
        place,
        value,
        id=f"block {told.get('id') or label}",
        origin="agent" if label in OWN else "user",
        at=told.get("updated_at"),
    )


def _message(place: str, told: dict[str, object], session: str) -> Iterator[Found]:
    role = told.get("role")
    if role in {"system", None}:
        yield Skipped(place=place, reason="system_prompt" if role else "unknown_shape")
        return
    words, kinds = messages.words_of(told.get("content") or told.get("text"))
    said = _said(told) or _unwrapped(words)
    for kind in kinds:
        yield Skipped(place=place, reason=kind)
    yield from texts(
        place,
        said,
        id=told.get("id"),
        origin=origin_of(role),
        session=session,
        at=told.get("created_at") or told.get("date"),
    )


def _said(told: dict[str, object]) -> str | None:
    """What an agent told its user: the message of the tool by which it speaks."""
    for call in listed(told.get("tool_calls")):
        function = named(named(call).get("function"))
        given = _object(function.get("arguments")) if function.get("name") == "send_message" else {}
        if isinstance(given.get("message"), str):
            return str(given["message"])
    return None


def _unwrapped(words: str | None) -> str | None:
    """A message that is wrapped as an object; what a heartbeat or a login says is nobody's word."""
    told = _object(words)
    if not told:
        return words
    if told.get("type") in {"heartbeat", "login", "system_alert"}:
        return None
    found = told.get("message")
    return found if isinstance(found, str) else None


def _object(text: object) -> dict[str, object]:
    if not isinstance(text, str) or not text.lstrip().startswith("{"):
        return {}
    try:
        return named(msgspec.json.decode(text))
    except UNREADABLE:
        return {}
