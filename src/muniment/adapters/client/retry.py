"""Retries of one request with the same idempotency key, and typed errors."""

import secrets
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from muniment.adapters.client.request import Plan
from muniment.adapters.gateway import errors as gateway_errors
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.system.optional_packages import lacking
from muniment.model import errors
from muniment.model.errors import (
    UNREADABLE,
    Envelope,
    MunimentError,
    OutcomeUnknownError,
    RefusedError,
)

try:
    import httpx2
except ImportError as error:
    raise ImportError(lacking(error)) from error

ATTEMPTS_MAX: Final = 4
FIRST_WAIT_SECONDS: Final = 0.1  # and twice as long each time
WAIT_SECONDS_MAX: Final = 5.0
RETRIED: Final = frozenset({408, 429, 502, 503, 504})
GATEWAY: Final = frozenset({502, 503, 504})  # of a proxy whose service is not there just now

T = TypeVar("T")


class Patience(NamedTuple):
    """How many seconds an answer may take: of what is done at once, and of what takes long."""

    usual: float
    long: float

    def of(self, plan: Plan[Any]) -> float:
        return self.long if plan.long else self.usual


class RequestAttempt(Generic[T]):
    """A plan on its way: the same key each time, and a longer wait after each failure."""

    def __init__(self, plan: Plan[T], key: str, patience: Patience) -> None:
        self._plan = plan
        self._usual, self._seconds = patience.usual, patience.of(plan)
        self._key = key or secrets.token_hex(16)
        self._count = 0

    def request(self, http: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        self._count += 1
        plan = self._plan
        headers = {"idempotency-key": self._key} if plan.writes else {}
        given: dict[str, Any] = {"json": plan.said}
        if plan.method == "GET":
            given = {"params": {name: str(value) for name, value in plan.said.items()}}
        timeout = httpx2.Timeout(self._usual, read=self._seconds)
        return http.build_request(plan.method, plan.path, headers=headers, timeout=timeout, **given)

    def lost(self, error: httpx2.TransportError) -> float:
        """No answer came: whether it was done nobody knows, and the key makes asking harmless.

        What takes long is not begun a second time beside the first, which goes on.
        """
        late = isinstance(error, httpx2.ReadTimeout)
        if self._count >= ATTEMPTS_MAX or (late and self._plan.long):
            why = f"within {self._seconds:g} seconds" if late else f"({type(error).__name__})"
            raise OutcomeUnknownError(f"no answer {why}; it may still be running") from error
        return self._wait()

    def answered(self, answer: httpx2.Response) -> tuple[tuple[T] | None, float]:
        """The answer, or how long to wait before the next attempt."""
        if answer.is_success:
            try:
                return (msgspec.json.decode(answer.content, type=self._plan.answers),), 0.0
            except UNREADABLE:
                raise _strange(answer.status_code) from None
        if answer.status_code not in RETRIED or self._count >= ATTEMPTS_MAX:
            raise failure(answer.content, answer.status_code)
        told = answer.headers.get("retry-after", "")
        wait = float(told) if told.isdigit() else self._wait()
        return None, min(wait, WAIT_SECONDS_MAX)

    def _wait(self) -> float:
        return min(FIRST_WAIT_SECONDS * float(2 ** (self._count - 1)), WAIT_SECONDS_MAX)


def failure(body: bytes, status: int) -> MunimentError:
    """The error that an envelope speaks of, of the kind that a program would have met."""
    try:
        told = msgspec.json.decode(body, type=Envelope)
    except UNREADABLE:
        return _strange(status)
    if told.error_code == RefusedError.code:
        return RefusedError(told.meta.get("reason", ""), told.developer_message)
    error = _kinds().get(told.error_code, MunimentError)(told.developer_message)
    error.meta = dict(told.meta)
    error.outcome = told.outcome
    return error


def _strange(status: int) -> MunimentError:
    """Somebody else answered, or a memory that speaks otherwise: what was done nobody knows."""
    kind = BusyError if status in GATEWAY else MunimentError
    error = kind(f"the answer was {status}, and not from a memory")
    error.outcome = "unknown"
    return error


def _kinds() -> dict[str, type[MunimentError]]:
    found = [MunimentError]
    for kind in found:
        found += kind.__subclasses__()
    own = {errors.__name__, gateway_errors.__name__}
    return {kind.code: kind for kind in found if kind.__module__ in own}
