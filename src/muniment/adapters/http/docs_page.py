"""Documentation pages of the HTTP API: `/` and `/docs`, generated from OpenAPI.

Nothing is fetched from elsewhere: one page of HTML, without a script.
"""

from collections.abc import Iterator
from html import escape
from typing import Any, Final

import muniment

Json = dict[str, Any]
HTML: Final = (b"content-type", b"text/html; charset=utf-8")
# The pages hold no script, and nothing that a page could load is allowed.
POLICY: Final = (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'")
STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#1c2733}code,pre{font:14px ui-monospace,monospace;background:#f2f5f8;padding:.1em .3em}"
    "pre{padding:1rem;overflow:auto}h3 code{background:none;padding:0}summary{cursor:pointer}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;"
    "vertical-align:top}.quiet{color:#5b6b7b}@media(prefers-color-scheme:dark){body{"
    "background:#12171d;color:#dbe3ea}code,pre{background:#1e262f}a{color:#8cc2ff}}"
)
EXAMPLE: Final = """curl -s {where}/v1/recall \\
  -H "Authorization: Bearer $MUNIMENT_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{{"query": "Where do I live?"}}'"""


def landing(where: str = "$MUNIMENT_URL") -> bytes:
    """What stands at the root: what this is, and how to call it."""
    return _page(
        "Muniment",
        [
            f"<h1>Muniment {escape(muniment.__version__)}</h1>",
            "<p>The memory of an AI agent, over HTTP. This service is running.</p>",
            "<p>Every call needs a key: <code>muniment keys create</code> makes one. With "
            "<code>MUNIMENT_URL</code> set to this address and <code>MUNIMENT_KEY</code> to a "
            "key:</p>",
            f"<pre>{escape(EXAMPLE.format(where=where))}</pre>",
            '<ul><li><a href="docs">Every route, with its fields</a></li>',
            '<li><a href="openapi.json">The same as OpenAPI 3.1</a></li>',
            '<li><a href="healthz">Is it alive?</a> <a href="readyz">Is it ready?</a></li></ul>',
        ],
    )


def reference(document: Json) -> bytes:
    """Every route of an OpenAPI document, by the group it belongs to."""
    groups: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, its in methods.items():
            group = (its.get("tags") or ["other"])[0]
            groups.setdefault(group, []).append(_route(document, method, path, its))
    lines = ["<h1>Routes</h1>", f"<p>{escape(document['info']['description'])}</p>"]
    lines += ["<p>Errors are JSON with an <code>error_code</code>; see the end.</p>"]
    for group, routes in groups.items():
        lines += [f"<h2>{escape(group)}</h2>", *routes]
    return _page("Muniment: routes", [*lines, "<h2>Errors</h2>", *_errors(document)])


def _route(document: Json, method: str, path: str, its: Json) -> str:
    rows = [*_parameters(its), *_body(document, its)]
    fields = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td class=quiet>{escape(kind)}</td>"
        f"<td>{escape(told)}</td></tr>"
        for name, kind, told in rows
    )
    table = f"<table>{fields}</table>" if fields else "<p class=quiet>It takes nothing.</p>"
    title = f"<code>{method.upper()} {escape(path)}</code>"
    told = escape(its.get("summary", ""))
    return f"<details><summary>{title} {told}</summary>{table}</details>"


def _parameters(its: Json) -> Iterator[tuple[str, str, str]]:
    for each in its.get("parameters", ()):
        schema = each.get("schema", {})
        told = each.get("description") or schema.get("description", "")
        yield each["name"], f"{each['in']}, {_kind(schema)}", told


def _body(document: Json, its: Json) -> Iterator[tuple[str, str, str]]:
    schema = its.get("requestBody", {}).get("content", {}).get("application/json", {})
    whole = _resolved(document, schema.get("schema", {}))
    for name, each in whole.get("properties", {}).items():
        needed = ", required" if name in whole.get("required", ()) else ""
        yield name, f"{_kind(each)}{needed}", each.get("description", "")


def _resolved(document: Json, schema: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Json = document["components"]["schemas"].get(name, schema) if name else schema
    return found


def _kind(schema: Json) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    kinds = [_kind(each) for each in schema.get("anyOf", ())]
    return " or ".join(kinds) if kinds else str(schema.get("type", "anything"))


def _errors(document: Json) -> Iterator[str]:
    yield "<table>"
    for status, each in document["components"]["responses"].items():
        yield f"<tr><td>{escape(status)}</td><td>{escape(each['description'])}</td></tr>"
    yield "</table>"


def _page(title: str, lines: list[str]) -> bytes:
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
    view = '<meta name=viewport content="width=device-width">'
    return "\n".join([f"{head}{view}<style>{STYLE}</style>", *lines, "</html>", ""]).encode()
