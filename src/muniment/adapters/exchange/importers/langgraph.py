"""LangGraph store: items with namespace, key and value; sentences are remembered, values kept."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import (
    Found,
    ImportedDocument,
    Skipped,
    listed,
    named,
    texts,
)
from muniment.adapters.exchange.source_files import SourceFiles

WORDS: Final = ("text", "content", "memory", "data")
FIELDS_MAX: Final = 8  # of a value that can be said in one sentence; a larger one is kept as it is
# The label after one of these is somebody.
OF_PEOPLE: Final = frozenset({"user", "users", "user_id", "people", "person", "customers"})
# Beside one of these the only other label is somebody: ("memories", user), (user, "profile").
OF_ONE: Final = frozenset({"memories", "memory", "profile", "profiles", "preferences"})
KINDS: Final = OF_ONE | {"facts", "semantic", "episodic", "procedural", "collection", "context"}


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.json", "*.jsonl"):
        with files.open(name) as data:
            for element in json_stream.elements(data, ("items",)):
                yield from _item(f"{name}#{element.number}", element)


def _item(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    value = told.get("value")
    if not told or value is None:
        yield Skipped(place=place, reason=element.reason or "no_value")
        return
    labels = _labels(told)
    spoken, more = (value, {}) if isinstance(value, str) else _spoken(named(value))
    if spoken is None:
        yield from _document(place, labels, told)
        return
    yield from texts(
        place,
        spoken,
        id="/".join([*map(str, labels), str(told.get("key") or place)]),
        user=person(labels),
        metadata=more,
        at=told.get("updated_at") or told.get("created_at"),
        expires=told.get("expires_at"),
    )


def _labels(told: dict[str, object]) -> list[object]:
    """As the store returns them, or joined by points as its table has them."""
    given = told.get("namespace") or told.get("prefix")
    return list(given.split(".")) if isinstance(given, str) else listed(given)


def person(labels: list[object]) -> str:
    """Whom a namespace names, as LangGraph's guides build it; nobody where that is a guess."""
    told = [each for each in labels if isinstance(each, str) and each.strip()]
    if len(told) != len(labels):
        return ""
    for before, after in pairwise(told):
        if before.lower() in OF_PEOPLE and after.lower() not in KINDS:
            return after
    others = [each for each in told if each.lower() not in KINDS]
    known = {each.lower() for each in told} & OF_ONE
    return others[0] if known and len(others) == 1 and others[0].lower() not in OF_PEOPLE else ""


def _spoken(value: dict[str, object]) -> tuple[str | None, dict[str, object]]:
    """The words of a value, and what else it holds; none where it cannot be said in a sentence."""
    inner = value.get("content")
    if isinstance(inner, dict) and value.keys() <= {"kind", "content"}:  # as LangMem wraps it
        words, more = _spoken(inner)
        return words, more | ({"kind": value["kind"]} if value.get("kind") else {})
    name = next((each for each in WORDS if isinstance(value.get(each), str)), "")
    if name:
        return str(value[name]), {each: its for each, its in value.items() if each != name}
    plain = all(isinstance(each, str | int | float) for each in value.values())
    if not value or not plain or len(value) > FIELDS_MAX:
        return None, {}
    return ", ".join(f"{name.replace('_', ' ')}: {each}" for name, each in value.items()), {}


def _document(place: str, labels: list[object], told: dict[str, object]) -> Iterator[Found]:
    key = told.get("key")
    if not isinstance(key, str) or not key or not all(isinstance(x, str) and x for x in labels):
        yield Skipped(place=place, reason="no_name")
        return
    yield ImportedDocument(
        namespace=tuple(map(str, labels)), name=key, value=told["value"], user=person(labels)
    )
