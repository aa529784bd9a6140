"""Traces: memory events of AI calls, rendered from the log and never stored.

Texts are shown on one line, cut short, and not at all where they might name a secret.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from muniment.log.entry import Line
from muniment.model.events import AnyEvent, Shredded, WriteDenied
from muniment.model.events.conversation import (
    BorderChecked,
    ItemDeleted,
    ItemDenied,
    ItemExpired,
    ItemPromoted,
    ItemsArchived,
    ItemsConflicted,
    ItemsRecalled,
    ItemWritten,
    PhaseDiffed,
    PhaseStarted,
    PromotionDenied,
)
from muniment.model.kinds.conversation_item import MemoryItem, Space, as_dict, phase_id
from muniment.model.kinds.recollection import Mention

Json = dict[str, object]
# An item by the stream it lies in, its id, and the seq it was read at.
Lookup = Callable[[str, str, int], MemoryItem | None]

RECORDED: Final = "interaction_recorded"
REDACTED: Final = "(redacted)"
ERASED: Final = "(erased)"
KNOWN: Final = "known"  # the reason of what was recalled from beyond the spaces
CUT: Final = "... (truncated)"
TEXT_CHARACTERS_MAX: Final = 200
MARKERS: Final = ("key", "secret", "token", "password", "authorization")


class TracedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry, with the stream it stands in and the policy it was decided under."""

    line: Line
    stream: str
    policy: Json


def summarize_text(text: str) -> str:
    """One line, at most so long; a text that may hold a secret is not shown at all."""
    line = " ".join(text.split())
    if any(marker in line.lower() for marker in MARKERS):
        return REDACTED
    return line if len(line) <= TEXT_CHARACTERS_MAX else line[:TEXT_CHARACTERS_MAX] + CUT


def render(
    batch: Sequence[TracedEntry], frame: Json, lookup: Lookup, *, recorded: bool
) -> list[Json]:
    """The traces of one batch: the write of an interaction first, then what governed it."""
    written = [
        _shown(lookup, each.stream, told.item, each.line.seq)
        for each in batch
        if isinstance(told := each.line.event, ItemWritten)
    ]
    traces: list[Json] = []
    refused = any(isinstance(each.line.event, WriteDenied) for each in batch)
    if recorded and not refused:
        traces.append({"type": "memory_write"} | frame | {"written": written, "reason": RECORDED})
    for each in batch:
        found = [_trace(each, lookup), *_archived(each)]
        traces += [{"type": trace["type"]} | frame | trace for trace in found if trace]
    return traces


def _archived(told: TracedEntry) -> list[Json]:
    """What is no longer at hand is forgotten as seed 001 names it, and found by recall."""
    event = told.line.event
    if not isinstance(event, ItemsArchived):
        return []
    why = {"reason": event.reason, "archived": True, "policy_snapshot": told.policy}
    return [{"type": "memory_forget", "memory_id": each} | why for each in event.item_ids]


def _trace(told: TracedEntry, lookup: Lookup) -> Json:
    event = told.line.event
    match event:
        case Shredded():
            return {}
        case ItemsRecalled():
            return _recall(told, event, lookup)
        case PhaseDiffed():
            return _diff(event)
        case ItemsConflicted():
            return _conflict(event)
        case _:
            governed = _governed(event)
            return governed | {"policy_snapshot": told.policy} if governed else {}


def _governed(event: AnyEvent) -> Json:
    """Those that carry the policy they were decided under."""
    match event:
        case ItemDenied(item=item, reason=reason):
            return {"type": "memory_denied", "attempted": _item(item), "reason": reason}
        case WriteDenied(reason=reason):
            return {"type": "memory_denied", "attempted": {}, "reason": reason}
        case ItemExpired(item_id=item_id, reason=reason):
            return {"type": "memory_forget", "memory_id": item_id, "reason": reason}
        case ItemDeleted():
            return _deleted(event)
        case PhaseStarted():
            return _phase(event)
        case BorderChecked() | ItemPromoted() | PromotionDenied():
            return _crossing(event)
        case _:
            return {}


def _crossing(event: BorderChecked | ItemPromoted | PromotionDenied) -> Json:
    match event:
        case BorderChecked():
            to_space = {"to_space": str(event.to_space)} if event.to_space else {}
            return (
                {"type": "memory_border_check", "action": event.action}
                | {"from_space": str(event.from_space)}
                | to_space
                | {"allowed": event.allowed, "reason": event.reason}
            )
        case ItemPromoted():
            return {
                "type": "memory_promoted",
                "from_space": str(event.from_space),
                "to_space": str(event.to_space),
                "from_id": event.from_id,
                "to_id": event.to_id,
                "authority_used": event.authority_used,
                "reason": event.reason,
            }
        case PromotionDenied():
            return {
                "type": "memory_promotion_denied",
                "from_space": str(event.from_space),
                "to_space": str(event.to_space),
                "memory_id": event.item_id,
                "allowed": False,
                "reason": event.reason,
            }


def _deleted(event: ItemDeleted) -> Json:
    trace: Json = {
        "type": "memory_deleted",
        "space": str(event.space),
        "owner": event.owner,
        "phase_id": phase_id(event.phase) if event.phase else "",
        "memory_id": event.item_id,
        "reason": event.reason,
    }
    return trace | ({"replaced_by": event.replaced_by} if event.replaced_by else {})


def _phase(event: PhaseStarted) -> Json:
    return {
        "type": "memory_phase_started",
        "space": str(event.space),
        "owner": event.owner,
        "phase_id": phase_id(event.n),
        "phase_name": summarize_text(event.name),
        "reason": summarize_text(event.reason),
    }


def _conflict(event: ItemsConflicted) -> Json:
    return {
        "type": "memory_conflict",
        "winner_id": event.winner_id,
        "loser_id": event.loser_id,
        "rule": event.rule,
        "dedup_key": summarize_text(event.dedup_key),
    }


def _diff(event: PhaseDiffed) -> Json:
    changes = [msgspec.to_builtins(each) for each in event.top_changes]
    for change in changes:
        if "dedup_key" in change:
            change["dedup_key"] = summarize_text(change["dedup_key"])
    return {
        "type": "memory_phase_diff",
        "space": str(event.space),
        "owner": event.owner,
        "from_phase_id": phase_id(event.from_n),
        "to_phase_id": phase_id(event.to_n),
        "added_count": event.added_count,
        "deleted_count": event.deleted_count,
        "replaced_count": event.replaced_count,
        "top_changes": changes,
        "summary_lines": list(event.summary_lines),
    }


def _recall(told: TracedEntry, event: ItemsRecalled, lookup: Lookup) -> Json:
    counts = {str(space): 0 for space in event.spaces_consulted}
    phases: dict[str, dict[str, int]] = {str(space): {} for space in event.spaces_consulted}
    for each in event.recalled:
        counts[each.space] += 1
        known = phases[each.space]
        known[each.phase] = known.get(each.phase, 0) + 1
    return {
        "type": "memory_recall",
        "query": summarize_text(event.query),
        "recalled": [_mentioned(told, event, each, lookup) for each in event.recalled],
        "policy": told.policy,
        "deterministic_hash": event.deterministic_hash,
        "spaces_consulted": [str(space) for space in event.spaces_consulted],
        "recall_counts": counts,
        "current_phase": {
            "phase_id": phase_id(event.phase) if event.phase else "",
            "phase_name": summarize_text(event.phase_name),
            "phase_started_at": event.phase_started_at,
            "phase_reason": summarize_text(event.phase_reason),
        },
        "phase_counts": phases,
    }


def _mentioned(told: TracedEntry, event: ItemsRecalled, mention: Mention, lookup: Lookup) -> Json:
    """The item as it was read; its words are looked up, for they stand in the log only once."""
    own = mention.space is Space.SESSION
    place = told.stream if own else event.places.get(mention.space, "")
    item = lookup(place, mention.id, event.reads.get(place, 0))
    if item is None and KNOWN in mention.reasons:
        # It lives in another layer, which has its words: the trace names it and why it is here.
        return {"id": mention.id, "kind": str(mention.kind), "reasons": list(mention.reasons)}
    if item is None:
        return {"id": mention.id, "kind": str(mention.kind), "text": ERASED}
    meta = msgspec.structs.replace(
        item.meta,
        recall_reason=mention.reasons,
        policy_tags=mention.tags,
        score=mention.score,
    )
    return _item(msgspec.structs.replace(item, meta=meta))


def _shown(lookup: Lookup, stream: str, item: MemoryItem, seq: int) -> Json:
    whole = lookup(stream, item.id, seq) if item.meta.summary_of else item
    return _item(whole or item)


def _item(item: MemoryItem) -> Json:
    meta = msgspec.structs.replace(item.meta, dedup_key=summarize_text(item.meta.dedup_key))
    shown = msgspec.structs.replace(item, text=summarize_text(item.text), meta=meta)
    return as_dict(shown)


def batches(lines: Iterable[Line]) -> list[list[Line]]:
    """Entries that belong to one command."""
    found: list[list[Line]] = []
    for line in lines:
        if found and found[-1][0].header.cause == line.header.cause:
            found[-1].append(line)
        else:
            found.append([line])
    return found
