"""Commands about past changes: roll a source back, revert a change."""

from typing import Annotated

import msgspec

from muniment.model.commands.command import Command, Name, Text

RECORDS_MAX = 4_096  # an entry is bounded; whoever means more narrows it, and comes again
Records = Annotated[tuple[Name, ...], msgspec.Meta(max_length=RECORDS_MAX)]
Place = Annotated[int, msgspec.Meta(ge=1)]


class RollBack(Command, tag="roll_back", frozen=True, kw_only=True):
    """Take back records that came from one source; what they had replaced stands again."""

    records: Records
    what: Text = ""  # how the source is named
    reason: Text = ""
    changes: Annotated[int, msgspec.Meta(ge=0)] = 0  # further commands of the same append


class LedgerWindow(msgspec.Struct, frozen=True, kw_only=True):
    """What stood in the window of a space before a change."""

    window: tuple[str, ...] = ()
    unsummarised: tuple[str, ...] = ()
    summary: str = ""


class ElsewhereChange(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a change that stands in another stream."""

    to: Name  # the reference of that stream
    first: Place
    last: Place
    windows: dict[str, LedgerWindow] = {}


class RevertChange(Command, tag="revert_change", frozen=True, kw_only=True):
    """Undo what was taken back between two entries: what ended lives again, what came ends."""

    first: Place
    last: Place
    windows: dict[str, LedgerWindow] = msgspec.field(default_factory=dict)  # by ledger
    elsewhere: tuple[ElsewhereChange, ...] = ()


RollbackCommand = RollBack | RevertChange
