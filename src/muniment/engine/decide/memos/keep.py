"""Memo decisions: what the gate stores, what is evicted, what is marked."""

from typing import Final

from muniment.engine.decide import records
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import memo_reads
from muniment.layers.memo_reads import Twin
from muniment.layers.memos import memos
from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import ids, moments
from muniment.model.commands.memos import MarkMemo, Memorize, RestoreMemo
from muniment.model.errors import ABOUT_NOBODY
from muniment.model.events import AnyEvent
from muniment.model.events.memos import (
    MemoDeclined,
    MemoKept,
    MemoMarked,
    MemosEvicted,
    MemoShelved,
)
from muniment.model.kinds.memo import (
    WHOLE_PPM,
    Memo,
    MemoPlace,
    RedactionStatus,
    Validity,
    checksum,
)
from muniment.model.policy import Action
from muniment.model.struct_copy import copied
from muniment.model.text.tokens import MARK, tokens, tokens_by_length
from muniment.rules.memos import eviction, gate

LEAVING_MAX: Final = 4_096  # an entry is bounded; what is still too much leaves with the next one


def memorize(now: DecisionContext, command: Memorize) -> list[AnyEvent]:
    if not command.text.strip():
        return now.deny_nothing("text_empty")
    return keep(now, command)


def keep(now: DecisionContext, command: Memorize, *, anew: bool = False) -> list[AnyEvent]:
    """Weigh an item against what is kept, and write down where it went and what made room.

    `anew` compares it with nothing: what is alike is told on somebody else's word.
    """
    # Parts of a whole are told together: what one is worth must not hang on another of them.
    part = bool(command.parent_id)
    twin = Twin() if part or anew else memo_reads.twin(now.shelves, command.subject, command.text)
    verdict = gate.judge(
        _candidate(command, twin),
        now.desk.policy.gating,
        goals=[goal.text for goal in now.desk.goals.values() if goal.subject == command.subject],
        mandates=now.desk.memos.mandates,
        tokens_kept=now.job.kept_tokens if now.job else 0,
    )
    if not verdict.places:
        return [_declined(command, verdict, twin)]
    before = _before(now, command) if MemoPlace.SM in verdict.places else []
    memo = _memo(now, command, verdict, before[0] if before else None)
    superseded, *others = _superseded(before, command) or [""]
    pad = memos.pad_key(command.subject, memo.task_id) if MemoPlace.WM in verdict.places else ""
    leaving, limit = _from_pad(now, pad, memo) if pad else ((), "")
    kept = MemoKept(
        n=now.desk.memos.kept + 1,
        kind=command.kind,
        places=verdict.places,
        tokens=memo.tokens_estimate,
        scores=verdict.scores,
        reasons=verdict.reasons,
        supersedes=superseded,
        chunks_before=tuple(others),
        displaced=tuple([each.id for each in leaving]),
        limit=limit,
        subject=command.subject,
        pad=pad,
        rules=verdict.rules,
        memo=memo,
    )
    return [*_from_pads(now, pad), *_found(now, pad, leaving), *_from_shelves(now, kept), kept]


def _declined(command: Memorize, verdict: gate.GateVerdict, twin: Twin) -> MemoDeclined:
    return MemoDeclined(
        kind=command.kind,
        scores=verdict.scores,
        reasons=verdict.reasons,
        like=twin.memo_id if twin.likeness_ppm else "",
        rules=verdict.rules,
    )


def _before(now: DecisionContext, command: Memorize) -> list[Memo]:
    """The version that a key has now."""
    return memo_reads.current(now.shelves, command.key, command.subject) if command.key else []


def _superseded(before: list[Memo], command: Memorize) -> list[str]:
    """What leaves for the next version: all the chunks of the one before, the last one first."""
    return [] if before and _are_one(before[0], command) else [memo.id for memo in before]


def _are_one(before: Memo, command: Memorize) -> bool:
    """Chunks of one whole are one version: none of them takes another's place."""
    return bool(command.parent_id) and before.parent_id == command.parent_id


def _lineage(before: Memo | None, command: Memorize) -> tuple[int, tuple[str, ...]]:
    if before is None:
        return 1, ()
    if _are_one(before, command):
        return before.version, before.lineage_ids
    return before.version + 1, (*before.lineage_ids, before.id)


def mark(now: DecisionContext, command: MarkMemo) -> list[AnyEvent]:
    if memo_reads.get(now.shelves, command.memo_id) is None:
        return now.deny("memo_unknown", command.memo_id)
    return [copied(MemoMarked, command)]


def restore(now: DecisionContext, command: RestoreMemo) -> list[AnyEvent]:
    """What was forgotten or evicted comes back to the lasting places that it had."""
    line = memo_reads.kept_at(now.shelves, command.memo_id)
    if line is None or not isinstance(line.event, MemoKept):
        return now.deny("memo_unknown", command.memo_id)
    if now.is_shared(line):
        return now.deny(ABOUT_NOBODY, command.memo_id)
    memo = line.event.memo
    there = memo_reads.lives_in(now.shelves, memo.id)
    had = [place for place in (MemoPlace.EM, MemoPlace.SM) if place in memo.places] or [
        MemoPlace.EM
    ]
    missing = tuple(str(place) for place in had if place not in there)
    if memo.key and memo_reads.current(now.shelves, memo.key, command.subject):
        missing = tuple(place for place in missing if place != MemoPlace.SM)
    if not missing:
        return now.deny("memo_is_there", command.memo_id)
    return [shelved(line.event, line.seq, missing, "restored")]


def shelved(kept: MemoKept, seq: int, places: tuple[str, ...], reason: str) -> MemoShelved:
    return MemoShelved(
        memo_id=kept.memo.id,
        source_seq=seq,
        places=places,
        reason=reason,
        subject=kept.subject,
        key=kept.memo.key,
    )


def _candidate(command: Memorize, twin: memo_reads.Twin) -> gate.GateItem:
    return gate.GateItem(
        kind=command.kind,
        text=command.text,
        source=command.source,
        tokens=tokens_by_length(command.text),
        store=command.store,
        importance_ppm=command.importance_ppm,
        confidence_ppm=command.confidence_ppm,
        tags=records.tags_of(command.tags),
        keyed=bool(command.key),
        in_episode=bool(command.episode_id),
        likeness_ppm=twin.likeness_ppm,
        # The same words in the same order: where a word differs, nobody need look at the order.
        is_repeated=twin.likeness_ppm == WHOLE_PPM and tokens(twin.text) == tokens(command.text),
    )


def _memo(
    now: DecisionContext, command: Memorize, verdict: gate.GateVerdict, before: Memo | None
) -> Memo:
    job = now.job
    n = now.desk.memos.kept + 1
    version, lineage = _lineage(before, command)
    return copied(
        Memo,
        command,
        id=ids.memo_id(now.stamp.time_ms(now.seq), now.stream.ref, now.stamp.seed, n),
        type=command.kind,
        tokens_estimate=tokens_by_length(command.text),
        timestamp=now.received.at or now.moment(1),
        agent_id=now.stream.id.owner,
        task_id=command.task_id or ((job.session or job.seed) if job else ""),
        importance_ppm=verdict.scores.importance,
        novelty_ppm=verdict.scores.novelty,
        tags=records.tags_of(command.tags),
        redaction_status=_redacted(now, command.text),
        checksum=checksum(command.kind, command.text),
        step_index=now.stamp.tick,
        version=version,
        lineage_ids=lineage,
        validity=Validity(since=command.since, until=command.until),
        expires=_expires(now, command),
        places=verdict.places,
    )


def _expires(now: DecisionContext, command: Memorize) -> str:
    """The first of the moments that end it: its own, its validity's, its ttl's, its retention's."""
    told_at = records.told_at(now)
    lasts = [command.ttl, now.desk.policy.gating.retention_seconds.get(command.retention)]
    ends = [f"{moments.LATER}{seconds}" for seconds in lasts if seconds]
    ends += [each for each in (command.expires, command.until) if each]
    return min((moments.later(each, told_at) for each in ends), default="")


def _redacted(now: DecisionContext, text: str) -> RedactionStatus:
    """Full where nothing but marks is left."""
    if not any(each.action == Action.REDACT for each in now.received.redactions):
        return RedactionStatus.NONE
    return RedactionStatus.PARTIAL if tokens(MARK.sub(" ", text)) else RedactionStatus.FULL


# ── Making room ─────────────────────────────────────────────────────────────────────────────────


def _from_pad(now: DecisionContext, pad: str, memo: Memo) -> tuple[tuple[Memo, ...], str]:
    """What must leave a scratchpad for one more, and which limit asks for it."""
    there = now.desk.memos.pads.get(pad, Scratchpad())
    return eviction.from_working(there, memo, now.desk.policy.gating, step=now.stamp.tick)


def _from_shelves(now: DecisionContext, kept: MemoKept) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    counts = now.desk.memos.counts.get(kept.subject, memos.Counts())
    limits = now.desk.policy.gating
    if MemoPlace.SM in kept.places and not kept.supersedes:
        events += _from_shelf(now, kept, MemoPlace.SM, counts.semantic, limits.semantic_items_max)
    if MemoPlace.EM in kept.places:
        events += _from_shelf(now, kept, MemoPlace.EM, counts.episodic, limits.episodic_items_max)
    return events


def left_working(
    now: DecisionContext, pad: str, leaving: tuple[Memo, ...], policy: str, reason: str
) -> list[AnyEvent]:
    """What leaves a scratchpad by itself, not for another memo that says so."""
    if not leaving:
        return []
    left = MemosEvicted(
        place=MemoPlace.WM,
        memo_ids=tuple(memo.id for memo in leaving),
        policy=policy,
        reason=reason,
        subject=memos.owner(pad),
        pad=pad,
    )
    return [left, *_found(now, pad, leaving)]


def _found(now: DecisionContext, pad: str, leaving: tuple[Memo, ...]) -> list[AnyEvent]:
    """What leaves a scratchpad is found in episodic memory, unless it lasts elsewhere already."""
    lying = {memo.id for memo in leaving if memo.places == (MemoPlace.WM,)}
    if not lying:
        return []
    seqs = {each.memo.id: each.seq for each in now.desk.memos.pads[pad].held}
    return [
        MemoShelved(
            memo_id=memo.id,
            source_seq=seqs[memo.id],
            places=(MemoPlace.EM,),
            reason="evicted",
            subject=memos.owner(pad),
        )
        for memo in leaving
        if memo.id in lying
    ]


def _from_pads(now: DecisionContext, pad: str) -> list[AnyEvent]:
    """The desk is bounded: a new task's scratchpad takes the place of the one left longest."""
    pads, limit = now.desk.memos.pads, now.desk.policy.gating.working_tasks_max
    if not pad or pad in pads or len(pads) < limit:
        return []
    oldest = min(pads, key=lambda key: (pads[key].touched_seq, key))
    leaving = tuple(each.memo for each in pads[oldest].held)
    return left_working(now, oldest, leaving, "least_recent_task", "tasks")


def _from_shelf(
    now: DecisionContext, kept: MemoKept, place: MemoPlace, count: int, items_max: int
) -> list[AnyEvent]:
    if not items_max or count < items_max:
        return []
    living = memo_reads.living(now.shelves, place, kept.subject)
    leaving = eviction.from_shelf(living, items_max)[:LEAVING_MAX]
    if not leaving:
        return []
    return [
        MemosEvicted(
            place=place,
            memo_ids=tuple(memo.id for memo in leaving),
            policy=eviction.LEAST_IMPORTANT,
            reason="items",
            subject=kept.subject,
        )
    ]
