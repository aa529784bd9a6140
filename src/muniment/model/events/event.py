"""Event base class, and the marks of fields that are sealed under a subject's key."""

from typing import Annotated, Final

import msgspec

from muniment.model.kinds.episode import Evidence, Value
from muniment.model.kinds.handles import Handles

SEALED: Final = {"sealed": True}
SealedText = Annotated[str, msgspec.Meta(extra=SEALED)]
SealedTexts = Annotated[tuple[str, ...], msgspec.Meta(extra=SEALED)]
SealedValue = Annotated[Value, msgspec.Meta(extra=SEALED)]
SealedHandles = Annotated[Handles, msgspec.Meta(extra=SEALED)]
SealedEvidence = Annotated[tuple[Evidence, ...], msgspec.Meta(extra=SEALED)]


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The parent of all events."""
