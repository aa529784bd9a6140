"""A canary in every place that a caller can write to, at every door; none in anything it says.

One canary is an API key, one is personal data. They may lie in the memory as policy lets them, but
never in a log line, a metric, a span or an error stream.
"""

import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp import Client, MCPError
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.mcp_client import read, seated
from tests.service import Running, serving
from tests.terminal import Shell
from tests.world import memory

from muniment.adapters.gateway import permissions
from muniment.adapters.http.route import Route
from muniment.adapters.http.route_table import ROUTES
from muniment.adapters.http.telemetry import Lines
from muniment.model.scope import Role

KEY = "mk_0badc0de_canaryCANARYcanaryCANARYcanaryCANARYcanary1_0badc0de"
PERSON = "canary.heron@example.org"
CANARIES = {"a key": KEY, "personal data": PERSON}
PARTS = ("canaryCANARY", "canary.heron", "0badc0de")
HEADERS = (
    "user-agent", "referer", "cookie", "x-note", "accept", "content-type", "idempotency-key",
    "muniment-user", "last-event-id", "traceparent", "baggage", "origin", "authorization",
)  # fmt: skip
SOME = ("GET", "POST", "PUT", "DELETE", "PATCH", "CANARY")


class Ears:
    """Everything that a service says of itself: its log lines, its metrics and its spans."""

    def __init__(self) -> None:
        self.lines = io.StringIO()
        self.handler = logging.StreamHandler(self.lines)
        self.handler.setFormatter(Lines())
        self.handler.addFilter(lambda record: not record.name.startswith("http"))  # of the callers
        self.spans = InMemorySpanExporter()

    def spoken(self, service: Running) -> str:
        metrics = (service.service.telemetry.page() or b"").decode()
        spans = "\n".join(each.to_json() for each in self.spans.get_finished_spans())
        return "\n".join([self.lines.getvalue(), metrics, spans])


@pytest.fixture(scope="module")
def ears() -> Iterator[Ears]:
    heard = Ears()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(heard.spans))
    before = trace._TRACER_PROVIDER
    trace._TRACER_PROVIDER = provider
    root = logging.getLogger()
    level = root.level
    root.addHandler(heard.handler)
    root.setLevel(logging.DEBUG)
    yield heard
    root.removeHandler(heard.handler)
    root.setLevel(level)
    trace._TRACER_PROVIDER = before


@pytest.fixture(scope="module")
def service(ears: Ears) -> Iterator[Running]:
    assert ears.lines is not None
    with serving() as running:
        yield running


def filled(route: Route, canary: str) -> dict[str, Any]:
    """A request to a route with the canary in every field, each as wrong as it may be."""
    path = route.path
    for name in route.parameters:
        path = path.replace("{" + name + "}", canary)
    fields = {each.encode_name for each in msgspec.structs.fields(route.takes)} - {
        *route.parameters
    }
    said: dict[str, object] = dict.fromkeys(sorted(fields), canary)
    return {"path": path, "json" if route.has_body else "params": said}


@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES.keys())
def test_no_route_repeats_a_canary_in_a_log_line_a_metric_or_a_span(
    service: Running, ears: Ears, canary: str
) -> None:
    callers = [service.subconscious(), service.user(), service.council(), service.admin()]
    roles = [Role.AGENT, Role.USER, Role.COUNCIL, Role.ADMIN]
    for route in ROUTES:
        if route.streams or route.slow:
            continue
        may = next(n for n, role in enumerate(roles) if route.verb in permissions.ALLOWED[role])
        for caller in (callers[may], callers[may - 1]):  # one who may, and one who may not
            caller.send(route.method, **filled(route, canary))
    first = callers[0]
    for field in ("text", "query", "prompt", "user", canary):
        for path in ("/v1/remember", "/v1/recall", "/v1/context", "/v1/conversation/record"):
            first.send("POST", path, json={field: canary})
    for header in HEADERS:
        first.send("POST", "/v1/recall", json={"query": canary}, headers={header: canary})
    for method in SOME:
        first.send(method, f"/{canary}", content=canary.encode(), params={canary: canary})
    first.send("GET", "/v1/log/stream", params={"after": canary})
    first.send("GET", "/healthz", headers={"host": canary})

    said = ears.spoken(service)

    assert said.count('"says": "request"') > len(ROUTES) * 2
    assert "muniment_http_requests_total" in said
    assert "gen_ai.operation.name" in said
    for part in (canary, *PARTS):
        assert part not in said
    for caller in callers:
        assert caller.key.split("_", 2)[2] not in said


@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES.keys())
def test_no_tool_and_no_resource_of_mcp_repeats_a_canary_in_a_log_line_or_a_span(
    ears: Ears, canary: str
) -> None:
    async def talk(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            names = [*tool.input_schema["properties"], canary]
            await client.call_tool(tool.name, dict.fromkeys(names[:-1], canary))
            await client.call_tool(tool.name, dict.fromkeys(names, canary))
            for name in names:
                await client.call_tool(tool.name, {name: canary})
        for template in (await client.list_resource_templates()).resource_templates:
            head = template.uri_template.partition("{")[0]
            await read(client, head + canary)
        await read(client, f"muniment://{canary}")
        with pytest.raises(MCPError):
            await client.get_prompt(canary)

    before = len(ears.lines.getvalue())
    seated(memory(), talk, user="tuff")

    spans = "\n".join(each.to_json() for each in ears.spans.get_finished_spans())
    said = ears.lines.getvalue()[before:] + spans
    for part in (canary, *PARTS):
        assert part not in said


@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES.keys())
def test_the_terminal_says_a_canary_to_who_typed_it_and_to_no_log(
    ears: Ears, canary: str, tmp_path: Path
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    before = len(ears.lines.getvalue())
    shell("remember", f"write to {canary}")
    shell("remember", "-", typed=f"write to {canary}")
    for line in (
        "recall", "context", "forget", "show", "confirm", "approve", "vouch", "blame", "impact",
        "about", "erase", "why-not", "turn", "facts", "import", "policy", "keys",
    ):  # fmt: skip
        shell(line, canary)
        shell(line, canary, "--json")
        shell(line, f"--{canary}")
    for option in ("--agent", "--user", "--tenant", "--keys"):
        shell(option, canary, "recall", "x")

    said = ears.lines.getvalue()[before:]
    for part in (canary, *PARTS):
        assert part not in said
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert PERSON.encode() not in kept
    assert b"canaryCANARY" not in kept
