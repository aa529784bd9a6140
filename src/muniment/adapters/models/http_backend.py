"""HTTP backend of a model: timeouts, size limits, and a pause after a failure."""

import os
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from muniment.adapters.models.circuit_breaker import REST_SECONDS, CircuitBreaker
from muniment.adapters.system import tls_context
from muniment.adapters.system.optional_packages import lacking
from muniment.model.errors import InputError

TIMEOUT_SECONDS: Final = 30.0
SERVER_ERRORS: Final = HTTPStatus.INTERNAL_SERVER_ERROR  # from here on
SHOWN_MAX: Final = 200  # characters of an answer that went wrong
SCHEMES: Final = ("http://", "https://")


class SilentError(RuntimeError):
    """A server that did not answer, or not with what was asked for.

    `what` may stand in a log: it holds nothing of an answer, which may repeat what was asked.
    """

    def __init__(self, what: str, shown: str = "") -> None:
        super().__init__(f"{what}: {shown}" if shown else what)
        self.what = what


class JsonEndpoint:
    """One address that takes JSON and gives some back."""

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        rest_seconds: float = REST_SECONDS,
        answer_bytes_max: int,
    ) -> None:
        # Imported late: whoever asks nobody needs no client.
        try:
            import httpx2
        except ImportError as error:
            raise SilentError(lacking(error)) from None
        self.url = url
        self.breaker = CircuitBreaker(rest_seconds=rest_seconds)
        self._timeout_seconds = timeout_seconds
        self._answer_bytes_max = answer_bytes_max
        self._failures = (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError)
        bearer = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(
            headers={**bearer, **(headers or {})},
            timeout=timeout_seconds,
            verify=tls_context.verifying(),
        )

    def ask(self, asked: Mapping[str, object]) -> bytes:
        """What it answers; one request and no second one."""
        if self.breaker.is_open:
            raise SilentError(f"{self.url} did not answer a moment ago")
        try:
            status, content, retry_after = self._answer(asked)
        except self._failures as error:
            self.breaker.failed()
            raise SilentError(f"{self.url} does not answer: {error}") from error
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            if status == HTTPStatus.TOO_MANY_REQUESTS or status >= SERVER_ERRORS:
                self.breaker.failed(retry_after_seconds=retry_after)
            shown = content.decode(errors="replace")[:SHOWN_MAX]
            raise SilentError(f"{self.url} answered {status}", shown)
        self.breaker.answered()
        return content

    def close(self) -> None:
        self._client.close()

    def _answer(self, asked: Mapping[str, object]) -> tuple[int, bytes, float]:
        """The status and the whole of what comes back, in time: each byte may take its own.

        And how long the server wishes to be left alone.
        """
        until = time.monotonic() + self._timeout_seconds
        content = bytearray()
        with self._client.stream("POST", self.url, json=asked) as answer:
            for part in answer.iter_bytes():
                content += part
                if time.monotonic() > until or len(content) > self._answer_bytes_max:
                    raise TimeoutError("its answer is too long")
            wished = answer.headers.get("retry-after", "")
            seconds = float(wished) if wished.isascii() and wished.isdigit() else 0.0
            return answer.status_code, bytes(content), seconds


def named(told: str, count: int, how: str) -> list[str]:
    """The words that name a server, its address first; `how` says which they are."""
    words = told.split()
    if len(words) != count or not words[0].startswith(SCHEMES):
        raise InputError(how)
    return words


def key(variable: str) -> str:
    """The key of a server is in the environment, where no list of processes shows it."""
    return os.environ.get(variable, "")
