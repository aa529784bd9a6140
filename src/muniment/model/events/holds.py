"""Events of legal holds: placed by order, and lifted."""

from typing import Annotated

import msgspec

from muniment.model.events.event import SEALED, Event, SealedText
from muniment.model.kinds.hold import LegalHold

SealedHolds = Annotated[tuple[LegalHold, ...], msgspec.Meta(extra=SEALED)]


class HoldPlaced(Event, tag="hold_placed", frozen=True, kw_only=True):
    hold_id: str
    hold: Annotated[LegalHold, msgspec.Meta(extra=SEALED)]


class HoldLifted(Event, tag="hold_lifted", frozen=True, kw_only=True):
    hold_id: str
    reason: SealedText = ""


HoldEvent = HoldPlaced | HoldLifted
