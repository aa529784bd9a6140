"""Phases of a space: begun automatically or by a call, and the diff of two."""

from muniment.engine.decide.conversation import space_promotion
from muniment.engine.decide.conversation.space_writer import open_sheet
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import conversation_items
from muniment.layers.shelves import Shelves
from muniment.model.commands.conversation import DiffPhases, EndLapsed, StartPhase
from muniment.model.events import AnyEvent
from muniment.model.events.conversation import PhaseDiffed
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Space
from muniment.model.kinds.recollection import PhaseChange

CHANGES_MAX = 8
ORDER = ("replaced", "added", "deleted")


def start(now: DecisionContext, command: StartPhase) -> list[AnyEvent]:
    if not now.desk.policy.phase.enabled:
        return now.deny("phase_disabled")
    sheet = space_promotion.sheet_of(now, command.space)
    if isinstance(sheet, list):
        return sheet
    sheet.start_phase(command.name, command.reason)
    sheet.sweep()
    return sheet.events


def diff(now: DecisionContext, command: DiffPhases) -> list[AnyEvent]:
    """Compare phases by the items that were in force when each ended."""
    if not now.desk.policy.phase.diff_enabled:
        return now.deny("phase_diff_disabled")
    sheet = space_promotion.sheet_of(now, command.space, action="read")
    if isinstance(sheet, list):
        return sheet
    ends = _ends(now, sheet.space, sheet.owner)
    if command.from_phase not in ends or command.to_phase not in ends:
        return now.deny("phase_unknown")
    before = _alive(now.shelves.as_of(ends[command.from_phase]), sheet.space, sheet.owner)
    after = _alive(now.shelves.as_of(ends[command.to_phase]), sheet.space, sheet.owner)
    changes = compared(before, after)
    counts = [sum(each.change == word for each in changes) for word in ORDER]
    sheet.events.append(
        PhaseDiffed(
            space=sheet.space,
            from_n=command.from_phase,
            to_n=command.to_phase,
            replaced_count=counts[0],
            added_count=counts[1],
            deleted_count=counts[2],
            owner=sheet.owner,
            top_changes=tuple(changes[:CHANGES_MAX]),
            summary_lines=tuple(f"{word}: {n}" for word, n in zip(ORDER, counts, strict=True)),
        )
    )
    return sheet.events


def compared(before: list[MemoryItem], after: list[MemoryItem]) -> list[PhaseChange]:
    """What was replaced, added, deleted: by id; the same key under another id is a replacement."""
    was, remains = {each.id: each for each in before}, {each.id for each in after}
    gone = {
        (each.kind, each.meta.dedup_key): each
        for each in before
        if each.id not in remains and each.meta.dedup_key
    }
    changes: list[PhaseChange] = []
    replaced: set[str] = set()
    for item in after:
        if item.id in was:
            continue
        old = gone.get((item.kind, item.meta.dedup_key))
        if old and old.id not in replaced:
            replaced.add(old.id)
            changes.append(_change("replaced", item, replaces=old.id))
        else:
            changes.append(_change("added", item))
    changes += [
        _change("deleted", each)
        for each in before
        if each.id not in remains and each.id not in replaced
    ]
    return sorted(changes, key=lambda each: (ORDER.index(each.change), each.dedup_key, each.id))


def _change(word: str, item: MemoryItem, *, replaces: str = "") -> PhaseChange:
    return PhaseChange(
        change=word,
        kind=item.kind,
        id=item.id,
        replaces=replaces,
        dedup_key=item.meta.dedup_key,
    )


def _ends(now: DecisionContext, space: Space, owner: str) -> dict[int, int]:
    """The seq at which each phase ended; the current one has not, so it ends now."""
    ends: dict[int, int] = {}
    end = now.desk.seq
    for seq, started in conversation_items.phases(now.shelves, space, owner):
        ends[started.n] = end
        end = seq - 1
    return ends


def _alive(shelves: Shelves, space: Space, owner: str) -> list[MemoryItem]:
    return [each for kind in Kind for each in conversation_items.alive(shelves, space, owner, kind)]


def end_lapsed(now: DecisionContext, command: EndLapsed) -> list[AnyEvent]:
    sheet = open_sheet(now, command.space)
    if isinstance(sheet, str):
        return now.deny(sheet)
    sheet.sweep()
    return sheet.events
