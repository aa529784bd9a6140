"""Append result: the batch that a command became, or the refusal in it."""

import msgspec

from muniment.log.entry import Line
from muniment.model.errors import (
    RefusedError,
)
from muniment.model.events import WriteDenied


class AppendResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a command: the batch it became."""

    lines: tuple[Line, ...]

    @property
    def refusal(self) -> WriteDenied | None:
        events = (line.event for line in self.lines)
        return next((each for each in events if isinstance(each, WriteDenied)), None)

    @property
    def seq(self) -> int:
        return self.lines[0].seq

    def or_raise(self) -> "AppendResult":
        """For calls that have nothing to return when the answer is no."""
        if self.refusal:
            raise RefusedError(self.refusal.reason, self.refusal.detail)
        return self
