"""Retention worker: erases what is past its retention, beside the service."""

import logging
import time
from collections.abc import Callable
from typing import Final

from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.system.background_loop import BackgroundLoop
from muniment.engine.evidence.retention import DuePeriod
from muniment.model.errors import MunimentError
from muniment.model.policy.keep_days import KeepDays
from muniment.model.scope import Role

LOOK_SECONDS: Final = 30.0  # a service that was just started sweeps soon, whatever the interval
SECONDS_PER_HOUR: Final = 3_600
WHO: Final = "retention"  # the administrator that the logs name for it
VERB: Final = "erasure"

log = logging.getLogger("muniment.retention")


class RetentionWorker:
    """Carries out what is due in every tenant, once in so many hours.

    Where no policy keeps anything by days, no log is read and nothing is written.
    """

    def __init__(
        self, gateway: Gateway, *, hours: float, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._gateway, self._every, self._seconds = gateway, hours * SECONDS_PER_HOUR, seconds
        self._next = seconds()

    def run_once(self) -> list[DuePeriod]:
        """Sweep if it is time; what went. A tenant that fails keeps no other one waiting."""
        if self._seconds() < self._next:
            return []
        after, gone = self._seconds() + self._every, list[DuePeriod]()
        for tenant in self._gateway.memory.tenants():
            try:
                gone += self._swept(tenant)
            except MunimentError as error:  # it is tried again at the next look
                log.warning("retention waits: %s", error.code)
                after = self._seconds()
        self._next = after
        return gone

    def _swept(self, tenant: str) -> list[DuePeriod]:
        memory = self._gateway.tenant(tenant)
        if all(memory.policy(each).keep_days == KeepDays() for each in memory.streams()):
            return []
        visit = self._gateway.local(Grant(tenant=tenant, role=Role.ADMIN, who=WHO))
        gone = visit.call(VERB, lambda hands: hands.admin.carry_out_due())
        if gone:
            entries = sum(each.entries for each in gone)
            told = {"tenant": tenant, "periods": len(gone), "entries": entries}
            log.info("retention swept", extra={"told": told})
        return gone


def retention_loop(worker: RetentionWorker) -> BackgroundLoop:
    """Sweeps when it is time, as long as its block lasts."""
    return BackgroundLoop(worker.run_once, name="retention", seconds=LOOK_SECONDS)
