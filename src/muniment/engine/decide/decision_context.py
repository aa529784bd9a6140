"""Decision context: the state a decision is made on, what was received, and when."""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from muniment.layers.desk import Desk
from muniment.layers.jobs.jobs import JobState
from muniment.layers.shelves import Shelves, Stream
from muniment.log import sealing
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.commands.command import Command
from muniment.model.events import AnyEvent, Received, WriteDenied
from muniment.model.policy import Action
from muniment.rules.echoes import Heard

ECHO: Final = "echo_of_receipt"


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """When and under which job a batch happens."""

    job: int
    tick: int
    seed: str
    base_ms: int
    first_seq: int  # the seq at which this job's time begins

    def time_ms(self, seq: int) -> int:
        return self.base_ms + seq - self.first_seq


class DecisionContext(msgspec.Struct, frozen=True, kw_only=True):
    stream: Stream
    desk: Desk
    shelves: Shelves
    received: Received
    stamp: Stamp
    seq: int  # of the received entry
    echoes: tuple[tuple[str, Heard], ...] = ()  # by where it stood, what memory itself gave out

    @property
    def job(self) -> JobState | None:
        return self.desk.jobs.open.get(self.stamp.job)

    @property
    def entry_id(self) -> str:
        """The id of the received entry: what later records point back to."""
        return entry_id(self.stream, self.stamp, self.seq)

    @property
    def first(self) -> int:
        """The seq of the first event that is decided: after what was asked, and redacted."""
        return self.seq + 1 + any(e.action == Action.REDACT for e in self.received.redactions)

    def is_shared(self, line: Line) -> bool:
        """Whether an entry is about nobody, and somebody speaks of it."""
        return bool(self.received.command.subject) and line.is_only_about(self.stream.ref)

    def moment(self, offset: int = 0) -> str:
        return ids.time_text(self.stamp.time_ms(self.seq + offset))

    def request_id(self, n: int) -> str:
        """The id of the n-th request of this docket, which says nothing of the others."""
        token = sealing.token(self.stream.key, f"request\x00{n}")
        return ids.request_id(self.stamp.time_ms(self.seq), token)

    def deny(self, reason: str, detail: str = "") -> list[AnyEvent]:
        return [WriteDenied(reason=reason, asked=self.received.asked, detail=detail)]

    def deny_nothing(self, reason: str) -> list[AnyEvent]:
        """Nothing was said: or nothing but what memory gave out, and then by which receipt."""
        if not self.echoes:
            return self.deny(reason)
        return self.deny(ECHO, next((its.receipt for _, its in self.echoes if its.receipt), ""))


Asked = TypeVar("Asked", bound=Command)
# Given what there is and a command of one kind: what happens.
Decision = Callable[[DecisionContext, Asked], list[AnyEvent]]


def entry_id(stream: Stream, stamp: Stamp, seq: int) -> str:
    return ids.ulid(stamp.time_ms(seq), stream.ref, stamp.seed, seq)
