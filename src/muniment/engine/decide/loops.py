"""Loop decisions: literal events, and what is derived from them into the collection."""

import msgspec

from muniment.engine.decide import echoes
from muniment.engine.decide.decision_context import Asked, Decision, DecisionContext
from muniment.layers import mirror
from muniment.layers.loop_events import OpenLoop
from muniment.model import ids
from muniment.model.commands.loops import (
    DeferMirror,
    DigestLoops,
    EmbedEvent,
    ExtractSkill,
    MirrorEvent,
    ObserveEvent,
    RegradeEvent,
    SummariseLoop,
)
from muniment.model.events import AnyEvent
from muniment.model.events.loops import (
    Embedded,
    EventObserved,
    LoopsDigested,
    LoopSummarised,
    MirrorDeferred,
    Mirrored,
    Regraded,
    SkillExtracted,
)
from muniment.model.kinds.episode import Value
from muniment.model.kinds.loop import PENDING_DERIVATION, EventKind, Visibility
from muniment.model.scope import StreamKind
from muniment.model.struct_copy import copied
from muniment.rules import loop_order


def observe(now: DecisionContext, command: ObserveEvent) -> list[AnyEvent]:
    job = now.job
    if job is None:
        return now.deny("needs_an_open_job")
    loop = now.desk.loops.get(job.number, OpenLoop())
    refused = loop_order.refusal(command.kind, now.stream.id.persona, loop)
    if refused:
        return now.deny(refused)
    told = observed(now, loop.events + 1, command.kind, command.content, command.metadata)
    return [msgspec.structs.replace(told, visibility=command.visibility)]


def observed(
    now: DecisionContext, n: int, kind: EventKind, content: Value, metadata: Value
) -> EventObserved:
    """One event of the open job's loop, seen by nobody outside unless somebody says so."""
    job = now.job
    assert job is not None
    heard = echoes.of_value(now, content, own=kind is EventKind.USER_INPUT)
    return EventObserved(
        n=n,
        loop_id=ids.loop_id(now.stream.ref, job.seed, job.opened_at),
        kind=kind,
        visibility=Visibility.INTERNAL,
        ts=now.received.at or now.moment(1),
        content=content,
        metadata=metadata,
        subject=now.received.command.subject or job.subject,
        own_words=heard.text if heard.lines else None,
        echo_of=heard.receipt,
    )


def derived(judge: Decision[Asked]) -> Decision[Asked]:
    """What is derived is kept in a collection and nowhere else."""

    def decision(now: DecisionContext, command: Asked, /) -> list[AnyEvent]:
        if now.stream.id.kind is not StreamKind.COLLECTION:
            return now.deny("not_a_collection")
        return judge(now, command)

    return decision


@derived
def mirror_event(now: DecisionContext, command: MirrorEvent) -> list[AnyEvent]:
    """One entry for each event: a second one is refused, whatever it says."""
    if now.shelves.get(mirror.SHELF, command.source_id):
        return now.deny("mirror_exists", command.source_id)
    mirrored = copied(Mirrored, command, status=mirror.status(embedded=bool(command.vector)))
    if not command.vector:
        return [mirrored]
    return [mirrored, _embedded(command.source_id, command.model, command.vector)]


@derived
def defer_mirror(now: DecisionContext, command: DeferMirror) -> list[AnyEvent]:
    if now.shelves.get(mirror.SHELF, command.source_id):
        return now.deny("mirror_exists", command.source_id)
    return [
        MirrorDeferred(
            source_id=command.source_id, status=PENDING_DERIVATION, reason=command.reason
        )
    ]


@derived
def embed_event(now: DecisionContext, command: EmbedEvent) -> list[AnyEvent]:
    if now.shelves.get(mirror.SHELF, command.source_id) is None:
        return now.deny("mirror_unknown", command.source_id)
    return [_embedded(command.source_id, command.model, command.vector)]


@derived
def regrade_event(now: DecisionContext, command: RegradeEvent) -> list[AnyEvent]:
    if now.shelves.get(mirror.SHELF, command.source_id) is None:
        return now.deny("mirror_unknown", command.source_id)
    return [
        Regraded(
            source_id=command.source_id, importance=command.importance, reasons=command.reasons
        )
    ]


@derived
def summarise_loop(now: DecisionContext, command: SummariseLoop) -> list[AnyEvent]:
    """One summary for each loop, however often it is finalised."""
    if now.shelves.get(mirror.SUMMARIES, command.loop_id):
        return now.deny("summary_exists", command.loop_id)
    return [copied(LoopSummarised, command)]


@derived
def digest_loops(now: DecisionContext, command: DigestLoops) -> list[AnyEvent]:
    if any(now.shelves.get(mirror.DIGESTED, loop_id) for loop_id in command.loop_ids):
        return now.deny("digest_exists", command.digest_id)
    return [
        LoopsDigested(
            digest_id=command.digest_id, loop_ids=command.loop_ids, summary=command.summary
        )
    ]


@derived
def extract_skill(now: DecisionContext, command: ExtractSkill) -> list[AnyEvent]:
    """A skill is told again when something about it has changed, and not before."""
    told = copied(SkillExtracted, command.skill)
    known = now.shelves.get(mirror.SKILLS, told.skill_id)
    if known is not None and known.event == told:
        return now.deny("skill_exists", told.skill_id)
    return [told]


def _embedded(source_id: str, model: str, vector: bytes) -> Embedded:
    return Embedded(source_id=source_id, model=model, dims=len(vector), vector=vector)
