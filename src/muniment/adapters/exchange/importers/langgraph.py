"""LangGraph store: items with namespace, key and value; sentences are remembered, values kept."""

from collections.abc import Iterator

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

WORDS = ("text", "content", "memory", "data")
FIELDS_MAX = 8  # of a value that can be said in one sentence; a larger one is kept as it is


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
    spoken = value if isinstance(value, str) else _spoken(named(value))
    if spoken is not None:
        labels = [str(each) for each in listed(told.get("namespace"))]
        yield from texts(
            place,
            spoken,
            id="/".join([*labels, str(told.get("key") or place)]),
            at=told.get("updated_at") or told.get("created_at"),
        )
        return
    yield from _document(place, told, value)


def _spoken(value: dict[str, object]) -> str | None:
    """The words of a value: its text, or its fields, where each of them is a word or a number."""
    found = [value[each] for each in WORDS if isinstance(value.get(each), str)]
    if found:
        return str(found[0])
    plain = all(isinstance(each, str | int | float) for each in value.values())
    if not value or not plain or len(value) > FIELDS_MAX:
        return None
    return ", ".join(f"{name.replace('_', ' ')}: {each}" for name, each in value.items())


def _document(place: str, told: dict[str, object], value: object) -> Iterator[Found]:
    given = told.get("namespace")
    labels = given.split(".") if isinstance(given, str) else listed(given)
    key = told.get("key")
    if not isinstance(key, str) or not key or not all(isinstance(x, str) and x for x in labels):
        yield Skipped(place=place, reason="no_name")
        return
    yield ImportedDocument(namespace=tuple(map(str, labels)), name=key, value=value)
