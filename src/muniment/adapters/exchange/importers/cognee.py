"""Cognee: nodes and edges of its graph; chunks and entities say something, types do not."""

from collections.abc import Iterator

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import Found, Skipped, named, texts
from muniment.adapters.exchange.source_files import SourceFiles

PAIR = 2  # a node as a list: its id, and what is known of it
TRIPLE = 3  # an edge as a list: from, to, the relation, perhaps more
STRUCTURE = frozenset({"EntityType", "NodeSet", "TextDocument", "PdfDocument", "DocumentChunkType"})


def read(files: SourceFiles) -> Iterator[Found]:
    names: dict[str, str] = {}  # of the nodes, by id: an edge names its ends so
    for name in files.names("*.json", "*.jsonl"):
        with files.open(name) as data:
            for element in json_stream.elements(data, ("nodes",), ("edges",)):
                place = f"{name} {'/'.join(element.path)}#{element.number}"
                if element.path == ("edges",) or _is_edge(element.value):
                    yield from _edge(place, element, names)
                else:
                    yield from _node(place, element, names)


def _node(place: str, element: json_stream.Element, names: dict[str, str]) -> Iterator[Found]:
    value = element.value
    pair = isinstance(value, list) and len(value) == PAIR
    told = {**named(value[1]), "id": value[0]} if pair else named(value)  # type: ignore[index]
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
        return
    told = {**told, **named(told.get("properties"))}
    name, kind = told.get("name"), str(told.get("type") or "")
    if isinstance(name, str) and name.strip():
        names[str(told.get("id"))] = name
    if kind in STRUCTURE:
        yield Skipped(place=place, reason="structure")
        return
    words, said = told.get("text"), told.get("description")
    if not words and isinstance(said, str) and said.strip():
        words = f"{name}: {said}" if isinstance(name, str) and name else said
    yield from texts(place, words, id=told.get("id"), origin="external", source="cognee")


def _edge(place: str, element: json_stream.Element, names: dict[str, str]) -> Iterator[Found]:
    value = element.value
    if isinstance(value, list) and len(value) >= TRIPLE:
        ends, relation = (value[0], value[1]), value[2]
    else:
        told = named(value)
        ends = (
            told.get("source") or told.get("source_node_id"),
            told.get("target") or told.get("target_node_id"),
        )
        relation = told.get("relationship_name") or told.get("relation") or told.get("label")
    known = [names.get(str(each)) for each in ends]
    if not all(known) or not isinstance(relation, str) or not relation.strip():
        yield Skipped(place=place, reason="ends_without_names")
        return
    words = f"{known[0]} {relation.replace('_', ' ')} {known[1]}"
    yield from texts(place, words, id=words, origin="external", source="cognee")


def _is_edge(value: object) -> bool:
    return isinstance(value, list) and len(value) >= TRIPLE
