"""Mirror entries: the short text and importance of an event of a loop."""

import msgspec

from muniment.model import canonical_json
from muniment.model.kinds.loop import IdeticEvent, MirrorEntry, mirror_id
from muniment.model.struct_copy import copied
from muniment.model.text.near_duplicates import worded
from muniment.rules import event_importance, loop_compaction


def mirrored(event: IdeticEvent) -> MirrorEntry:
    """The entry of an event as it is made, whether or not it is kept yet."""
    return copied(
        MirrorEntry,
        event,
        id=mirror_id(event.id),
        idetic_id=event.id,
        summary=loop_compaction.compact(event),
        importance=event_importance.initial(event.kind),
    )


def said(entry: MirrorEntry) -> str:
    return f"{entry.kind}\x00{worded(entry.summary)}"


def graded(entry: MirrorEntry, others_alike: int) -> MirrorEntry:
    importance, _ = event_importance.grade(entry.kind, entry.summary, others_alike=others_alike)
    return msgspec.structs.replace(entry, importance=importance)


def released(event: IdeticEvent) -> IdeticEvent:
    """As the caller once gave it: fractions are numbers again."""
    content, metadata = (
        canonical_json.release(event.content),
        canonical_json.release(event.metadata),
    )
    return msgspec.structs.replace(event, content=content, metadata=metadata)
