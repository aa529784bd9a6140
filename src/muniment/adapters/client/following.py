"""Server-sent events in the client, and how to resume them.

Lines end with a line feed only, because a text may contain other Unicode line breaks.
"""

from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar, get_args

import msgspec

from muniment.adapters.client.request import planned
from muniment.adapters.client.retry import FIRST_WAIT_SECONDS, WAIT_SECONDS_MAX, failure
from muniment.adapters.gateway.errors import BusyError
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.adapters.system.optional_packages import lacking
from muniment.model.errors import MunimentError

try:
    import httpx2
except ImportError as error:
    raise ImportError(lacking(error)) from error

CONNECT_SECONDS: Final = 30.0
FOLLOWS_MAX: Final = 10  # connections in a row that bring nothing: half a minute of a service gone
STILL_HERE: Final = b"still here"  # a comment that only says that the connection lives
SILENT_SECONDS_MAX: Final = 60.0  # a service that lives says so four times in it

T = TypeVar("T")


class Following(Generic[T]):
    """One request whose answers come as they happen; each has a type, and an id to go on from."""

    def __init__(self, request: VerbRequest[Page[T]]) -> None:
        plan = planned(request)
        self.path = plan.path
        self._said = plan.said
        (self._tells,) = get_args(plan.answers)
        self._silent = 0  # connections in a row that brought nothing
        self._kind = self._id = b""
        self._begun = b""  # a line whose end has not come yet

    def asked(self) -> dict[str, Any]:
        """What to ask now; a half line of a connection that was lost is heard again."""
        self._kind = self._id = self._begun = b""
        patience = httpx2.Timeout(CONNECT_SECONDS, read=SILENT_SECONDS_MAX)
        return {"params": self._said, "timeout": patience}

    def __call__(self, part: bytes) -> Iterator[T]:
        *lines, self._begun = (self._begun + part).split(b"\n")
        for line in lines:
            name, _, told = line.partition(b": ")
            if name == b"id":
                self._id = told
            elif name == b"event":
                self._kind = told
            elif told == STILL_HERE:
                self._silent = 0
            elif name == b"data" and self._kind == b"end":
                raise failure(told, httpx2.codes.SERVICE_UNAVAILABLE)
            elif name == b"data":
                event: T = msgspec.json.decode(told, type=self._tells)
                self._said, self._silent = {**self._said, "after": self._id.decode()}, 0
                yield event

    def lost(self, error: Exception | None) -> float:
        """How long to wait before going on; what another attempt would not mend is raised."""
        if isinstance(error, MunimentError) and not error.retryable:
            raise error
        self._silent += 1
        if self._silent >= FOLLOWS_MAX:
            raise error if isinstance(error, MunimentError) else BusyError("no answer") from error
        return min(FIRST_WAIT_SECONDS * float(2**self._silent), WAIT_SECONDS_MAX)
