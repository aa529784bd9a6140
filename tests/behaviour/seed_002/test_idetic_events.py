"""Idetic memory: every event of a loop, literally, by id and by time."""

from collections.abc import Iterator

import pytest
from tests import world
from tests.world import SteppingClock

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.model.commands.loops import ObserveEvent
from muniment.model.errors import InputError, JobClosedError, NotFoundError, RefusedError
from muniment.model.events.loops import EventObserved
from muniment.model.kinds.loop import EventKind, IdeticEvent, Visibility
from muniment.model.scope import Persona, agent_stream

KINDS = [
    "user_input",
    "actor_output",
    "tool_call",
    "tool_result",
    "subconscious_prompt",
    "subconscious_output",
    "system_event",
    "error",
]

TOOL = {"q": "ferry", "seats": 2.5}


@pytest.fixture
def memory() -> Memory:
    return world.memory(clock=SteppingClock())


@pytest.fixture
def ada(memory: Memory) -> Agent:
    return memory.agent("ada", user="tuff")


def loop(ada: Agent) -> list[str]:
    with ada.do("Find the ferry to Lisbon") as doing:
        call = doing.tool_call("search", TOOL)
        doing.tool_result(call, ["08:00", "12:00"])
        doing.answer("There is one at eight.")
    return [line.header.id for line in ada.get_range() if line.header.type == "idetic_event"]


@pytest.mark.covers("C-009", "C-010..C-018")
def test_an_event_has_every_required_field(memory: Memory, ada: Agent) -> None:
    with ada.job(trace_id="t") as job:
        event_id = job.observe_event("tool_call", {"tool": "x"}, {"why": "asked"})
        event = memory.actor_view("ada").get_by_id(event_id)

    line = ada.get_by_id(event_id)
    assert isinstance(line.event, EventObserved)
    assert event == IdeticEvent(
        id=event_id,
        ts=line.event.ts,
        agent_id="ada",
        persona=Persona.ACTOR,
        loop_id=job.loop_id,
        kind=EventKind.TOOL_CALL,
        visibility=Visibility.INTERNAL,
        content={"tool": "x"},
        metadata={"why": "asked"},
    )
    assert event.ts.startswith("2026-")  # observed once at the edge
    assert event.loop_id.startswith("loop:")


@pytest.mark.covers("C-019..C-026", "C-015")
@pytest.mark.parametrize("kind", KINDS)
def test_each_of_the_eight_kinds_is_kept_under_its_name(memory: Memory, kind: str) -> None:
    below = memory.subconscious("ada")
    with below.job() as job:
        if kind == "tool_result":
            job.observe_event("tool_call", "first")
        event_id = job.observe_event(kind, "said")

    assert below.view.get_by_id(event_id).kind == kind


def test_there_are_exactly_eight_kinds() -> None:
    assert [kind.value for kind in EventKind] == KINDS


def test_an_unknown_kind_or_visibility_is_no_event(ada: Agent) -> None:
    with ada.job() as job:
        with pytest.raises(InputError):
            job.observe_event("feedback", "x")
        with pytest.raises(InputError):
            job.observe_event("error", "x", visibility="secret")
        assert job.observe_event("error", "x", visibility="external")


@pytest.mark.covers("C-006", "C-032")
def test_an_event_is_read_back_literally_by_its_id(memory: Memory, ada: Agent) -> None:
    said = "naïve   café —\n東京 🗼"
    with ada.do(said) as doing:
        call = doing.tool_call("search", TOOL)
        result = doing.tool_result(call, {"found": [1, 2.5, None]})
    view = memory.actor_view("ada")

    first = view.get_range()[0]
    assert view.get_by_id(first.id).content == said
    assert view.get_by_id(call).content == 'search {"q":"ferry","seats":2.5}'
    assert view.get_by_id(call).metadata == {"tool_name": "search", "tool_args": TOOL}
    assert view.get_by_id(result).content == {"found": [1, 2.5, None]}
    with pytest.raises(NotFoundError):
        view.get_by_id("nothing")


def test_an_id_is_looked_up_and_not_searched_for() -> None:
    class Counting(ScratchStore):
        read_entries = 0

        def read(
            self,
            stream: str,
            *,
            after: int = 0,
            upto: int | None = None,
            limit: int | None = None,
        ) -> Iterator[Entry]:
            Counting.read_entries += 1
            return super().read(stream, after=after, upto=upto, limit=limit)

    memory = world.memory(store=Counting())
    ada = memory.agent("ada")
    (first, *_) = loop(ada)
    for _ in range(30):
        loop(ada)
    Counting.read_entries = 0

    ada.get_by_id(first)
    memory.actor_view("ada").get_by_id(first)
    assert Counting.read_entries == 0


@pytest.mark.covers("C-006", "C-033", "C-011")
def test_events_are_read_by_a_range_of_time_both_ends_included(memory: Memory, ada: Agent) -> None:
    loop(ada)
    ids = loop(ada)
    view = memory.actor_view("ada")
    times = [view.get_by_id(each).ts for each in ids]
    assert times == sorted(times)

    assert [event.id for event in view.get_range(times[2], times[5])] == ids[2:6]
    assert [event.id for event in view.get_range(times[6])] == ids[6:]
    assert [event.id for event in view.get_range(end_ts=times[0])] == ids[:1]
    assert view.get_range(times[5], times[2]) == []
    # On the agent itself two texts are moments, and two numbers are places.
    between = [line.header.id for line in ada.get_range(times[2], times[5])]
    assert [each for each in between if each in ids] == ids[2:6]
    assert [line.seq for line in ada.get_range(3, 5)] == [3, 4, 5]


@pytest.mark.covers("C-006", "C-036")
def test_what_was_kept_is_never_changed(memory: Memory, ada: Agent) -> None:
    loop(ada)
    before = [(line.hash, line.event) for line in ada.get_range()]
    loop(ada)
    memory.subconscious("ada").dream()
    memory.rebuild()

    assert [(line.hash, line.event) for line in ada.get_range()][: len(before)] == before
    assert all(proof.entries for proof in memory.prove())


@pytest.mark.covers("C-017")
def test_literal_means_as_stored_and_what_is_private_is_stored_redacted(
    memory: Memory, ada: Agent
) -> None:
    with ada.do("call +1 415 555 2671") as doing:
        with pytest.raises(RefusedError) as refused:
            doing.note("my password is correct-horse-77")
        doing.answer({"to": "+1 415 555 2671"})
    events = memory.actor_view("ada").get_range()

    assert refused.value.reason == "privacy_deny_sensitive"
    assert [event.kind for event in events] == ["user_input", "actor_output"]
    assert "[phone:" in str(events[0].content)
    assert "415" not in repr(events)
    assert "[phone:" in repr(memory.subconscious_view("ada").get_range())


def test_a_task_that_is_refused_leaves_no_open_job(memory: Memory, ada: Agent) -> None:
    with pytest.raises(RefusedError):
        ada.do("my password is correct-horse-77")

    desk = world.hub(memory).writer(agent_stream("main", "ada")).desk
    assert desk.jobs.open == {}


@pytest.mark.covers("C-014", "C-029")
def test_a_loop_has_its_name_from_the_start_and_each_task_a_new_one(
    memory: Memory, ada: Agent
) -> None:
    first, second = ada.do("one"), ada.do("two")
    view = memory.actor_view("ada")

    assert first.loop_id != second.loop_id
    assert [event.loop_id for event in view.get_range()] == [first.loop_id, second.loop_id]
    named = first.loop_id
    first.answer("done")
    first.commit()
    assert first.loop_id == named
    assert {event.loop_id for event in view.get_range()} == {first.loop_id, second.loop_id}


@pytest.mark.covers("C-030")
def test_a_loop_has_one_input_paired_calls_and_a_closing_answer(memory: Memory, ada: Agent) -> None:
    with ada.do("find it") as doing:
        refusals = []
        for kind in ("tool_result", "user_input"):
            with pytest.raises(RefusedError) as refused:
                doing.observe_event(kind, "x")
            refusals.append(refused.value.reason)
        for n in range(2):
            doing.tool_result(doing.tool_call("search", {"n": n}), n)
        with pytest.raises(RefusedError):
            doing.tool_result("nothing", "once too often")
        doing.answer("here")
        with pytest.raises(RefusedError) as refused:
            doing.answer("and here")
        doing.note("closing")
    kinds = [event.kind for event in memory.actor_view("ada").get_range()]

    assert refusals == ["tool_result_without_call", "loop_has_its_input"]
    assert refused.value.reason == "loop_is_answered"
    assert kinds == [
        "user_input",
        *["tool_call", "tool_result"] * 2,
        "actor_output",
        "system_event",
    ]
    with pytest.raises(JobClosedError):
        doing.note("too late")


def test_an_exception_in_a_loop_is_kept_as_an_error(memory: Memory, ada: Agent) -> None:
    with pytest.raises(ZeroDivisionError), ada.do("divide"):
        raise ZeroDivisionError("by nothing")
    events = memory.actor_view("ada").get_range()

    assert [event.kind for event in events] == ["user_input", "error"]
    assert events[1].content == "ZeroDivisionError: by nothing"
    assert not memory.actor_view("ada").loops()[0].complete


def test_nothing_is_observed_outside_of_a_job(memory: Memory, ada: Agent) -> None:
    command = ObserveEvent(kind=EventKind.ERROR, visibility=Visibility.INTERNAL, content="x")
    told = ada._session.append(command)

    assert told.refusal is not None
    assert told.refusal.reason == "needs_an_open_job"
    assert memory.actor_view("ada").get_range() == []


@pytest.mark.covers("C-013", "C-023", "C-024")
def test_the_actor_cannot_say_what_only_the_subconscious_says(ada: Agent) -> None:
    with ada.job() as job:
        for kind in ("subconscious_prompt", "subconscious_output"):
            with pytest.raises(RefusedError) as refused:
                job.observe_event(kind, "x")
            assert refused.value.reason == "kind_of_the_other_persona"
