"""Telemetry: one log line, one metric and one span for a request, without content.

Metrics need the extra `prom`, spans the extra `otel`; without them nothing is said and nothing
changes. A route is named by its template, a caller by the public id of their key.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from muniment.adapters.gateway.rate_limits import Allowance
from muniment.adapters.http.route import Route
from muniment.adapters.models.learning_worker import LearningWorker
from muniment.adapters.models.model_metrics import ModelCollector
from muniment.adapters.system import spans

UNKNOWN: Final = "(none)"  # an address that is no route: its words are the caller's
STORE: Final = "muniment"
# The names of the GenAI semantic conventions for operations on memory.
OPERATIONS: Final = {
    "remember": "create_memory",
    "jobs": "upsert_memory",
    "converse": "upsert_memory",
    "facts_put": "update_memory",
    "policy": "update_memory",
    "identity": "update_memory",
    "forget": "delete_memory",
    "deletion": "delete_memory",
    "erasure": "delete_memory",
    "erasure_request": "delete_memory",
}
SEARCHES: Final = "search_memory"
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

log = logging.getLogger("muniment.http")


class Seen(msgspec.Struct, kw_only=True):
    """What may be told of one request."""

    method: str
    route: str = UNKNOWN
    operation: str = ""
    status: int = 0
    code: str = ""
    key_id: str = ""
    request_id: str = ""
    allowance: Allowance | None = None  # of its key
    deprecated: str = ""  # since which day its address is

    def matched(self, route: Route) -> None:
        self.route, self.deprecated = route.path, route.deprecated
        self.operation = operation(route)


class Telemetry:
    """Counts and spans, where their packages are installed."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._metrics = _metrics()
        self._span = spans.begins("muniment.http", "memory")

    async def request(self, seen: Seen, answer: Callable[[], Awaitable[None]]) -> None:
        """Around one request: what becomes of it is told when it is over."""
        started = self._clock()
        begun = self._span()
        try:
            if begun is None:
                await answer()
            else:
                with begun as span:
                    try:
                        await answer()
                    finally:
                        _describe(span, seen)
        finally:
            seconds = self._clock() - started
            if self._metrics is not None:
                self._metrics.count(seen, seconds)
            _say(seen, seconds)

    def page(self) -> bytes | None:
        """The metrics in Prometheus' text form; None where they are not kept."""
        if self._metrics is None:
            return None
        from prometheus_client import generate_latest

        return generate_latest(self._metrics.registry)

    def follow_model(self, worker: LearningWorker) -> None:
        """Count what a model is asked, and what waits for it, beside the requests."""
        if self._metrics is not None:
            self._metrics.registry.register(ModelCollector(worker))


class Lines(logging.Formatter):
    """One JSON object a line; of an exception only its kind and place."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage() if record.name.startswith("muniment") else record.msg,
        }
        told |= getattr(record, "told", {})
        if record.exc_info and record.exc_info[1]:
            told["error"] = where(record.exc_info[1])
        return json.dumps(told)


def where(error: BaseException) -> str:
    """The kind of an error and the place it came from, never its words: they may be private."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__} in {place}"


def operation(route: Route) -> str:
    if not route.keyed:
        return OPERATIONS.get(route.verb, SEARCHES) if route.verb == "erasure" else SEARCHES
    return OPERATIONS.get(route.verb, "upsert_memory")


def _say(seen: Seen, seconds: float) -> None:
    if log.isEnabledFor(logging.INFO):
        told = {
            "method": seen.method,
            "route": seen.route,
            "status": seen.status,
            "code": seen.code,
            "key": seen.key_id,
            "request": seen.request_id,
            "ms": round(seconds * 1000, 2),
        }
        log.info("request", extra={"told": told})


class _Metrics:
    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self.registry = CollectorRegistry()
        self.requests = Counter(
            "muniment_http_requests",
            "Requests answered.",
            ["method", "route", "status", "code"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "muniment_http_request_seconds",
            "How long an answer took.",
            ["method", "route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        # Finding a row by its labels costs more than counting in it. There are as many as there
        # are routes and ways to fail: an unknown address and an unknown method have one name.
        self._rows: dict[tuple[str, str, int, str], tuple[Any, Any]] = {}

    def count(self, seen: Seen, seconds: float) -> None:
        named = (seen.method, seen.route, seen.status, seen.code)
        row = self._rows.get(named) or self._row(*named)
        row[0].inc()
        row[1].observe(seconds)

    def _row(self, method: str, route: str, status: int, code: str) -> tuple[Any, Any]:
        row = (
            self.requests.labels(method, route, str(status), code),
            self.seconds.labels(method, route),
        )
        self._rows[method, route, status, code] = row
        return row


def _metrics() -> _Metrics | None:
    try:
        return _Metrics()
    except ImportError:
        return None


def _describe(span: Any, seen: Seen) -> None:  # noqa: ANN401 - of a package that may not be there
    if not span.is_recording():
        return
    span.update_name(f"{seen.operation or seen.method} {seen.route}")
    span.set_attribute("http.request.method", seen.method)
    span.set_attribute("http.route", seen.route)
    span.set_attribute("http.response.status_code", seen.status)
    if seen.operation:
        span.set_attribute("gen_ai.operation.name", seen.operation)
        span.set_attribute("gen_ai.memory.store.id", STORE)
    if seen.code:
        span.set_attribute("error.type", seen.code)
