"""Told statements: what one person said that stands in a log, through whichever call it came."""

from collections.abc import Iterator
from itertools import islice

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import conversation_items, episodes, loop_events, memo_reads
from muniment.layers.memos import memos
from muniment.layers.shelves import ITEMS
from muniment.model.commands.conversation import Conversing
from muniment.model.events import EpisodeWritten
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Source, Space
from muniment.model.kinds.episode import Authority, Origin
from muniment.model.kinds.loop import EventKind, mirror_id
from muniment.model.kinds.memo import MemoPlace, MemoSource

Statement = tuple[str, str]  # the id of a record, and its words
SAID_IN = (Kind.SEMANTIC, Kind.SHORT_TERM)  # a copy that lasts, and the message


def every(now: DecisionContext) -> list[Statement]:
    """The newest of each kind: sentences, messages of all sessions, memos, inputs of loops."""
    return [*_sentences(now), *_messages(now), *_memos(now), *_inputs(now)]


def of_space(now: DecisionContext, space: Space, owner: str) -> Iterator[MemoryItem]:
    """What a person said in one space and stands, at hand or in the archive."""
    limit = now.desk.policy.recall.window_entries
    for kind in SAID_IN:
        found = conversation_items.versions(now.shelves, space, owner, kind)
        for version in islice(found, limit):
            if version.died is None and is_their_own(version.item):
                yield version.item


def is_their_own(item: MemoryItem) -> bool:
    imposed = item.meta.authority is Authority.SYSTEM_IMPOSED
    return item.source is Source.USER and not imposed


def _sentences(now: DecisionContext) -> Iterator[Statement]:
    limit = now.desk.policy.recall.window_entries
    for line in islice(now.shelves.newest(episodes.SHELF), limit):
        told = line.event
        if (
            isinstance(told, EpisodeWritten)
            and (told.form, told.origin, told.speaker) == (episodes.ENTRY, Origin.USER, "")
            and not now.is_shared(line)
        ):
            yield told.episodic_id, told.summary


def _messages(now: DecisionContext) -> Iterator[Statement]:
    """Of the session at hand, where this is one; then of all others."""
    command = now.received.command
    here = command.session if isinstance(command, Conversing) else ""
    if here:
        yield from ((each.id, each.told) for each in of_space(now, Space.SESSION, here))
    limit = now.desk.policy.recall.window_entries
    for _, died, line in islice(now.shelves.ever(ITEMS), limit):
        told = line.event
        if not isinstance(told, ItemWritten) or now.is_shared(line):
            continue
        item = told.item
        elsewhere = item.meta.space is Space.SESSION and item.meta.owner != here
        said = elsewhere and item.kind in SAID_IN and is_their_own(item)
        if said and (died is None or conversation_items.known(now.shelves, item.id)):
            yield item.id, item.told


def _memos(now: DecisionContext) -> Iterator[Statement]:
    """Of both lasting places, and of the person's scratchpads."""
    limit = now.desk.policy.recall.window_entries
    for place in (MemoPlace.EM, MemoPlace.SM):
        for line in islice(now.shelves.newest(memos.SHELF_OF[place]), limit):
            memo = None if now.is_shared(line) else memo_reads.resolved(now.shelves, line)
            if memo and memo.source is MemoSource.USER:
                yield memo.id, memo.text
    subject = now.received.command.subject
    for key, pad in now.desk.memos.pads.items():
        if memos.owner(key) == subject:
            held = (each.memo for each in pad.held)
            yield from ((e.id, e.text) for e in held if e.source is MemoSource.USER)


def _inputs(now: DecisionContext) -> Iterator[Statement]:
    limit = now.desk.policy.recall.window_entries
    for line in islice(now.shelves.newest(loop_events.SHELF), limit):
        told = line.event
        if isinstance(told, EventObserved) and told.kind is EventKind.USER_INPUT:
            name = mirror_id(loop_events.event_id(line))
            gone = now.is_shared(line) or now.shelves.has(loop_events.FORGOTTEN, name)
            if not gone:
                words = loop_events.event(now.stream.id, line).words
                yield name, " ".join(words.split())
