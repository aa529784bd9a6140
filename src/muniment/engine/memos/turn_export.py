"""Turn export: what a turn changed, read from its entries, and how it is delivered."""

from collections.abc import Iterable, Sequence
from typing import Final

from muniment.engine.streams.ports import Exporter
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.events import AnyEvent, GoalSet, Received, Shredded
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import (
    GoalAdvanced,
    MemoDeclined,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemosForgotten,
)
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import Memo, MemoPlace, MemoType
from muniment.model.kinds.turn_export import (
    CortexUpdate,
    GoalUpdate,
    Important,
    StateExport,
    WriteSummary,
)
from muniment.model.text.tokens import shorten

TARGETS: Final = ("episodic", "semantic", "frontal_cortex")
SUMMARY_CHARACTERS_MAX: Final = 512
SPOKEN: Final = frozenset({EventKind.USER_INPUT, EventKind.ACTOR_OUTPUT})
Step = AnyEvent | Shredded


def export(lines: Sequence[Line], *, turn_id: str, agent_id: str) -> StateExport:
    """What these entries of one turn changed; `lines` end with the entry that closed it."""
    events = [line.event for line in lines]
    kept = [event.memo for event in events if isinstance(event, MemoKept)]
    last = lines[-1].header
    observed = next((e.at for e in events if isinstance(e, Received) and e.at), "")
    return StateExport(
        export_id=f"export:{last.id}",
        turn_id=turn_id,
        agent_id=agent_id,
        timestamp=observed or last.ts,
        turn_summary=_summary(kept),
        episodic_exports=_at(kept, MemoPlace.EM),
        semantic_exports=_at(kept, MemoPlace.SM),
        fc_updates=CortexUpdate(goals=tuple(_goals(events)), important=tuple(_marks(events))),
        scratch_page_updates=_at(kept, MemoPlace.WM),
        conversation_update=tuple(_spoken(events)),
        metadata={"entries": len(lines), "first_seq": lines[0].seq, "last_seq": lines[-1].seq},
    )


def writes(lines: Sequence[Line]) -> WriteSummary:
    events = [line.event for line in lines]
    kept = [event for event in events if isinstance(event, MemoKept)]
    places: dict[str, int] = {}
    for place in (place for event in kept for place in event.places):
        places[place] = places.get(place, 0) + 1
    return WriteSummary(
        entries=len(lines),
        memos=len(kept),
        declined=sum(isinstance(event, MemoDeclined) for event in events),
        tokens=sum(event.tokens for event in kept),
        evicted=sum(len(e.memo_ids) for e in events if isinstance(e, MemosEvicted))
        + sum(len(event.displaced) for event in kept),
        forgotten=sum(len(e.memo_ids) for e in events if isinstance(e, MemosForgotten)),
        tools=sum(_is_call(event) for event in events),
        goals=sum(isinstance(event, GoalAdvanced) for event in events),
        places=dict(sorted(places.items())),
    )


def deliver(
    exporter: Exporter, told: StateExport, targets: Iterable[str], *, attempts: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hand each part on, so many times at most; one that fails keeps none of the others back."""
    delivered: list[str] = []
    failed: list[str] = []
    for target in targets:
        done = any(_try(exporter, target, told) for _ in range(attempts))
        (delivered if done else failed).append(target)
    return tuple(delivered), tuple(failed)


def _try(exporter: Exporter, target: str, told: StateExport) -> bool:
    try:
        exporter.export(target, told)
    except Exception:  # whatever a reader does wrong, the turn has ended well
        return False
    return True


def _at(kept: Sequence[Memo], place: MemoPlace) -> tuple[Memo, ...]:
    return tuple(memo for memo in kept if place in memo.places)


def _goals(events: Sequence[Step]) -> Iterable[GoalUpdate]:
    for event in events:
        if isinstance(event, GoalAdvanced):
            yield GoalUpdate(
                goal_id=event.goal_id,
                expected_version=event.version - 1,
                version=event.version,
                delta_ppm=event.delta_ppm,
                progress_ppm=event.progress_ppm,
                note=event.note,
            )
        if isinstance(event, GoalSet):
            yield GoalUpdate(
                goal_id=event.goal_id,
                expected_version=event.version - 1,
                version=event.version,
                delta_ppm=0,
                progress_ppm=0,
                status=event.status,
                note=event.text,
            )


def _marks(events: Sequence[Step]) -> Iterable[Important]:
    for event in events:
        if isinstance(event, MemoMarked):
            yield Important(
                memo_id=event.memo_id, importance_ppm=event.importance_ppm, reason=event.reason
            )


def _spoken(events: Sequence[Step]) -> Iterable[str]:
    for event in events:
        if isinstance(event, EventObserved) and event.kind in SPOKEN:
            yield f"{event.kind}: {canonical_json.text_of(event.content)}"
        if isinstance(event, MemoKept) and event.kind is MemoType.USER_MESSAGE:
            yield f"user_message: {event.memo.text}"


def _summary(kept: Sequence[Memo]) -> str:
    """The weightiest things of the turn first, as far as a short text holds them."""
    ranked = sorted(kept, key=lambda memo: (-memo.importance_ppm, memo.id))
    told = "; ".join(" ".join(memo.text.split()) for memo in ranked)
    return shorten(told, SUMMARY_CHARACTERS_MAX)


def _is_call(event: Step) -> bool:
    return isinstance(event, EventObserved) and event.kind is EventKind.TOOL_CALL
