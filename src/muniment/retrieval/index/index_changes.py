"""Index changes: documents that end, are released or are restored in an index."""

from collections.abc import Iterator, Mapping

import msgspec

from muniment.layers import loop_events
from muniment.log.entry import Line
from muniment.model.events.rollback import RecordsRevived


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What had been offered under an id is not recalled from here on."""

    id: str
    seq: int
    ts: str
    superseded: bool  # something newer took its place: until then it was true
    layer: str = ""  # where it has ended; a memo may live in two places
    was: int = 0  # the entry of the end that counts again, where a revival is undone


class Released(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who may do so has vouched for what was told under an id."""

    id: str
    seq: int


class Revived(msgspec.Struct, frozen=True, kw_only=True):
    """What had ended under an id is recalled again, as if it had not."""

    id: str
    seq: int
    content: int  # the entry that offered it
    layer: str = ""


Noted = Ended | Released | Revived


def revived(line: Line, layers: Mapping[str, str]) -> Iterator[Ended | Revived]:
    """What an entry revives on the shelves of these layers, and what ends there in its stead.

    What ends comes first: an item that leaves the archive for its window lives.
    """
    if not isinstance(line.event, RecordsRevived):
        return
    told, seq, ts = line.event, line.seq, line.header.ts
    for shelf, name, was in dict.fromkeys((row.shelf, row.id, row.was) for row in told.ended):
        if shelf in layers:
            yield Ended(id=name, seq=seq, ts=ts, superseded=False, layer=layers[shelf], was=was)
    for shelf, name, content in dict.fromkeys((row.shelf, row.id, row.seq) for row in told.rows):
        if shelf in layers:
            yield Revived(id=name, seq=seq, content=content, layer=layers[shelf])


def events_revived(line: Line) -> Iterator[Ended | Revived]:
    """The same of events of loops: on their shelf stands what is forgotten."""
    if not isinstance(line.event, RecordsRevived):
        return
    told, seq, ts = line.event, line.seq, line.header.ts
    for gone in told.ended:
        if gone.shelf == loop_events.FORGOTTEN:
            yield Revived(id=gone.id, seq=seq, content=seq)
    for back in told.rows:
        if back.shelf == loop_events.FORGOTTEN:
            yield Ended(id=back.id, seq=seq, ts=ts, superseded=False)
