"""MCP memory: the file of the reference server, entities with observations, and relations."""

from collections.abc import Iterator

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, listed, named, texts
from muniment.adapters.exchange.source_files import SourceFiles


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.json", "*.jsonl"):
        with files.open(name) as data:
            for element in json_stream.elements(data, ("entities",), ("relations",)):
                yield from _line(f"{name}#{element.number}", element)


def _line(place: str, element: json_stream.Element) -> Iterator[Found]:
    told = named(element.value)
    kind = told.get("type") or "/".join(element.path).removesuffix("s").replace("entitie", "entity")
    if kind == "entity":
        yield from _entity(place, told)
    elif kind == "relation":
        words = [told.get(each) for each in ("from", "relationType", "to")]
        whole = all(isinstance(each, str) and each.strip() for each in words)
        text = " ".join(str(each).replace("_", " ") for each in words) if whole else None
        yield from texts(place, text, id=text)
    else:
        yield Skipped(place=place, reason=element.reason or "neither_entity_nor_relation")


def _entity(place: str, told: dict[str, object]) -> Iterator[Found]:
    name, kind = told.get("name"), told.get("entityType")
    observations = listed(told.get("observations"))
    if not isinstance(name, str) or not name.strip() or not observations:
        yield Skipped(place=place, reason="no_words")
        return
    called = f"{name} ({kind})" if isinstance(kind, str) and kind else name
    for n, each in enumerate(observations, start=1):
        words = f"{called}: {each}" if isinstance(each, str) and each.strip() else None
        yield from texts(f"{place}.{n}", words, id=words)
