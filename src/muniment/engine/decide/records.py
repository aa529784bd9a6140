"""Records by id: what an id of this stream refers to, and how it ends."""

from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import document_rows, episodes, loop_events, memo_reads
from muniment.layers.shelves import ARCHIVE, ITEMS
from muniment.log.entry import Line
from muniment.model import moments
from muniment.model.commands import Forget
from muniment.model.commands.command import Keeping
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.errors import ABOUT_NOBODY
from muniment.model.events import AnyEvent, ItemForgotten, record_handles
from muniment.model.events.memos import MemosForgotten
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.loop import MIRROR_PREFIX
from muniment.model.kinds.memo import MemoPlace

BY_ID: Final = "id:"
TOOL_ARGS: Final = "tool_args"  # in the metadata of a call: what the tool was asked


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A record that lives: the entry that holds its words, and the places it lives in."""

    line: Line
    kind: str  # episode, memo, event
    places: tuple[str, ...] = ()  # of a memo


def find(now: DecisionContext, item_id: str) -> Named | None:
    """The living episode, memo or event of a loop that goes by an id."""
    line = now.shelves.get(episodes.SHELF, item_id)
    if line is not None:
        return Named(line=line, kind="episode")
    if item_id.startswith(MIRROR_PREFIX):
        return _event(now, item_id)
    kept = memo_reads.kept_at(now.shelves, item_id)
    places = tuple(memo_reads.lives_in(now.shelves, item_id)) if kept else ()
    if kept and _pad(now, item_id):
        places = (*places, MemoPlace.WM)
    return Named(line=kept, kind="memo", places=places) if kept and places else None


def handles(named: Named) -> Handles:
    """By what it was found: words that take its place are found by the same.

    What a tool was asked is no handle: it says the old words again, whole.
    """
    found = record_handles.of(named.line.event)
    if named.kind != "event" or not isinstance(found.metadata, dict):
        return found
    kept = {name: value for name, value in found.metadata.items() if name != TOOL_ARGS}
    return msgspec.structs.replace(found, metadata=kept) if kept else NONE


def end(now: DecisionContext, command: Forget) -> list[AnyEvent]:
    """Take a record out of every reading from here on; the past keeps it."""
    named = find(now, command.item_id)
    if named is None:
        return now.deny("item_unknown", command.item_id)
    if now.is_shared(named.line):
        return now.deny(ABOUT_NOBODY, command.item_id)
    return ending(now, command.item_id, named, command.reason)


def ending(
    now: DecisionContext, item_id: str, named: Named, reason: str, *, said: bool = True
) -> list[AnyEvent]:
    """What ends a record, and why: as a person said it, or in words of our own.

    A person's words go with the person: the end of what is about nobody does not hold them.
    """
    shared = now.is_shared(named.line)
    why = "" if shared and said else reason
    if named.kind == "memo":
        subject = "" if shared else now.received.command.subject
        phrase = "" if shared else f"{BY_ID}{item_id}"
        gone = [(place, item_id) for place in named.places]
        # A summary that quotes it goes too: all else that it tells of is recalled itself.
        told_by = memo_reads.summary_of(now.shelves, item_id)
        gone += [(place, told_by) for place in memo_reads.lives_in(now.shelves, told_by)]
        return [
            MemosForgotten(
                place=place,
                memo_ids=(each,),
                phrase=phrase,
                reason=why,
                subject=subject,
                pad=_pad(now, each) if place == MemoPlace.WM else "",
            )
            for place, each in gone
        ]
    shelf = loop_events.FORGOTTEN if named.kind == "event" else episodes.SHELF
    return [ItemForgotten(item_id=item_id, shelf=shelf, reason=why, about_nobody=shared)]


def _pad(now: DecisionContext, memo_id: str) -> str:
    """The scratchpad of whoever asks that holds a memo."""
    return memo_reads.pad_of(now.desk.memos, now.received.command.subject, memo_id)


def is_there(now: DecisionContext, item_id: str) -> bool:
    """Whether an id names anything that lives in this stream, an item or a document too."""
    others = (ITEMS, ARCHIVE, document_rows.SHELF)
    return find(now, item_id) is not None or any(
        now.shelves.get(shelf, item_id) is not None for shelf in others
    )


def event_line(now: DecisionContext, item_id: str) -> Line | None:
    """The entry of an event of a loop, forgotten or not."""
    if not item_id.startswith(MIRROR_PREFIX):
        return None
    return now.shelves.get(loop_events.SHELF, item_id.removeprefix(MIRROR_PREFIX))


def _event(now: DecisionContext, item_id: str) -> Named | None:
    line = event_line(now, item_id)
    if line is None or now.shelves.has(loop_events.FORGOTTEN, item_id):
        return None
    return Named(line=line, kind="event")


def given_handles(now: DecisionContext, command: Keeping | RecordInteraction) -> Handles:
    """What a command says beside its words, already screened."""
    found = Handles(
        source=command.source,
        tags=tags_of(command.tags),
        metadata=command.metadata,
        happened_at=command.happened_at,
        expires=moments.later(command.expires, told_at(now)) if command.expires else "",
    )
    return NONE if found == NONE else found  # what nobody gave is not spelled


def tags_of(told: object) -> tuple[str, ...]:
    return tuple(map(str, told)) if isinstance(told, list | tuple) else ()


def told_at(now: DecisionContext) -> str:
    """When it is told: as it was observed, or else by the seeded time."""
    return now.received.at or now.moment(1)
