"""Metrics of a door: its requests by status and time, beside what its store holds, as text.

For doors without routes of their own to count: MCP over HTTP, and the studio. It needs no package,
names nobody, and is read by whoever may `metrics`.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.adapters.gateway.api_keys import operator
from muniment.adapters.gateway.gateway import Gateway, Hands
from muniment.adapters.operations import metrics
from muniment.adapters.operations.metrics import COUNTER, Metric

PATH: Final = "/metrics"
TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
HUNG_UP: Final = 499  # who asked was gone before there was an answer


class DoorMetrics:
    """Counts the requests of one door."""

    def __init__(self, door: str, clock: Callable[[], float] = time.perf_counter) -> None:
        self._door, self._clock = door, clock
        self._answered: Counter[int] = Counter()
        self._seconds = 0.0

    async def count(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Around one request, from its head to its last byte."""
        status, began = HUNG_UP, self._clock()

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, told)
        finally:
            self._answered[status] += 1
            self._seconds += self._clock() - began

    def page(self, gateway: Gateway, tenant: str) -> str:
        """The counts, and the metrics of a tenant's store, in Prometheus' text form."""

        def hands(verb: str) -> Hands:
            return gateway.local(operator(verb, tenant, "", "", self._door)).hands(verb)

        memory = gateway.tenant(tenant)
        store = metrics.store_metrics(
            memory,
            pending=len(hands("requests").requests()),
            open_incidents=len(hands("incidents").admin.incidents(queue="admin")),
        )
        found = [*self._requests(), *store, *metrics.model_metrics(memory)]
        return metrics.prometheus_text(found)

    def _requests(self) -> Iterator[Metric]:
        door, counts = self._door, sorted(self._answered.items())
        yield Metric(
            name=f"muniment_{door}_requests_total",
            kind=COUNTER,
            help="Requests answered, by status.",
            samples=tuple(({"status": str(status)}, count) for status, count in counts),
        )
        yield Metric(
            name=f"muniment_{door}_request_seconds_total",
            kind=COUNTER,
            help="Seconds that all answers took together.",
            samples=(({}, round(self._seconds, 6)),),
        )
