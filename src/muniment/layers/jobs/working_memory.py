"""Working memory: items of each open job, newest first."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import (
    JobClosed,
    Promoted,
    Referenced,
    Ticked,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.kinds.episode import REFERENCES_KEPT, WorkingEntry
from muniment.model.struct_copy import copied

WorkingMemory = dict[int, tuple[WorkingEntry, ...]]


def fold(state: WorkingMemory, lines: list[Line]) -> WorkingMemory:
    jobs = dict(state)
    for line in lines:
        number = line.header.job
        match line.event:
            case WorkingInserted() as inserted:
                jobs[number] = (_entry(inserted), *jobs.get(number, ()))
            case Referenced(layer="working") as used:
                jobs[number] = _referenced(jobs.get(number, ()), used)
            case Ticked() if number in jobs:
                jobs[number] = tuple(_aged(entry) for entry in jobs[number])
            case WorkingExpired(wm_id=wm_id) | Promoted(wm_id=wm_id):
                jobs[number] = _without(jobs.get(number, ()), wm_id)
            case JobClosed(number=closed):
                jobs.pop(closed, None)
            case _:
                pass
    return jobs


def find(entries: tuple[WorkingEntry, ...], wm_id: str) -> WorkingEntry | None:
    return next((entry for entry in entries if entry.wm_id == wm_id), None)


def _entry(inserted: WorkingInserted) -> WorkingEntry:
    return copied(WorkingEntry, inserted, type=inserted.kind)


def _referenced(entries: tuple[WorkingEntry, ...], used: Referenced) -> tuple[WorkingEntry, ...]:
    return tuple(
        msgspec.structs.replace(
            entry,
            references=entry.references + 1,
            referenced_at=(*entry.referenced_at, used.tick)[-REFERENCES_KEPT:],
            ttl_ticks=used.ttl_ticks or entry.ttl_ticks,
        )
        if entry.wm_id == used.item_id
        else entry
        for entry in entries
    )


def _aged(entry: WorkingEntry) -> WorkingEntry:
    return msgspec.structs.replace(entry, ttl_ticks=entry.ttl_ticks - 1)


def _without(entries: tuple[WorkingEntry, ...], wm_id: str) -> tuple[WorkingEntry, ...]:
    return tuple(entry for entry in entries if entry.wm_id != wm_id)
