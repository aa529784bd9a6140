"""Events of rollback: sources rolled back, and records revived."""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts


class RevivedRow(msgspec.Struct, frozen=True, array_like=True):
    """A row of a shelf that lives again: where its content stands, and its place there."""

    shelf: str
    id: str
    key: str
    seq: int
    n: int
    died: int  # the entry that had ended it


class EndedRow(msgspec.Struct, frozen=True, array_like=True):
    shelf: str
    id: str
    was: int = 0  # of a row that had been revived: the entry that had ended it before


class SourceRolledBack(Event, tag="source_rolled_back", frozen=True, kw_only=True):
    """What came from one source goes; its ends stand in this batch and in those that follow it."""

    records: SealedTexts
    what: SealedText  # how the source was named
    changes: int = 0  # batches of the same append that belong to it
    reason: SealedText = ""


class RecordsRevived(Event, tag="records_revived", frozen=True, kw_only=True):
    """Records are back under their own ids, where they stood; what had taken their place ends."""

    first: int = 0  # the change that is undone: between these entries; 0: a rollback gives back
    last: int = 0
    rows: Annotated[tuple[RevivedRow, ...], msgspec.Meta(extra=SEALED)] = ()
    ended: Annotated[tuple[EndedRow, ...], msgspec.Meta(extra=SEALED)] = ()
    ledger: int = 0  # of items: whose window they stand in
    window: SealedTexts = ()
    unsummarised: SealedTexts = ()
    summary: SealedText = ""
    subject: SealedText = ""


RollbackEvent = SourceRolledBack | RecordsRevived
