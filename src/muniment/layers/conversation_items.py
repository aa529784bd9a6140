"""Conversation items on their shelves: in force in a space, found by kind or by key."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from muniment.layers.shelves import ARCHIVE, ITEMS, PHASES, RIVALS, Shelves
from muniment.log.entry import Line
from muniment.model.events.conversation import ItemDeleted, ItemsArchived, ItemWritten, PhaseStarted
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Space, rival_key, store_key

LINKS_MAX = 32  # how far back a summary's list is followed unless all of it is wanted


class ItemVersion(msgspec.Struct, frozen=True, kw_only=True):
    """An item over its whole life: where it was born and, perhaps, where and why it ended."""

    item: MemoryItem
    born: int
    died: int | None
    ended: ItemDeleted | None


def alive(shelves: Shelves, space: Space, owner: str, kind: Kind) -> Iterator[MemoryItem]:
    """The living items of a kind, newest first."""
    return map(_item, shelves.under(ITEMS, f"{store_key(space, owner)}:{kind}"))


def versions(shelves: Shelves, space: Space, owner: str, kind: Kind) -> Iterator[ItemVersion]:
    """Every item there ever was of a kind, newest first."""
    rows = shelves.ever(ITEMS, key=f"{store_key(space, owner)}:{kind}")
    return (_version(shelves, each) for each in rows)


def get(shelves: Shelves, item_id: str) -> MemoryItem | None:
    line = shelves.get(ITEMS, item_id)
    return _item(line) if line else None


def known(shelves: Shelves, item_id: str) -> MemoryItem | None:
    """An item that has not ended: at hand, or archived."""
    found = get(shelves, item_id)
    if found is None and shelves.has(ARCHIVE, item_id):  # when it left, and why, is not asked here
        return next((_item(line) for _, _, line in shelves.ever(ITEMS, item_id=item_id)), None)
    return found


def rivals(shelves: Shelves, space: Space, owner: str, kind: Kind, key: str) -> list[MemoryItem]:
    """Living items that share a key, newest first: at most these can conflict."""
    return [_item(line) for line in shelves.under(RIVALS, rival_key(space, owner, kind, key))]


def ever(shelves: Shelves, item_id: str) -> ItemVersion | None:
    """An item, alive or not."""
    return next((_version(shelves, each) for each in shelves.ever(ITEMS, item_id=item_id)), None)


def lineage(shelves: Shelves, of: MemoryItem) -> list[ItemVersion]:
    """Every item that ever had the same key in the same space, oldest first."""
    assert of.meta.space is not None
    key = rival_key(of.meta.space, of.meta.owner, of.kind, of.meta.dedup_key)
    found = [_version(shelves, each) for each in shelves.ever(RIVALS, key=key)]
    return sorted(found, key=lambda each: each.born)


def whole(shelves: Shelves, item: MemoryItem, links_max: int = LINKS_MAX) -> MemoryItem:
    """A summary with what it stands for: each one continues the one before, so far back."""
    if not item.meta.summary_of:
        return item
    told: list[str] = []
    for written in islice(links(shelves, item.id), links_max):
        told = [*written.item.meta.summary_of, *told]
    meta = msgspec.structs.replace(item.meta, summary_of=tuple(told))
    return msgspec.structs.replace(item, meta=meta)


def links(shelves: Shelves, summary_id: str) -> Iterator[ItemWritten]:
    """A summary and those that it continues, the newest first."""
    item_id = summary_id
    while item_id:
        rows = list(shelves.ever(ITEMS, item_id=item_id))
        if not rows or not isinstance(rows[0][2].event, ItemWritten):
            return
        yield rows[0][2].event
        item_id = rows[0][2].event.prior


def phases(shelves: Shelves, space: Space, owner: str) -> list[tuple[int, PhaseStarted]]:
    """The phases a diff can reach, newest first, each with the seq it started at."""
    return [
        (line.seq, line.event)
        for line in shelves.under(PHASES, store_key(space, owner))
        if isinstance(line.event, PhaseStarted)
    ]


def _version(shelves: Shelves, row: tuple[int, int | None, Line]) -> ItemVersion:
    born, died, line = row
    item = _item(line)
    left = shelves.line(died) if died else None
    if left and isinstance(left.event, ItemsArchived):
        # It lives on in the archive: its end, if it has one, is the end of that row.
        died = next((ended for _, ended, _ in shelves.ever(ARCHIVE, item_id=item.id)), None)
        left = shelves.line(died) if died else None
    ended = left.event if left and isinstance(left.event, ItemDeleted) else None
    mine = ended if ended and ended.item_id == item.id else None
    return ItemVersion(item=item, born=born, died=died, ended=mine)


def _item(line: Line) -> MemoryItem:
    assert isinstance(line.event, ItemWritten)
    return line.event.item
