"""Events of conversations: items, conflicts, borders, phases, recalls.

Texts, keys, owners and ids are sealed (an id names its owner); counters, ticks and codes are not,
so that a ledger counts on after an erasure.
"""

from typing import Annotated

import msgspec

from muniment.model.commands import AnyCommand
from muniment.model.events.event import SEALED, Event, SealedText, SealedTexts
from muniment.model.events.recalls import SealedCodes
from muniment.model.kinds.conversation_item import EventType, Kind, Ledger, MemoryItem, Space
from muniment.model.kinds.recollection import Mention, PhaseChange

SealedItem = Annotated[MemoryItem, msgspec.Meta(extra=SEALED)]


class LedgerOpened(Event, tag="ledger_opened", frozen=True, kw_only=True):
    """A space of one owner is at hand from here on: for the first time, or again."""

    ledger: int
    space: Space
    owner: SealedText
    subject: SealedText
    kept: Annotated[Ledger | None, msgspec.Meta(extra=SEALED)] = None


class LedgerShelved(Event, tag="ledger_shelved", frozen=True, kw_only=True):
    """The session used longest ago makes room on the desk; its ledger waits on the shelf."""

    ledger: int
    kept: Annotated[Ledger, msgspec.Meta(extra=SEALED)]
    subject: SealedText


class ItemWritten(Event, tag="item_written", frozen=True, kw_only=True):
    ledger: int
    kind: Kind
    n: int
    created_at: int
    item: SealedItem
    prior: SealedText = ""  # of a summary: the one it continues


class ItemDenied(Event, tag="item_denied", frozen=True, kw_only=True):
    """An item that was not written: it has an id and a tick all the same."""

    ledger: int
    kind: Kind
    n: int
    created_at: int
    reason: str
    item: SealedItem


class ItemsConflicted(Event, tag="item_conflict", frozen=True, kw_only=True):
    ledger: int
    rule: str  # authority, correction, recency, importance
    # Of an item that lost before it was stored: it has an id and a tick all the same.
    kind: Kind | None = None
    n: int = 0
    created_at: int = 0
    winner_id: SealedText
    loser_id: SealedText
    dedup_key: SealedText


class ItemExpired(Event, tag="item_expired", frozen=True, kw_only=True):
    ledger: int
    reason: str  # ttl_expired, decay
    item_id: SealedText


class ItemDeleted(Event, tag="item_deleted", frozen=True, kw_only=True):
    """The item leaves every reading; its row keeps its interval and stays readable in the past."""

    ledger: int
    space: Space
    phase: int
    reason: str  # superseded, expired, promoted, retracted, undone
    rule: str = ""  # by which a conflict was lost
    owner: SealedText
    item_id: SealedText
    replaced_by: SealedText = ""


class ItemsArchived(Event, tag="items_archived", frozen=True, kw_only=True):
    """Items that are no longer at hand: they left the window, or decayed. Recall still finds them.

    An archived item ends as any other does, by an `item_deleted` of its own.
    """

    ledger: int
    reason: str  # window, ttl_expired, decay
    item_ids: SealedTexts


class BorderChecked(Event, tag="border_checked", frozen=True, kw_only=True):
    action: str  # read, write, promote
    from_space: Space
    to_space: Space | None = None
    allowed: bool
    reason: str


class Forwarded(Event, tag="forwarded", frozen=True, kw_only=True):
    """What another stream must be told; this entry's hash is the key of that second append."""

    n: int
    to: str  # a reference
    command: Annotated[AnyCommand, msgspec.Meta(extra=SEALED)]


class ItemPromoted(Event, tag="item_promoted", frozen=True, kw_only=True):
    from_space: Space
    to_space: Space
    authority_used: str
    reason: str
    from_id: SealedText
    to_id: SealedText


class PromotionDenied(Event, tag="promotion_denied", frozen=True, kw_only=True):
    from_space: Space
    to_space: Space
    event_type: EventType | None = None
    reason: str
    item_id: SealedText


class PhaseStarted(Event, tag="phase_started", frozen=True, kw_only=True):
    ledger: int
    space: Space
    n: int
    created_at: int
    owner: SealedText
    name: SealedText = ""
    reason: SealedText = ""


class PhaseDropped(Event, tag="phase_dropped", frozen=True, kw_only=True):
    """No diff reaches back to this phase any more; its items stay as they are."""

    space: Space
    n: int
    owner: SealedText


class PhaseDiffed(Event, tag="phase_diffed", frozen=True, kw_only=True):
    space: Space
    from_n: int
    to_n: int
    added_count: int
    deleted_count: int
    replaced_count: int
    owner: SealedText
    top_changes: Annotated[tuple[PhaseChange, ...], msgspec.Meta(extra=SEALED)]
    summary_lines: SealedTexts


class ItemsRecalled(Event, tag="items_recalled", frozen=True, kw_only=True):
    """What an AI call was given, in its order, and the heads it was read at."""

    query: SealedText
    recalled: Annotated[tuple[Mention, ...], msgspec.Meta(extra=SEALED)]
    reads: dict[str, int]
    places: dict[Space, str]  # the stream each consulted space was read from
    spaces_consulted: tuple[Space, ...]
    deterministic_hash: (
        SealedText  # over ids, which name their owners: nobody shall try names on it
    )
    phase: int
    phase_started_at: int
    phase_name: SealedText = ""
    phase_reason: SealedText = ""
    hidden: int = 0
    handed: SealedCodes = b""  # fingerprints of the lines that it gave out
    where: SealedText = ""


MemoryEvent = (
    LedgerOpened
    | LedgerShelved
    | ItemWritten
    | ItemDenied
    | ItemsConflicted
    | ItemExpired
    | ItemDeleted
    | ItemsArchived
    | BorderChecked
    | Forwarded
    | ItemPromoted
    | PromotionDenied
    | PhaseStarted
    | PhaseDropped
    | PhaseDiffed
    | ItemsRecalled
)
