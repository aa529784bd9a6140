"""What a loop writes down of an event, and what a collection derives from it: whole entries."""

from typing import Any

import msgspec
import pytest
from tests import deciding
from tests.deciding import context, denied, placed

from muniment.engine.decide import loops
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import mirror
from muniment.layers.handed_out import HandedOut
from muniment.layers.loop_events import OpenLoop
from muniment.model import ids
from muniment.model.commands import AnyCommand
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
from muniment.model.kinds.loop import EventKind, Mark, Visibility
from muniment.model.kinds.skill import Skill
from muniment.model.scope import collection_stream
from muniment.model.struct_copy import copied
from muniment.model.text import fingerprints

PLACE = collection_stream(deciding.ADA)
JOB = deciding.job(subject="tuff")
CALL = ObserveEvent(
    kind=EventKind.TOOL_CALL,
    visibility=Visibility.EXTERNAL,
    content={"q": "ferry"},
    metadata={"tool_name": "search"},
)
SEEN = MirrorEvent(
    source_id="event-1",
    source_seq=4,
    loop_id="loop:1",
    kind=EventKind.USER_INPUT,
    visibility=Visibility.EXTERNAL,
    ts="2026-03-05T14:30:00.000Z",
    summary="book a table",
    importance=7,
    model="hashing",
)
MIRRORED = copied(Mirrored, SEEN, status="pending_embedding")
SUMMARY = SummariseLoop(
    loop_id="loop:1",
    source_seq=9,
    ts_start="2026-03-05T14:30:00.000Z",
    ts_end="2026-03-05T14:31:00.000Z",
    summary="a table was booked",
    mirror_ids=("ltm:event-1",),
    marks=(Mark(kind=EventKind.USER_INPUT, visibility=Visibility.EXTERNAL),),
    complete=True,
)
SKILL = Skill(
    skill_id="skill:1",
    name="book",
    preconditions=("table",),
    steps=("search", "book"),
    parameters=("day",),
    constants=(),
    frequency=3,
    confidence_ppm=900_000,
    evidence=("loop:1",),
    last_seen="2026-03-05T14:31:00.000Z",
)


def observed(command: ObserveEvent, **known: Any) -> list[AnyEvent]:  # noqa: ANN401
    return loops.observe(context(command, **{"jobs": [JOB], **known}), command)


def derived(command: AnyCommand, **shelves: AnyEvent) -> list[AnyEvent]:
    """What a collection says, where something lies on its shelves under the name of the loop."""
    kept = {(shelf, name): event for shelf, event in shelves.items() for name in names(command)}
    found: list[AnyEvent] = DECISIONS[type(command)](
        context(command, stream=PLACE, shelves=kept), command
    )
    return found


DECISIONS: dict[type, Any] = {
    MirrorEvent: loops.mirror_event,
    DeferMirror: loops.defer_mirror,
    EmbedEvent: loops.embed_event,
    RegradeEvent: loops.regrade_event,
    SummariseLoop: loops.summarise_loop,
    DigestLoops: loops.digest_loops,
    ExtractSkill: loops.extract_skill,
}


def names(command: AnyCommand) -> tuple[str, ...]:
    found = (getattr(command, each, "") for each in ("source_id", "loop_id"))
    return (*found, *getattr(command, "loop_ids", ())[-1:], SKILL.skill_id)


# ── An event of a loop ──────────────────────────────────────────────────────────────────────────


def test_an_event_is_kept_whole_with_its_number_its_loop_and_its_person() -> None:
    assert observed(CALL, loops={JOB.number: OpenLoop(events=4)}) == [
        EventObserved(
            n=5,
            loop_id=ids.loop_id(deciding.REF, "seed-2", deciding.OPENED_AT),
            kind=EventKind.TOOL_CALL,
            visibility=Visibility.EXTERNAL,
            ts=ids.time_text(1_790_000_000_005),  # of its own entry, the fifth of the job
            content={"q": "ferry"},
            metadata={"tool_name": "search"},
            subject="tuff",
        )
    ]


def test_an_event_is_of_the_moment_and_the_person_that_are_told() -> None:
    command = ObserveEvent(
        kind=EventKind.ERROR, visibility=Visibility.INTERNAL, content="x", subject="bea"
    )

    (found,) = observed(command, received={"at": "2026-03-05T14:30:00.000Z"})

    assert isinstance(found, EventObserved)
    assert (found.ts, found.subject) == ("2026-03-05T14:30:00.000Z", "bea")
    assert (found.n, found.visibility) == (1, Visibility.INTERNAL)


def test_without_a_job_there_is_no_event() -> None:
    assert observed(CALL, jobs=[]) == denied("needs_an_open_job")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (EventKind.TOOL_RESULT, "tool_result_without_call"),
        (EventKind.SUBCONSCIOUS_PROMPT, "kind_of_the_other_persona"),
    ],
)
def test_an_event_out_of_order_is_refused_with_the_reason(kind: EventKind, reason: str) -> None:
    command = ObserveEvent(kind=kind, visibility=Visibility.INTERNAL, content="x")

    assert observed(command) == denied(reason)


def test_the_order_is_that_of_its_own_loop_alone() -> None:
    command = ObserveEvent(kind=EventKind.TOOL_RESULT, visibility=Visibility.INTERNAL, content="x")
    other = {JOB.number + 1: OpenLoop(events=1, calls=1)}

    assert observed(command, loops=other) == denied("tool_result_without_call")


@pytest.mark.parametrize(
    ("kind", "echo"), [(EventKind.USER_INPUT, None), (EventKind.TOOL_RESULT, "ctx:1")]
)
def test_of_what_memory_gave_out_a_receipt_is_named_and_the_rest_is_kept(
    kind: EventKind, echo: str | None
) -> None:
    line = "The ferry to Lisbon leaves at eight."
    given = HandedOut(receipt="ctx:1", about=(), codes=fingerprints.of_lines([line]))
    said = ObserveEvent(
        kind=kind, visibility=Visibility.INTERNAL, content=f"{line}\nAnd there is a bus."
    )

    (found,) = observed(said, handed_out=(given,), loops={JOB.number: OpenLoop(events=1, calls=1)})

    assert isinstance(found, EventObserved)
    assert found.content == said.content
    assert found.own_words == (None if echo is None else "And there is a bus.")
    assert found.echo_of == (echo or "")


def test_an_event_of_a_job_is_seen_inside_unless_somebody_says_otherwise() -> None:
    found = loops.observed(context(jobs=[JOB]), 3, EventKind.USER_INPUT, "said", {"k": 1})

    assert (found.n, found.visibility) == (3, Visibility.INTERNAL)
    assert (found.content, found.metadata, found.own_words) == ("said", {"k": 1}, None)


# ── What is derived from it ─────────────────────────────────────────────────────────────────────

DEFER = DeferMirror(source_id="event-1", reason="derivation_failed")
EMBED = EmbedEvent(source_id="event-1", model="hashing", vector=b"\x01\x02\x03")
REGRADE = RegradeEvent(source_id="event-1", importance=9, reasons=("answered",))
DIGEST = DigestLoops(digest_id="digest:1", loop_ids=("loop:1", "loop:2"), summary="two loops")
SKILLED = ExtractSkill(skill=SKILL)


WHOLE: dict[type, AnyEvent] = {
    MirrorEvent: MIRRORED,
    DeferMirror: MirrorDeferred(
        source_id="event-1", status="pending_derivation", reason="derivation_failed"
    ),
    EmbedEvent: Embedded(source_id="event-1", model="hashing", dims=3, vector=b"\x01\x02\x03"),
    RegradeEvent: Regraded(source_id="event-1", importance=9, reasons=("answered",)),
    SummariseLoop: copied(LoopSummarised, SUMMARY),
    DigestLoops: LoopsDigested(
        digest_id="digest:1", loop_ids=("loop:1", "loop:2"), summary="two loops"
    ),
    ExtractSkill: copied(SkillExtracted, SKILL),
}


def whole(command: AnyCommand) -> AnyEvent:
    return WHOLE[type(command)]


@pytest.mark.parametrize("command", [SEEN, DEFER, SUMMARY, DIGEST, SKILLED])
def test_what_is_new_is_kept_whole(command: AnyCommand) -> None:
    assert derived(command) == [whole(command)]


@pytest.mark.parametrize("command", [EMBED, REGRADE])
def test_what_is_of_a_mirror_entry_is_kept_whole_where_that_is(command: AnyCommand) -> None:
    assert derived(command, **{mirror.SHELF: MIRRORED}) == [whole(command)]
    assert derived(command) == denied("mirror_unknown", "event-1")


def test_a_mirror_entry_with_a_vector_says_so_and_the_vector_follows() -> None:
    command = msgspec.structs.replace(SEEN, vector=b"\x01\x02")

    assert derived(command) == [
        copied(Mirrored, SEEN, status="embedded"),
        Embedded(source_id="event-1", model="hashing", dims=2, vector=b"\x01\x02"),
    ]


@pytest.mark.parametrize(
    ("command", "shelf", "reason", "name"),
    [
        (SEEN, mirror.SHELF, "mirror_exists", "event-1"),
        (DEFER, mirror.SHELF, "mirror_exists", "event-1"),
        (SUMMARY, mirror.SUMMARIES, "summary_exists", "loop:1"),
        (DIGEST, mirror.DIGESTED, "digest_exists", "digest:1"),
        (SKILLED, mirror.SKILLS, "skill_exists", "skill:1"),
    ],
)
def test_what_is_there_is_not_derived_again(
    command: AnyCommand, shelf: str, reason: str, name: str
) -> None:
    assert derived(command, **{shelf: whole(command)}) == denied(reason, name)


def test_a_skill_that_has_changed_is_told_again() -> None:
    before = copied(SkillExtracted, SKILL, frequency=2)

    assert derived(SKILLED, **{mirror.SKILLS: before}) == [whole(SKILLED)]


@pytest.mark.parametrize("command", [SEEN, DEFER, EMBED, REGRADE, SUMMARY, DIGEST, SKILLED])
def test_outside_of_a_collection_nothing_is_derived(command: AnyCommand) -> None:
    now: DecisionContext = context(command, jobs=[JOB], shelves={("", ""): placed(MIRRORED)})

    assert DECISIONS[type(command)](now, command) == denied("not_a_collection")
