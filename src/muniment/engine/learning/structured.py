"""Structured memory: values of a schema, typed, validated and cited; empty until known.

A schema names what somebody wants to know of a person: a msgspec struct, a Pydantic model or a
JSON schema. Each field is looked for under its name: among the facts that a model extracted, the
relations that the rules found, and the governed facts of the person. Nobody is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from muniment.engine.decide.memos.extraction import is_extracted
from muniment.engine.learning.entity_view import EntityView
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import grounding
from muniment.retrieval.dates import validity
from muniment.retrieval.entities.relation_rules import USER
from muniment.rules import extraction

_WHOLE = lazy_pattern(r"-?\d+")
_NUMBER = lazy_pattern(r"-?\d+(?:\.\d+)?")
PYDANTIC: Final = ("model_json_schema", "model_validate")
YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """Where a value comes from."""

    value: object
    evidence: str  # the id of what was kept, or the key of a governed fact
    quote: str = ""


class StructuredMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a schema's fields."""

    values: dict[str, object]  # of the fields that are known
    citations: dict[str, tuple[Citation, ...]]
    missing: tuple[str, ...]  # fields of which nothing fitting is known
    filled: Any = None  # the schema's own object, once every field that it requires is known


@checks_arguments
class SchemaReader:
    """Fills schemas from what one session may see."""

    def __init__(self, session: AgentSession, entities: EntityView) -> None:
        self._session, self._entities = session, entities

    def structured(
        self, schema: object, *, at: int | None = None, valid_at: str = ""
    ) -> StructuredMemory:
        """What is known of each field of a schema, with the words it comes from."""
        document, build = _read(schema)
        fields: Mapping[str, Any] = document.get("properties", {})
        known = self._known(at, check_day(valid_at))
        values: dict[str, object] = {}
        citations: dict[str, tuple[Citation, ...]] = {}
        for name, kind in fields.items():
            found = list(_fitting(_resolved(kind, document), known.get(extraction.slug(name), ())))
            if found:
                many = _type(_resolved(kind, document)) == "array"
                values[name] = [each.value for each in found] if many else found[0].value
                citations[name] = tuple(found if many else found[:1])
        missing = tuple(name for name in fields if name not in values)
        return StructuredMemory(
            values=values, citations=citations, missing=missing, filled=build(values)
        )

    def _known(self, at: int | None, day: str) -> dict[str, list[Citation]]:
        """By the name of a field, newest first: governed facts, then extracted ones, then rules."""
        found: dict[str, list[Citation]] = {}
        for fact in self._session.snapshot(at, day).own:
            name = extraction.slug(fact.key.rpartition("/")[2])
            found.setdefault(name, []).append(Citation(value=fact.value, evidence=fact.key))
        shelves = self._session.shelves(at)
        for memo in validity.known_memos(shelves, self._session.subject, day):
            told = memo.metadata["extracted"] if is_extracted(memo) else {}  # type: ignore[index]
            if told and grounding.is_user(str(told.get("subject", ""))) and told.get("object"):
                cited = Citation(
                    value=told["object"],
                    evidence=str(told.get("source", memo.id)),
                    quote=str(told.get("quote", "")),
                )
                found.setdefault(extraction.slug(str(told.get("relation", ""))), []).append(cited)
        for each in self._entities.graph(at, day).relations:
            if each.subject == USER:
                cited = Citation(value=each.object, evidence=each.evidence, quote=each.sentence)
                found.setdefault(each.relation, []).append(cited)
        return found


def _read(schema: object) -> tuple[Mapping[str, Any], Callable[[dict[str, object]], object]]:
    """The JSON schema of whatever somebody hands in, and what makes an object of its values."""
    if isinstance(schema, Mapping):
        return schema, dict
    if isinstance(schema, type) and issubclass(schema, msgspec.Struct):
        document = msgspec.json.schema(schema)
        name = document["$ref"].rpartition("/")[2]
        return document["$defs"][name] | {"$defs": document["$defs"]}, _made(
            lambda values: msgspec.convert(values, schema)
        )
    described, validate = (getattr(schema, each, None) for each in PYDANTIC)
    if callable(described) and callable(validate):
        return described(), _made(validate)
    raise InputError("a schema is a msgspec struct, a Pydantic model or a JSON schema")


def _made(build: Callable[[dict[str, object]], object]) -> Callable[[dict[str, object]], object]:
    def made(values: dict[str, object]) -> object:
        try:
            return build(values)
        except (ValueError, msgspec.ValidationError):
            return None  # something that it requires is not known yet

    return made


def _resolved(kind: Any, document: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ANN401
    if not isinstance(kind, Mapping):
        return {}
    if "$ref" in kind:
        found = document.get("$defs", {}).get(str(kind["$ref"]).rpartition("/")[2], {})
        return found if isinstance(found, Mapping) else {}
    for each in kind.get("anyOf", ()):
        if each.get("type") != "null":
            return _resolved(each, document)
    return kind


def _type(kind: Mapping[str, Any]) -> str:
    return str(kind.get("type", "string"))


def _fitting(kind: Mapping[str, Any], found: Iterable[Citation]) -> Iterable[Citation]:
    """Those whose value can be read as the field's type; what cannot is not known."""
    one = kind.get("items", {}) if _type(kind) == "array" else kind
    seen: list[object] = []
    for each in found:
        value = _converted(each.value, one)
        if value is not None and value not in seen:
            seen.append(value)
            yield msgspec.structs.replace(each, value=value)


def _converted(value: object, kind: Mapping[str, Any]) -> object:
    if "enum" in kind:
        wanted = {str(each).casefold(): each for each in kind["enum"]}
        return wanted.get(str(value).casefold())
    match _type(kind):
        case "integer":
            found = _WHOLE.search(str(value))
            return int(found[0]) if found else None
        case "number":
            found = _NUMBER.search(str(value))
            return float(found[0]) if found else None
        case "boolean":
            return YES_NO.get(str(value).casefold())
        case "string":
            return str(value)
        case _:
            return None
