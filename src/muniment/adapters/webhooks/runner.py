"""Delivery in the background: one look a second for as long as a service runs."""

import logging
import threading
import time
from types import TracebackType
from typing import Final, Self

from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.webhooks.delivery import Deliverer
from muniment.model.errors import MunimentError

LOOK_SECONDS: Final = 1.0

log = logging.getLogger("muniment.webhooks")


class DeliveryThread:
    """Delivers until its block ends; what is under way is finished first."""

    def __init__(self, gateway: Gateway) -> None:
        self._deliverer = Deliverer(gateway, seconds=time.time)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="muniment-webhooks", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            try:
                self._deliverer.run_once()
            except MunimentError as error:  # it is looked at again in a moment
                log.warning("webhooks wait: %s", error.code)
