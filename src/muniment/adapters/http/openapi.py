"""OpenAPI 3.1 document, generated from the table of routes."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

import muniment
from muniment.adapters.http.route import Route
from muniment.model.errors import Envelope

TEMPLATE: Final = "#/components/schemas/{name}"
ALWAYS: Final = {
    "400": "What was asked has no meaning here; nothing was changed.",
    "401": "No key, or none that is in force.",
    "403": "The key may not do that, or the answer was no: `meta.reason` says why.",
    "404": "Nothing of that name can be seen with this key.",
    "408": "The body did not arrive in time.",
    "409": "Somebody else was faster, or the job has ended.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The Host or Origin header names another place.",
    "422": "The Idempotency-Key was used for something else.",
    "429": "Too often; the header Retry-After says how long to wait.",
    "500": "A promise could not be kept; `error_code` says which.",
    "503": "The store cannot be reached, or the service is busy or closing; try again.",
    "507": "The store is full; nothing was dropped, nothing was written.",
}
KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key and the same request are done once and answered alike.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
}
FILE: Final = "application/octet-stream"

Json = dict[str, Any]


def document(routes: Iterable[Route], *, server: str = "/") -> Json:
    """The whole document."""
    rows = list(routes)
    kinds = [row.takes for row in rows] + [row.answers for row in rows]
    schemas, components = msgspec.json.schema_components(
        [*kinds, Envelope], schema_hook=_anything, ref_template=TEMPLATE
    )
    paths: dict[str, Json] = {}
    taken = {name: components.pop(name) for name in {_named(its) for its in schemas[: len(rows)]}}
    for row, takes, answer in zip(rows, schemas, schemas[len(rows) :], strict=False):
        asked = taken[_named(takes)]
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, asked, answer)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Muniment",
            "version": muniment.__version__,
            "description": "The memory of an AI agent, and it can prove what it remembers.",
        },
        "servers": [{"url": server}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": _failures(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(row: Route, asked: Json, answer: Json) -> Json:
    fields, required = asked["properties"], set(asked.get("required", ()))
    inside = set(row.parameters)
    parameters = [_parameter(name, "path", fields[name], required=True) for name in row.parameters]
    if not row.has_body:
        rest = [name for name in fields if name not in inside]
        parameters += [
            _parameter(name, "query", fields[name], required=name in required) for name in rest
        ]
    if row.keyed:
        parameters.append(KEY)
    inside |= set(row.query)
    parameters += [_parameter(name, "query", fields[name], required=False) for name in row.query]
    told: Json = {
        "operationId": _operation_id(row),
        "summary": row.summary,
        "description": f"Needs a key that may `{row.verb}`.",
        "tags": [row.tag],
        "parameters": parameters,
        "responses": {"200": _answer(row, answer)}
        | {status: {"$ref": f"#/components/responses/failed{status}"} for status in ALWAYS},
    }
    if row.deprecated:
        told["deprecated"] = True
    if row.file:
        binary = {"type": "string", "format": "binary"}
        told["requestBody"] = {"required": True, "content": {FILE: {"schema": binary}}}
    if row.has_body:
        told["requestBody"] = {"required": True, **_content("", _without(asked, inside))}
        del told["requestBody"]["description"]
    return told


def _operation_id(row: Route) -> str:
    """One name for each row: what is served under several addresses has several."""
    name = row.name[0].lower() + row.name[1:]
    return f"{row.tag}_{row.path.split('/')[1]}_{name}" if row.tag == "mem0" else name


def _without(asked: Json, inside: set[str]) -> Json:
    """What a body holds: everything that the address does not say."""
    fields = {name: each for name, each in asked["properties"].items() if name not in inside}
    required = [name for name in asked.get("required", ()) if name not in inside]
    return asked | {"properties": fields, "required": required}


def _parameter(name: str, where: str, schema: Json, *, required: bool) -> Json:
    return {"name": name, "in": where, "required": required, "schema": schema}


def _failures() -> Json:
    schema = {"$ref": TEMPLATE.format(name=Envelope.__name__)}
    return {f"failed{status}": _content(told, schema) for status, told in ALWAYS.items()}


def _answer(row: Route, schema: Json) -> Json:
    if row.streams:
        told = {"type": "string", "description": "Server-sent events; each holds one entry."}
        return {"description": "As they come.", "content": {"text/event-stream": {"schema": told}}}
    if row.lines:
        told = {"type": "string", "description": "JSON lines; the last one is the manifest."}
        return {
            "description": "As it is read.",
            "content": {"application/x-ndjson": {"schema": told}},
        }
    return _content("Done.", schema)


def _content(sentence: str, schema: Json) -> Json:
    return {"description": sentence, "content": {"application/json": {"schema": schema}}}


def _named(schema: Json) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _anything(kind: type) -> Json:
    """A JSON of the caller has no shape of ours."""
    if kind is object:
        return {"description": "Any JSON."}
    raise NotImplementedError(kind)
