"""What a query of the mirror may be narrowed by; there is no field that widens one."""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from muniment.model.errors import InputError
from muniment.model.kinds.loop import EventKind, MirrorEntry, Visibility


class LoopFilters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kinds: tuple[EventKind, ...] = ()
    visibility: Visibility | None = None
    loop_id: str = ""
    since: str = ""
    until: str = ""
    importance_min: int = 0
    top_k: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 8

    @staticmethod
    def read(filters: Mapping[str, object]) -> "LoopFilters":
        try:
            return msgspec.convert(dict(filters), LoopFilters)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise InputError(f"filters: {error}") from None

    def holds(self, entry: MirrorEntry) -> bool:
        return (
            (not self.kinds or entry.kind in self.kinds)
            and self.visibility in {None, entry.visibility}
            and self.loop_id in {"", entry.loop_id}
            and (not self.since or self.since <= entry.ts)
            and (not self.until or entry.ts <= self.until)
            and entry.importance >= self.importance_min
        )
