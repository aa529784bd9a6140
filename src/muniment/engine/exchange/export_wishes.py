"""Wishes in an export: records that only ask to forget something are left out of it.

They say again what was to be forgotten, and tell nothing else that a memory should know.
"""

from collections.abc import Iterator

from muniment.engine import lazy_modules as later
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import episodes, loop_events
from muniment.model.events import EpisodesWritten, EpisodeWritten
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import MemoSource

Said = tuple[str, str]  # the id of a record, and its words


def named(event: object) -> set[str]:
    """The records of an event in which a person only asks to forget something."""
    return {name for name, text in _said(event) if later.asked_to_forget.is_nothing_else(text)}


def in_loops(writer: Writer) -> set[str]:
    """The same of events of loops, and the loops, whose summaries may quote them."""
    found: set[str] = set()
    for line in writer.lines(wanted=lambda header: header.type == "idetic_event"):
        told = line.event
        if isinstance(told, EventObserved) and told.kind is EventKind.USER_INPUT:
            words = loop_events.event(writer.stream.id, line).words
            if later.asked_to_forget.is_nothing_else(words):
                found |= {loop_events.event_id(line), told.loop_id}
    return found


def _said(event: object) -> Iterator[Said]:
    match event:
        case EpisodeWritten(episodic_id=name, summary=text, origin=Origin.USER):
            yield name, text
        case EpisodesWritten(origin=Origin.USER, summaries=texts) as several:
            yield from zip(episodes.names(several), texts, strict=True)
        case ItemWritten(item=item) if item.source is Source.USER:
            yield item.id, item.told
        case MemoKept(memo=memo) if memo.source is MemoSource.USER:
            yield memo.id, memo.text
        case _:
            return
