"""Background loop: one step again and again beside a service, for as long as a block lasts."""

import logging
import threading
from collections.abc import Callable
from typing import Self

from muniment.model.errors import MunimentError

log = logging.getLogger("muniment.background")


class BackgroundLoop:
    """Takes a step every so many seconds until its block ends; one under way is finished first."""

    def __init__(self, step: Callable[[], object], *, name: str, seconds: float) -> None:
        self._step, self._name, self._seconds = step, name, seconds
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"muniment-{name}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *told: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(self._seconds):
            try:
                self._step()
            except MunimentError as error:  # it is looked at again in a moment
                log.warning("%s waits: %s", self._name, error.code)
