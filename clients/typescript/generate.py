"""TypeScript types of the HTTP door: each schema of the OpenAPI document, each route as one method.

`python clients/typescript/generate.py` writes `src/api.ts` anew; a test compares them.
"""

import json
import re
from pathlib import Path
from typing import Any, get_args

from muniment.adapters.http import openapi
from muniment.adapters.http.route_table import ROUTES

HERE = Path(__file__).parent
FILE = HERE / "src" / "api.ts"
FOREIGN = "mem0"  # what mem0's own client calls
PLAIN = {"string": "string", "integer": "number", "number": "number"}
PLAIN |= {"boolean": "boolean", "null": "null", "Blob": "Blob"}
TAKEN = {"Record": "MemoryRecord"}  # names that the language has itself
HEADING = """\
// Made from the OpenAPI document by generate.py: change the routes and make it again.

/** Any JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Where the fields of a call stand; of a file they stand in the address, and it is the body. */
export type Said = "address" | "body" | "file";
"""
LINES = "application/x-ndjson"

Schema = dict[str, Any]
BINARY: Schema = {"type": "Blob"}  # a file, as the language has it


def generated() -> str:
    """The whole file."""
    document = openapi.document(ROUTES)
    rows = [
        (path, method, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if FOREIGN not in told["tags"] and _answer(told) is not None
    ]
    schemas = document["components"]["schemas"]
    flows = _flows(document)
    spoken = [_asked(told) for *_, told in rows] + [_answer(told) for *_, told in rows]
    spoken += [part for _, _, told, item in flows for part in (_asked(told), item)]
    parts = [HEADING]
    parts += [_named(name, schemas[name]) for name in sorted(_used(spoken, schemas))]
    parts.append("/** What each method is asked with, and what it answers. */")
    parts.append("export interface Methods {")
    parts += [_method(told) for _, _, told in rows]
    parts.append("}\n")
    parts.append("/** Of each method: verb, path, and where what it is asked with stands. */")
    parts.append("export const ROUTES: Record<keyof Methods, [string, string, Said]> = {")
    for path, method, told in rows:
        row = [method.upper(), path, _said(told)]
        parts.append(f"  {told['operationId']}: {json.dumps(row)},")
    return "\n".join([*parts, "};\n", *_of_flows(flows)])


def _flows(document: Schema) -> list[tuple[str, str, Schema, Schema]]:
    """Routes that answer again and again, each with the schema of one of its answers."""
    found = []
    for row in ROUTES:
        if row.streams or row.lines:
            told = document["paths"][row.path][row.method.lower()]
            (item,) = get_args(row.answers)
            ref = openapi.TEMPLATE.format(name=item.__name__)
            found.append((row.method, row.path, told, {"$ref": ref}))
    return found


def _of_flows(flows: list[tuple[str, str, Schema, Schema]]) -> list[str]:
    parts = ["/** What is told one by one, as it happens or as it is read. */"]
    parts.append("export interface Streams {")
    for _, _, told, item in flows:
        name, asks = told["operationId"], _type(_asked(told), "    ")
        parts.append(f"  /** {told['summary']} */")
        parts.append(f"  {name}: {{\n    asks: {asks};\n    tells: {_type(item, '    ')};\n  }};")
    parts.append("}\n")
    parts.append("/** Of each: verb and path. */")
    parts.append("export const STREAMS: Record<keyof Streams, [string, string]> = {")
    parts += [
        f"  {told['operationId']}: {json.dumps([method, path])}," for method, path, told, _ in flows
    ]
    return [*parts, "};\n"]


def _answer(told: Schema) -> Schema | None:
    """The schema of what a route answers; lines are a file, and a stream of events has none."""
    content = told["responses"]["200"].get("content", {})
    if LINES in content:
        return BINARY
    found: Schema | None = content.get("application/json", {}).get("schema")
    return found


def _said(told: Schema) -> str:
    if openapi.FILE in told.get("requestBody", {}).get("content", {}):
        return "file"
    return "body" if "requestBody" in told else "address"


def _asked(told: Schema) -> Schema:
    """All that a call says, in one object: parts of the path, the query and the body."""
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = body.get("schema", {})
    said = [each for each in told.get("parameters", ()) if each["in"] != "header"]
    fields = {each["name"]: each["schema"] for each in said} | schema.get("properties", {})
    if _said(told) == "file":
        fields, schema = {"file": BINARY} | fields, {"required": ["file"]}
    needed = [each["name"] for each in said if each["required"]] + schema.get("required", [])
    return {"type": "object", "properties": fields, "required": needed}


def _method(told: Schema) -> str:
    asks, answers = _type(_asked(told), "    "), _type(_answer(told) or {}, "    ")
    return (
        f"  /** {told['summary']} */\n"
        f"  {told['operationId']}: {{\n    asks: {asks};\n    answers: {answers};\n  }};"
    )


def _named(name: str, schema: Schema) -> str:
    told = f"/** {schema['description']} */\n" if schema.get("description") else ""
    return f"{told}export type {_name(name)} = {_type(schema, '')};\n"


def _type(schema: Schema, indent: str) -> str:
    """The TypeScript for a schema; what it does not bound may be any JSON."""
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each, indent) for each in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            return _array(schema, indent)
        case "object" if "properties" in schema:
            return _object(schema, indent)
        case "object":
            inner = schema.get("additionalProperties") or {}
            return f"{{ [name: string]: {_type(inner if inner is not True else {}, indent)} }}"
        case str() as plain:
            return PLAIN[plain]
        case _:
            return "Json"


def _array(schema: Schema, indent: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each, indent) for each in schema['prefixItems'])}]"
    inner = _type(schema.get("items") or {}, indent)
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def _object(schema: Schema, indent: str) -> str:
    needed, deeper = set(schema.get("required", ())), indent + "  "
    if not schema["properties"]:
        return "Record<string, never>"
    lines = []
    for name, inner in schema["properties"].items():
        if inner.get("description"):
            lines.append(f"{deeper}/** {inner['description']} */")
        lines.append(f"{deeper}{name}{'' if name in needed else '?'}: {_type(inner, deeper)};")
    return "\n".join(["{", *lines, f"{indent}}}"])


def _name(name: str) -> str:
    plain = re.sub(r"\W+", "_", name).strip("_")
    return TAKEN.get(plain, plain)


def _used(spoken: list[Schema | None], schemas: dict[str, Schema]) -> set[str]:
    """The schemas that routes speak of, and those that they lead to."""
    waiting = _refs(spoken)
    waiting.append("Envelope")
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _refs(schemas[name])
    return found


def _refs(value: object) -> list[str]:
    match value:
        case {"$ref": str() as ref}:
            return [ref.rpartition("/")[2]]
        case dict():
            return [each for inner in value.values() for each in _refs(inner)]
        case list():
            return [each for inner in value for each in _refs(inner)]
        case _:
            return []


if __name__ == "__main__":
    FILE.write_text(generated(), "utf-8")
