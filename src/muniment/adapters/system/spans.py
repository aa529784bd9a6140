"""OpenTelemetry spans, where the extra `otel` is installed and somebody collects them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

Begin = Callable[[], AbstractContextManager[Any] | None]


def begins(tracer_name: str, span_name: str) -> Begin:
    """Begins a span; none while nobody collects them, which may change at any time."""
    try:
        from opentelemetry import trace
    except ImportError:
        return lambda: None
    tracer = trace.get_tracer(tracer_name)

    def begin() -> AbstractContextManager[Any] | None:
        if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            return None
        # What an exception says may be private: none is recorded, the status tells enough.
        return tracer.start_as_current_span(
            span_name, record_exception=False, set_status_on_exception=False
        )

    return begin
