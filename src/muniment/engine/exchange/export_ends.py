"""Ends of an export: records that have ended by the end of a log, and restored ones."""

from typing import Final

import msgspec

from muniment.engine.decide.evidence.rollback import ROLLED_BACK
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import document_rows, loop_events
from muniment.layers.memos import memos
from muniment.log.entry import Line
from muniment.model.events import AnyEvent, EpisodeWritten, FactRetired, ItemForgotten, Shredded
from muniment.model.events.conversation import ItemDeleted
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.events.memos import MemoKept, MemosEvicted, MemosForgotten, MemoShelved
from muniment.model.events.rollback import RecordsRevived
from muniment.model.events.threads import MemosCompacted
from muniment.retrieval.dates import validity

PROMOTED: Final = "promoted"  # an item that lives on elsewhere
ENDING: Final = frozenset(
    {"memory_forget", "item_deleted", "sem_delete", "document_put", "documents_dropped"}
    | {"memo_kept", "memo_shelved", "memos_evicted", "memos_forgotten", "memos_compacted"}
    | {"episodic_written", "records_revived"}
)
# Documents end by version, and of an event of a loop the forgetting ends.
TOLD_ELSEWHERE: Final = frozenset({document_rows.SHELF, loop_events.FORGOTTEN})


class Ends(msgspec.Struct):
    """What has ended for good by the end of a log, and up to where a key was retired."""

    gone: set[str] = msgspec.field(default_factory=set)
    corrected: dict[str, str] = msgspec.field(default_factory=dict)  # by what, of each
    retired: dict[str, int] = msgspec.field(default_factory=dict)
    lives_in: dict[str, int] = msgspec.field(default_factory=dict)  # places of each memo
    versions: dict[str, list[int]] = msgspec.field(default_factory=dict)  # of each document
    # By the entry that had ended them, the ids of what lives again.
    undone: dict[int, set[str]] = msgspec.field(default_factory=dict)
    back: dict[str, bool] = msgspec.field(default_factory=dict)  # whether it was gone before
    put: dict[str, list[int]] = msgspec.field(default_factory=dict)  # every version there ever was


def ends(writer: Writer) -> Ends:
    """A first look at a log: what it ends, without opening more than what ends something."""
    found = Ends()
    for line in writer.lines(wanted=lambda header: header.type in ENDING):
        _follow(found, line)
    return found


def _follow(found: Ends, line: Line) -> None:
    match line.event:
        case EpisodeWritten(evidence=evidence) as written if written.corrects or evidence:
            old = (each.episodic_id for each in evidence if each.note == "corrects")
            found.corrected |= dict.fromkeys(old, written.episodic_id)
        case ItemForgotten(item_id=name):
            found.gone.add(name)
        case ItemDeleted(item_id=name, reason=reason) as deleted:
            if reason != PROMOTED and not validity.replaces(deleted):
                found.gone.add(name)
        case FactRetired(key=key):
            found.retired[key] = line.seq
        case DocumentPut() | DocumentsDropped():
            _documents(found, line)
        case RecordsRevived() as told:
            _revived(found, told)
        case _:
            _memos(found, line.event)


def _documents(found: Ends, line: Line) -> None:
    """Which versions stand: all but those that were dropped, or that a rollback took back."""
    for _, name in document_rows.ended(line):
        versions = found.versions.setdefault(name, [])
        if isinstance(line.event, DocumentPut):
            versions.append(line.seq)
            found.put.setdefault(name, []).append(line.seq)
        elif isinstance(line.event, DocumentsDropped) and line.event.reason == ROLLED_BACK:
            found.versions[name] = versions[:-1]
        else:
            found.versions[name] = []


def _revived(found: Ends, told: RecordsRevived) -> None:
    """What is back, and what ends for it; of an event of a loop the forgetting is what ends."""
    _noted(found, told)
    for name in dict.fromkeys(row.id for row in told.ended if row.shelf not in TOLD_ELSEWHERE):
        for again in found.undone.values():  # the end that it had before counts again
            again.discard(name)
        if found.back.pop(name, True):
            found.gone.add(name)
    rows = [row for row in told.rows if row.shelf != loop_events.FORGOTTEN]
    found.back |= {row.id: row.id in found.gone for row in rows}
    for each in rows:
        found.gone.discard(each.id)
        found.undone.setdefault(each.died, set()).add(each.id)
        if each.shelf in memos.SHELF_OF.values():
            found.lives_in[each.id] = found.lives_in.get(each.id, 0) + 1
        if each.shelf == document_rows.SHELF:
            found.versions[each.id] = [seq for seq in found.put[each.id] if seq <= each.seq]


def _noted(found: Ends, told: RecordsRevived) -> None:
    note = loop_events.FORGOTTEN
    found.gone.difference_update(row.id for row in told.ended if row.shelf == note)
    found.gone.update(row.id for row in told.rows if row.shelf == note)


def _memos(found: Ends, event: AnyEvent | Shredded) -> None:
    """In how many places each memo lies; forgotten in the last of them, it is gone."""
    match event:
        case MemoKept(memo=memo, places=places):
            found.lives_in[memo.id] = len(places)
        case MemoShelved(memo_id=name, places=places):
            found.lives_in[name] = found.lives_in.get(name, 0) + len(places)
            found.gone.discard(name)
        case MemosEvicted(memo_ids=names) | MemosCompacted(gone=names):
            for name in names:
                found.lives_in[name] = found.lives_in.get(name, 0) - 1
        case MemosForgotten(memo_ids=names):
            for name in names:
                found.lives_in[name] = found.lives_in.get(name, 0) - 1
                if found.lives_in[name] <= 0:
                    found.gone.add(name)
        case _:
            return
