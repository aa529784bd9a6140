"""Handles of a record: source, tags, metadata and times, beside its text."""

from muniment.model.events import AnyEvent, EpisodesWritten, EpisodeWritten, Shredded
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.memo import Memo


def of(event: AnyEvent | Shredded) -> Handles:
    """The handles of whatever an entry holds; of several told together, those of each."""
    match event:
        case EpisodeWritten(handles=told) | EpisodesWritten(handles=told):
            return told
        case ItemWritten(item=item):
            return item.meta.handles
        case MemoKept(memo=memo):
            return of_memo(memo)
        case EventObserved(metadata=metadata) if isinstance(metadata, dict) and metadata:
            return Handles(metadata=metadata)
        case _:
            return NONE


def of_memo(memo: Memo) -> Handles:
    """A memo has them as fields of its own."""
    return Handles(
        source=memo.source_name,
        tags=memo.tags,
        metadata=memo.metadata,
        happened_at=memo.validity.since,
        expires=memo.expires,
    )
