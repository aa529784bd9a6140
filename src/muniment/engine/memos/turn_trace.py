"""Turn trace: every memory operation of one job, computed from its entries, never stored."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine.conversation.trace import summarize_text
from muniment.log.entry import Line
from muniment.model.events import (
    AnyEvent,
    EpisodeWritten,
    GoalSet,
    JobClosed,
    Recalled,
    Received,
    Shredded,
    WriteDenied,
)
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import (
    ExportRecorded,
    GoalAdvanced,
    MandatesObserved,
    MemoDeclined,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
)
from muniment.model.events.reads import ContextAssembled

Detail = dict[str, object]
# What a reader of traces calls each kind of entry; the rest are decisions of the memory.
KINDS: Final = {
    "received": "Observation",
    "idetic_event": "Observation",
    "memory_denied": "Error",
    "policy_adopted": "Policy",
    "mandates_observed": "Policy",
    "stm_summarised": "Summary",
    "export_recorded": "Summary",
}
TOOLS: Final = frozenset({"tool_call", "tool_result", "error"})


class TurnStep(msgspec.Struct, frozen=True, kw_only=True):
    """One operation: where it stands, what caused it, what it did."""

    seq: int
    cause: int  # the entry that asked for it
    ts: str
    tick: int
    kind: str  # Decision, ToolInvocation, Observation, Error, Policy, Summary
    operation: str
    policy: str  # the digest of the policy it was decided under
    detail: Detail


def of_job(lines: Iterable[Line], number: int) -> Iterator[Line]:
    """What belongs to a job, of entries that begin where it was opened; not read past its end."""
    ended = 0
    for line in lines:
        if ended and line.header.cause != ended:
            return
        if line.header.job == number:
            yield line
            ended = line.header.cause if isinstance(line.event, JobClosed) else ended


def steps(lines: Iterable[Line]) -> list[TurnStep]:
    """Every entry as a step, in the order in which it happened."""
    return [_step(line) for line in lines]


def _step(line: Line) -> TurnStep:
    header, event = line.header, line.event
    kind = KINDS.get(header.type, "Decision")
    if isinstance(event, EventObserved) and event.kind in TOOLS:
        kind = "ToolInvocation"
    return TurnStep(
        seq=line.seq,
        cause=header.cause,
        ts=header.ts,
        tick=header.tick,
        kind=kind,
        operation=event.asked if isinstance(event, Received) else header.type,
        policy=header.policy,
        detail={} if isinstance(event, Shredded) else _detail(event),
    )


def _detail(event: AnyEvent) -> Detail:
    """The outcome in codes and numbers; words are cut short, or hidden where they might tell."""
    match event:
        case MemoKept() as kept:
            return _weighed(kept) | {
                "memo_id": kept.memo.id,
                "places": list(kept.places),
                "version": kept.memo.version,
                "displaced": list(kept.displaced),
                "text": summarize_text(kept.memo.text),
            }
        case MemoDeclined() as declined:
            return _weighed(declined) | {"like": declined.like}
        case MemosEvicted() | MemosForgotten() | MemoShelved() | MemoMarked():
            return _moved(event)
        case Recalled() as read:
            return {"call": read.call, "ids": list(read.ids), "used_tokens": read.used_tokens}
        case ContextAssembled() as told:
            return {"receipt_id": told.receipt_id, "tokens": told.tokens}
        case WriteDenied(reason=reason, asked=asked):
            return {"reason": reason, "asked": asked}
        case _:
            return _neighbourly(event)


def _weighed(told: MemoKept | MemoDeclined) -> Detail:
    return {
        "type": str(told.kind),
        "reasons": list(told.reasons),
        "rules": list(told.rules),
        "scores": msgspec.to_builtins(told.scores),
    }


def _moved(event: MemosEvicted | MemosForgotten | MemoShelved | MemoMarked) -> Detail:
    match event:
        case MemosEvicted():
            told: Detail = {"policy": event.policy, "reason": event.reason}
            return {"place": event.place, "memo_ids": list(event.memo_ids)} | told
        case MemosForgotten():
            return {"place": event.place, "memo_ids": list(event.memo_ids)}
        case MemoShelved():
            return {"memo_id": event.memo_id, "places": list(event.places), "reason": event.reason}
        case MemoMarked():
            return {"memo_id": event.memo_id, "importance_ppm": event.importance_ppm}


def _neighbourly(event: AnyEvent) -> Detail:
    match event:
        case EventObserved(kind=kind):
            return {"event": str(kind)}
        case GoalAdvanced():
            return {"goal_id": event.goal_id, "version": event.version, "delta": event.delta_ppm}
        case GoalSet():
            return {"goal_id": event.goal_id, "version": event.version, "status": event.status}
        case MandatesObserved():
            return {"mandates": [each.name for each in event.mandates]}
        case ExportRecorded():
            told: Detail = {"delivered": list(event.delivered), "failed": list(event.failed)}
            return {"export_id": event.export_id} | told
        case EpisodeWritten():
            return {"episodic_id": event.episodic_id, "form": event.form}
        case _:
            return {}
