"""A turn: tools are tracked, goals advanced, mandates heard, the budget told, the end exported."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import pytest
from tests import world

from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure_scan import Residue
from muniment.engine.streams.parts import Parts, World
from muniment.engine.streams.ports import Clock, MemorySpool, Neighbours, SilentClock
from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.model import ids
from muniment.model.errors import InputError, JobClosedError, NotFoundError, RefusedError
from muniment.model.events import Received
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import ExportRecorded, GoalAdvanced, MandatesObserved
from muniment.model.kinds.episode import Goal
from muniment.model.kinds.memo import Mandate, MemoType, Template
from muniment.model.kinds.turn_export import StateExport
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating
from muniment.model.scope import agent_stream

START_MS = 1_790_000_000_000


class Readers:
    """Keeps what it is told; fails as often as it was told to, at each target."""

    def __init__(self, **failures: int) -> None:
        self.failures = failures
        self.told: list[tuple[str, StateExport]] = []
        self.asked: list[str] = []

    def export(self, target: str, told: StateExport) -> None:
        self.asked.append(target)
        if self.failures.get(target, 0) > 0:
            self.failures[target] -= 1
            raise OSError(f"{target} is away")
        self.told.append((target, told))

    @property
    def targets(self) -> list[str]:
        return [target for target, _ in self.told]


class Voices:
    """A consciousness and a frontal cortex that say what they are given to say."""

    def __init__(self, mandates: Sequence[Mandate] = (), aims: Sequence[Goal] = ()) -> None:
        self.said = mandates
        self.aims = aims

    def mandates(self, agent: str) -> Sequence[Mandate]:
        assert agent == "ada"
        return self.said

    def templates(self, agent: str) -> Sequence[Template]:
        return (Template(section="working", text=f"What {agent} is at:"),)

    def goals(self, agent: str, user: str) -> Sequence[Goal]:
        assert (agent, user) == ("ada", "tuff")
        return self.aims


def opened(
    neighbours: Neighbours | None = None,
    policy: Policy | None = None,
    clock: Clock | None = None,
) -> Memory:
    parts = Parts(
        store=ScratchStore(),
        world=World(keyring=world.CountedKeyring()),
        clock=clock or SilentClock(),
        spool=MemorySpool(),
        policy=policy or Policy(),
        neighbours=neighbours or Neighbours(),
    )
    return Memory(parts, scanner=lambda _: Residue(files=0, found=(), digest=""))


def turn(memory: Memory, seed: str = "seed-1") -> Job:
    return memory.agent("ada", user="tuff").job(seed, session="s")


# ── Tools ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-008", "D-060", "D-061", "D-162", "D-163")
def test_a_tracked_call_is_a_pair_of_the_loop_and_a_memo_in_episodic_memory() -> None:
    memory = world.memory()
    job = turn(memory)

    told = job.track_tool_invocation("grep", {"for": "port"}, {"lines": 3})

    assert told.stored
    (memo,) = job.memos("EM")
    assert memo.id == told.id
    assert (memo.type, memo.source) == (MemoType.TOOL_RESULT, "tool")
    assert memo.text == 'grep {"for":"port"} gave {"lines":3}'
    call, result = [e for e in world.lines(memory) if isinstance(e.event, EventObserved)]
    assert isinstance(call.event, EventObserved)
    assert isinstance(result.event, EventObserved)
    assert (call.event.kind, result.event.kind) == ("tool_call", "tool_result")
    assert call.event.metadata == {"tool_name": "grep", "tool_args": {"for": "port"}}
    assert result.event.metadata == {"tool_call_id": call.header.id}


def test_a_call_that_failed_is_an_error_and_matters_more() -> None:
    memory = world.memory()
    job = turn(memory)
    went_well = job.track_tool_invocation("grep", {"for": "port"}, "3 lines")

    failed = job.track_tool_invocation("grep", {"for": "[a"}, None, "no such pattern")

    assert job.memo(failed.id).text == 'grep {"for":"[a"} failed: no such pattern'
    assert job.memo(failed.id).importance > job.memo(went_well.id).importance
    kinds = [e.kind for e in world.events(memory) if isinstance(e, EventObserved)]
    assert kinds == ["tool_call", "tool_result", "tool_call", "error"]


def test_tracked_calls_are_what_skills_are_learned_from() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    for city in ("Lisbon", "Porto", "Faro"):
        with ada.do(f"Please book a ferry to {city}") as doing:
            doing.track_tool_invocation("search", {"to": city}, "at eight")
            doing.track_tool_invocation("book", {"ferry": city}, "booked")
            doing.answer("done")

    (skill,) = ada.skills()

    assert skill.steps == ("search", "book")


@pytest.mark.covers("D-081")
def test_tools_are_tracked_unless_the_policy_says_no() -> None:
    assert Policy().gating.enable_tool_tracking
    memory = world.memory(Policy(gating=Gating(enable_tool_tracking=False)))
    job = turn(memory)

    told = job.track_tool_invocation("grep", {"for": "port"}, "3 lines")

    assert not told.stored
    assert told.routing.reasons == ("tool_tracking_disabled",)
    assert job.memos("EM") == []


@pytest.mark.parametrize(
    ("name", "error"), [("", ""), (7, ""), ("grep", None), ("grep", 7), (None, "")]
)
def test_a_call_without_a_meaning_is_not_tracked(name: object, error: object) -> None:
    memory = world.memory()
    job = turn(memory)
    try:
        told = job.track_tool_invocation(name, None, None, error)  # type: ignore[arg-type]
    except InputError:
        pass
    else:
        assert not told.stored
    assert job.memos("EM") == []


# ── The budget ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-066", "D-067", "D-157")
def test_a_turn_begins_with_a_budget_and_says_what_is_left_of_it() -> None:
    policy = Policy(gating=Gating(turn_milliseconds_max=90))
    memory = opened(clock=world.SteppingClock(), policy=policy)
    ada = memory.agent("ada", user="tuff")
    ada.remember("the port of the build is 5432")
    job = ada.job("seed-1", budget=300)
    at_first = job.get_budget_status()

    context = job.assemble_context("which port", 100)
    job.memorize({"type": "observation", "text": "the port is taken"})
    status = job.get_budget_status()

    assert (at_first.budget_tokens, at_first.tokens_used) == (300, 0)
    assert at_first.tokens_remaining == 300
    assert 0 < context.tokens <= 100
    assert status.tokens_used == context.tokens
    assert status.tokens_remaining == 300 - context.tokens
    assert status.events > at_first.events
    assert status.time_used_ms > at_first.time_used_ms > 0
    assert status.time_budget_ms == 90
    assert status.kept_tokens == status.working_tokens == 5


@pytest.mark.covers("D-003", "D-057")
def test_a_budget_that_is_used_up_is_reported_and_stops_no_write() -> None:
    job = world.memory().agent("ada", user="tuff").job("seed-1", budget=1)
    job.memorize({"type": "observation", "text": "the port is taken"})
    job.assemble_context("which port", 500)

    told = job.memorize({"type": "fact", "text": "ports are numbers"})

    assert job.get_budget_status().tokens_remaining == 0
    assert told.stored


# ── Goals and mandates ──────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-043", "D-076")
def test_progress_is_written_only_by_who_has_seen_the_goal_as_it_is() -> None:
    memory = world.memory()
    job = turn(memory)
    job.set_goal("g", "fix the build")
    (goal,) = job.goals()

    moved = job.advance_goal("g", 0.25, expected_version=goal.version, note="found the cause")
    with pytest.raises(RefusedError) as told:
        job.advance_goal("g", 0.5, expected_version=goal.version)

    assert (moved.version, moved.progress_ppm) == (2, 250_000)
    assert (told.value.reason, told.value.detail) == ("goal_version_moved", "2")
    assert job.goals() == [moved]
    assert job.advance_goal("g", 0.9, expected_version=2).progress_ppm == 1_000_000
    assert job.advance_goal("g", -0.5, expected_version=3).progress_ppm == 500_000
    history = [e.version for e in world.events(memory) if isinstance(e, GoalAdvanced)]
    assert history == [2, 3, 4]
    with pytest.raises(RefusedError):
        job.advance_goal("h", 0.5, expected_version=1)


def lived_minutes(memory: Memory, item_id: str) -> dict[str, int]:
    """What has happened to an item, and how many minutes after the beginning."""
    trail = memory.auditor().trail(agent_stream("main", "ada"), item_id)
    return {
        name: (ids.time_ms(moment) - START_MS) // 60_000
        for name, moment in msgspec.structs.asdict(trail.lifecycle).items()
        if moment
    }


@pytest.mark.covers("D-048")
def test_an_item_tells_when_it_was_made_read_changed_and_deleted() -> None:
    clock = world.StillClock(START_MS)
    memory = world.memory(clock=clock)
    ada = memory.agent("ada", user="tuff")
    life = partial(lived_minutes, memory)
    with turn(memory) as job:
        memo = job.memorize({"type": "fact", "text": "the port is 5432", "importance": 0.9}).id
    said = ada.remember("the ferry leaves at nine").episodic_id
    assert life(memo) == life(said) == {"created": 0}
    clock.later(minutes=5)
    ada.recall("Which port, and when does the ferry leave?")
    ada.flush()
    assert life(memo) == life(said) == {"created": 0, "accessed": 5}
    clock.later(minutes=5)
    turn(memory, "seed-2").mark_memo(memo, 0.95, reason="it was asked for")
    assert life(memo) == {"created": 0, "accessed": 5, "modified": 10}
    clock.later(minutes=5)
    ada.forget(memo)
    ada.forget(said)
    assert life(memo) == {"created": 0, "accessed": 5, "modified": 10, "deleted": 15}
    assert life(said) == {"created": 0, "accessed": 5, "deleted": 15}
    clock.later(minutes=5)
    ada.restore(memo)
    ada.restore(said)
    assert life(memo) == life(said) == {"created": 0, "accessed": 5, "modified": 20}


@pytest.mark.covers("D-076")
def test_a_memory_is_marked_as_important_wherever_it_lies() -> None:
    memory = world.memory()
    job = turn(memory)
    told = job.memorize({"type": "observation", "text": "the port is taken", "importance": 0.4})

    job.mark_memo(told.id, 0.95, reason="it explains the failure")

    assert job.memo(told.id).importance == 0.95
    assert job.memos("WM")[0].importance == 0.95
    assert job.memos("EM")[0].importance == 0.95
    assert job.memos("EM", at=told.seq)[0].importance == 0.4
    with pytest.raises(RefusedError):
        job.mark_memo("01ARZ3NDEKTSV4RRFFQ69G5FAV", 0.5)


@pytest.mark.covers("D-075")
def test_mandates_influence_routing_and_context_and_are_logged_as_heard() -> None:
    mandate = Mandate(
        name="safety first",
        text="Never touch production without asking",
        types=(MemoType.ACTION,),
        places=("SM",),
        importance_ppm=800_000,
    )
    memory = opened(Neighbours(consciousness=Voices([mandate])))
    with turn(memory) as job:
        told = job.memorize({"type": "action", "text": "restarted the server", "importance": 0.1})
        context = job.assemble_context("what may I do", 400)

    assert told.routing.places == ("SM",)
    assert told.routing.reasons == ("mandate",)
    assert told.routing.rules == ("safety first",)
    assert told.routing.scores.importance == 800_000
    assert "Never touch production without asking" in context.text
    turn(memory, "seed-2").commit()
    heard = [event for event in world.events(memory) if isinstance(event, MandatesObserved)]
    assert [each.mandates for each in heard] == [(mandate,)], "what is no news is not said again"


def test_goals_are_read_from_the_frontal_cortex_when_a_turn_begins() -> None:
    cortex = Voices(aims=[Goal(goal_id="g", text="fix the build", priority=2)])
    memory = opened(Neighbours(frontal_cortex=cortex))
    with turn(memory) as job:
        assert [(goal.goal_id, goal.version) for goal in job.goals()] == [("g", 1)]
    cortex.aims = [Goal(goal_id="g", text="fix the build today", priority=2)]

    again = turn(memory, "seed-2")

    assert [(goal.text, goal.version) for goal in again.goals()] == [("fix the build today", 2)]
    memory.prove()


# ── Commit ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-064", "D-065", "D-166", "D-167", "D-168")
def test_a_commit_returns_what_was_written_and_three_exports() -> None:
    readers = Readers()
    memory = opened(Neighbours(exporter=readers))
    job = turn(memory)
    job.set_goal("g", "fix the build")
    seen = job.memorize({"type": "observation", "text": "the port is taken"})
    fact = job.memorize({"type": "fact", "text": "the build needs port 5432"})
    job.memorize({"type": "fact", "text": "the build needs port 5432"})
    job.advance_goal("g", 0.5, expected_version=1, note="cause found")
    job.mark_memo(seen.id, 0.9)

    told = job.commit()

    assert told.confirmed
    assert (told.writes.memos, told.writes.declined) == (2, 1)
    assert told.writes.places == {"EM": 1, "SM": 1, "WM": 1}
    export = told.export
    assert [memo.id for memo in export.episodic_exports] == [seen.id]
    assert [memo.id for memo in export.semantic_exports] == [fact.id]
    assert [memo.id for memo in export.scratch_page_updates] == [seen.id]
    goals = [(each.expected_version, each.version) for each in export.fc_updates.goals]
    assert goals == [(0, 1), (1, 2)]
    assert [each.memo_id for each in export.fc_updates.important] == [seen.id]
    assert (export.agent_id, export.turn_id) == ("ada", "1")
    assert "the port is taken" in export.turn_summary
    assert readers.targets == ["episodic", "semantic", "frontal_cortex"]
    assert told.delivered == ("episodic", "semantic", "frontal_cortex")
    assert all(each == export for _, each in readers.told)


def test_an_export_says_the_day_on_which_its_turn_began() -> None:
    memory = opened(clock=world.SteppingClock())

    export = turn(memory).commit().export

    began = next(event.at for event in world.events(memory) if isinstance(event, Received))
    assert export.timestamp == began


def test_an_export_that_fails_is_tried_again_and_never_blocks_the_turn() -> None:
    readers = Readers(episodic=1, semantic=5)
    memory = opened(Neighbours(exporter=readers))
    job = turn(memory)
    job.memorize({"type": "fact", "text": "ports are numbers"})

    told = job.commit()

    assert told.confirmed
    assert told.delivered == ("episodic", "frontal_cortex")
    assert told.failed == ("semantic",)
    assert readers.asked.count("episodic") == readers.asked.count("semantic") == 2

    readers.failures.clear()
    later = turn(memory, "seed-2").commit()

    assert readers.targets[2] == "semantic"
    assert readers.told[2][1].export_id == told.export.export_id
    assert later.failed == ()
    recorded = [e for e in world.events(memory) if isinstance(e, ExportRecorded)]
    assert [(each.turn, each.failed) for each in recorded] == [(1, ("semantic",)), (1, ()), (2, ())]
    memory.prove()


def test_a_turn_that_is_ended_again_under_its_key_answers_alike_and_exports_once() -> None:
    readers = Readers()
    memory = opened(Neighbours(exporter=readers))
    job = turn(memory)
    job.memorize({"type": "fact", "text": "ports are numbers"})

    first = job.commit(key="end")
    again = job.commit(key="end")

    assert again == first
    assert len(readers.told) == 3
    with pytest.raises(JobClosedError):
        job.memorize({"type": "fact", "text": "too late"})


def test_a_turn_that_kept_nothing_exports_nothing_of_its_own() -> None:
    told = turn(world.memory()).commit()

    assert told.export.episodic_exports == told.export.semantic_exports == ()
    assert told.writes.memos == 0


# ── Transcripts and traces ──────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-079")
def test_a_transcript_becomes_episodes_in_order_in_one_append() -> None:
    memory = world.memory()
    job = turn(memory)
    said = [
        {"speaker": "user", "text": "Which port does the build use?", "turn_number": 1},
        {"speaker": "agent", "text": "It uses port 5432."},
        {"speaker": "user", "text": "Thanks, and mail bob@example.com."},
    ]

    told = job.transcribe("phone", said, transcript_id="call-7")

    memos = list(reversed(job.memos("EM")))
    assert [memo.id for memo in memos] == [each.id for each in told]
    assert [memo.chunk_index for memo in memos] == [0, 1, 2]
    assert {memo.parent_id for memo in memos} == {"call-7"}
    assert [memo.source for memo in memos] == ["user", "model", "user"]
    assert "bob@example.com" not in memos[2].text
    assert isinstance(memos[0].metadata, dict)
    assert memos[0].metadata["channel"] == "phone"
    with pytest.raises(InputError):
        job.transcribe("phone", [{"speaker": "ghost", "text": "boo"}])


@pytest.mark.covers("D-011", "D-042", "D-077")
def test_every_memory_operation_of_a_turn_is_in_its_trace_reads_included() -> None:
    memory = world.memory()
    job = turn(memory)
    job.set_goal("g", "fix the build")
    kept = job.memorize({"type": "observation", "text": "the port is taken"})
    job.memorize({"type": "fact", "text": "x", "importance": 0})
    job.track_tool_invocation("grep", {"for": "port"}, "3 lines")
    job.recall("which port")
    job.assemble_context("which port", 100)
    job.mark_memo(kept.id, 0.9)
    job.forget_memos("EM", f"memory id:{kept.id}")
    job.restore_memo(kept.id)
    job.advance_goal("g", 0.5, expected_version=1)

    trace = job.trace()

    operations = [step.operation for step in trace]
    for wanted in (
        "memo_kept",
        "memo_declined",
        "idetic_event",
        "memory_recall",
        "context_assembled",
        "memo_marked",
        "memos_forgotten",
        "memo_shelved",
        "goal_advanced",
    ):
        assert wanted in operations
    assert [step.seq for step in trace] == sorted(step.seq for step in trace)
    first = next(step for step in trace if step.operation == "memo_kept")
    assert first.detail["places"] == ["EM", "WM"]
    assert first.detail["scores"] == msgspec.to_builtins(kept.routing.scores)
    assert {step.kind for step in trace} >= {"Decision", "ToolInvocation", "Observation"}
    own = [line.seq for line in world.lines(memory) if line.header.job == job.number]
    assert [step.seq for step in trace] == own


class Read(ScratchStore):
    """A store that knows which entries were read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.seqs: list[int] = []

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        for entry in super().read(stream, after=after, upto=upto, limit=limit):
            self.seqs.append(entry.seq)
            yield entry


def test_the_trace_of_an_ended_job_reads_no_further_than_that_job() -> None:
    store = Read()
    memory = world.memory(store=store)
    ada = memory.agent("ada", user="tuff")
    for n in range(3):
        with ada.job(f"seed-{n}") as job:
            job.memorize({"type": "observation", "text": f"the port {n} is taken"})
            ada.memorize({"type": "observation", "text": f"said beside it, for the {n}th time"})
    lines = world.lines(memory)
    own = [line.seq for line in lines if line.header.job == 3]
    store.seqs.clear()

    trace = ada.turn_trace(3)

    assert [step.seq for step in trace] == own
    assert {"job_opened", "memo_kept", "job_closed"} <= {step.operation for step in trace}
    assert min(store.seqs) == own[0]
    assert max(store.seqs) <= own[-1] + 1
    with pytest.raises(NotFoundError):
        ada.turn_trace(2)  # what was said beside the first job is none of these
    with pytest.raises(NotFoundError):
        memory.agent("ada", user="ann").turn_trace(3)
