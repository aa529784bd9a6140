"""Timeouts of a connection: a server that does not answer counts as lost.

The server ends what takes too long by itself, and says so. A line that has died without a word, or
a server that stands still, says nothing: then it is the listener who must come to an end.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.waiting import Ready, Wait

GRACE_SECONDS: Final = 15  # for the server to say that it has stopped
# A machine that is gone is known in half a minute, also while something long is waited for.
KEEPALIVES: Final = {
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}

Answer = TypeVar("Answer")
Steps = Generator[Wait, Ready | int, Answer]


class AttentiveLink(psycopg.Connection[tuple[Any, ...]]):
    """A connection that hears when nothing is said."""

    silence_seconds: float = GRACE_SECONDS

    def wait(self, gen: Steps[Answer], *how: Any, **told: Any) -> Answer:  # noqa: ANN401
        return super().wait(self._heard(gen), *how, **told)

    def _heard(self, steps: Steps[Answer]) -> Steps[Answer]:
        """The same steps; after too many turns at which nothing had come, the line is lost."""
        last = time.monotonic()
        try:
            wanted = next(steps)
            while True:
                ready = yield wanted
                if ready != Ready.NONE:
                    last = time.monotonic()
                elif time.monotonic() - last > self.silence_seconds:
                    raise psycopg.OperationalError(
                        f"the server has not answered for {self.silence_seconds:.0f} seconds"
                    )
                wanted = steps.send(ready)
        except StopIteration as done:
            answer: Answer = done.value
            return answer


def with_keepalives(dsn: str) -> str:
    """The address, and what it does not say itself."""
    said: dict[str, Any] = conninfo_to_dict(dsn)
    return make_conninfo(**(KEEPALIVES | said))


@contextmanager
def listening(link: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """Wait for so long, for once."""
    assert isinstance(link, AttentiveLink)
    usual, link.silence_seconds = link.silence_seconds, seconds
    try:
        yield
    finally:
        link.silence_seconds = usual
