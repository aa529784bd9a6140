"""The lines of a loop's summary: which are kept, what each says, and when a loop is complete."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import memory

from muniment.model.kinds.loop import EventKind, IdeticEvent, Mark, Visibility
from muniment.model.scope import Persona
from muniment.rules import loop_compaction

ASKED, ANSWERED = EventKind.USER_INPUT, EventKind.ACTOR_OUTPUT
CALL, RESULT = EventKind.TOOL_CALL, EventKind.TOOL_RESULT
SYSTEM = EventKind.SYSTEM_EVENT


def event(
    kind: EventKind, content: object = "", metadata: object = None, own: str | None = None
) -> IdeticEvent:
    return IdeticEvent(
        id="e",
        ts="",
        agent_id="ada",
        persona=Persona.ACTOR,
        loop_id="loop:1",
        kind=kind,
        visibility=Visibility.INTERNAL,
        content=content,
        metadata=metadata or {},
        own_words=own,
    )


def call(tool: str, args: object = None) -> IdeticEvent:
    return event(CALL, f"{tool}()", {"tool_name": tool, "tool_args": args})


def lines(*events: IdeticEvent) -> list[str]:
    compacted = [loop_compaction.compact(each) for each in events]
    return loop_compaction.summarise(events, compacted).splitlines()


def steps(count: int, start: int = 0) -> list[IdeticEvent]:
    return [event(SYSTEM, f"step {n}") for n in range(start, start + count)]


# ── Which lines are kept ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after", "first"),
    [
        (0, 49, ["user_input: Why?", "system_event: step 0", "system_event: step 1"]),
        (0, 60, ["user_input: Why?", "system_event: step 11", "system_event: step 12"]),
        (1, 48, ["system_event: step 0", "user_input: Why?", "system_event: step 1"]),
        (1, 49, ["user_input: Why?", "system_event: step 1", "system_event: step 2"]),
        (30, 30, ["system_event: step 11", "system_event: step 12", "system_event: step 13"]),
    ],
)
def test_of_a_long_loop_the_last_lines_are_told_and_once_its_task(
    before: int, after: int, first: list[str]
) -> None:
    found = lines(*steps(before), event(ASKED, "Why?"), *steps(after, before))

    assert found[:3] == first
    assert found[-1] == f"system_event: step {before + after - 1}"
    assert len(found) == 50
    assert found.count("user_input: Why?") == 1


def test_of_a_long_loop_without_a_task_the_last_fifty_lines_are_told() -> None:
    assert lines(*steps(60)) == [f"system_event: step {n}" for n in range(10, 60)]


def test_of_two_tasks_the_first_is_told_however_long_ago_it_was() -> None:
    found = lines(event(ASKED, "Why?"), event(EventKind.SUBCONSCIOUS_PROMPT, "When?"), *steps(60))

    assert found[:2] == ["user_input: Why?", "system_event: step 11"]


@pytest.mark.covers("C-038")
def test_a_loop_of_many_long_results_still_tells_what_was_asked_and_answered() -> None:
    ada = memory().agent("ada", user="tuff")
    with ada.do("Look up the tides") as doing:
        for n in range(25):
            said = f"Station {n} reports a calm sea and {n} metres of water. " * 6
            doing.tool_result(doing.tool_call(f"station_{n}", {"said": said}), said)
        doing.answer("High water is at noon.")

    (found,) = ada.fuzzy_query("tides")
    told = found.summary.summary.splitlines()

    assert told[0] == "user_input: Look up the tides"
    assert told[-1] == "actor_output: High water is at noon."
    assert told[-2].startswith("tool_result: Station 24 reports")
    assert 7_600 < len(found.summary.summary) <= 8_000


@pytest.mark.parametrize(("length", "count"), [(3_984, 2), (3_985, 1)])
def test_a_summary_is_full_at_its_last_character(length: int, count: int) -> None:
    """Another compactor may tell more of an event than the built-in one."""
    told = loop_compaction.summarise(steps(2), ["x" * length, "y" * 3_987])

    assert [line[14] for line in told.splitlines()] == ["x", "y"][-count:]
    assert len(told) == (8_000 if count == 2 else 4_001)


def test_one_line_that_is_longer_than_a_summary_is_cut() -> None:
    told = loop_compaction.summarise(steps(2), ["x" * 10_000, "y" * 10_000])

    assert told == "system_event: " + "y" * 7_985 + "…"


@given(
    st.lists(
        st.tuples(st.sampled_from([ASKED, RESULT, ANSWERED]), st.integers(0, 900)), max_size=80
    )
)
def test_any_summary_keeps_order_and_both_limits(said: list[tuple[EventKind, int]]) -> None:
    events = [event(kind) for kind, _ in said]
    whole = [f"{kind}: {n:04}{'x' * length}" for n, (kind, length) in enumerate(said)]

    told = loop_compaction.summarise(events, [line.partition(": ")[2] for line in whole])

    kept = told.splitlines()
    assert kept == [line for line in whole if line in kept]
    assert kept[-1:] == whole[-1:]
    assert len(kept) <= 50
    assert len(told) <= 8_000
    task = [line for line in whole if line.startswith(ASKED)][:1]
    assert kept[:1] in (task, whole[-len(kept) :][:1])
    assert set(task) <= set(kept)


# ── Like calls ──────────────────────────────────────────────────────────────────────────────────


def answered(tool: str, n: int) -> list[IdeticEvent]:
    return [call(tool, {"day": n}), event(RESULT, f"{tool} said {n}")]


def test_four_like_calls_are_one_line_with_the_last_result_and_three_are_not() -> None:
    tides = [each for n in range(4) for each in answered("tides", n)]
    moons = [each for n in range(3) for each in answered("moon", n)]

    assert lines(event(ASKED, "Why?"), *tides, *moons, event(ANSWERED, "So.")) == [
        "user_input: Why?",
        "tool_call: tides, 4 times",
        "tool_result: tides said 3",
        "tool_call: moon with day: 0",
        "tool_result: moon said 0",
        "tool_call: moon with day: 1",
        "tool_result: moon said 1",
        "tool_call: moon with day: 2",
        "tool_result: moon said 2",
        "actor_output: So.",
    ]


def test_two_runs_of_like_calls_behind_each_other_are_two_lines() -> None:
    found = lines(*[call("tides")] * 5, *[call("moon")] * 4)

    assert found == ["tool_call: tides, 5 times", "tool_call: moon, 4 times"]


def test_calls_that_began_together_are_told_with_the_last_result_of_all() -> None:
    results = [event(RESULT, f"said {n}") for n in range(3)]

    assert lines(*[call("tides")] * 4, *results) == [
        "tool_call: tides, 4 times",
        "tool_result: said 2",
    ]


def test_the_last_result_is_told_also_where_the_last_call_had_none() -> None:
    tides = [each for n in range(3) for each in answered("tides", n)]

    assert lines(*tides, call("tides")) == [
        "tool_call: tides, 4 times",
        "tool_result: tides said 2",
    ]


def test_like_calls_end_where_anything_else_happened() -> None:
    failed = event(EventKind.ERROR, "offline")

    found = lines(*[call("tides")] * 2, failed, *[call("tides")] * 2)

    assert found == [*["tool_call: tides"] * 2, "error: offline", *["tool_call: tides"] * 2]


def test_calls_of_no_named_tool_are_told_one_by_one() -> None:
    assert lines(*[event(CALL, "look it up")] * 4) == ["tool_call: look it up"] * 4


# ── What a line says ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (call("tides", {"day": 3, "at": "Brest"}), "tool_call: tides with at: Brest, day: 3"),
        (call("tides"), "tool_call: tides"),
        (call("", {"day": 3}), "tool_call: ()"),
        (event(CALL, "tides!", "not a mapping"), "tool_call: tides!"),
        (event(RESULT, {"high": "noon"}, {"tool_name": "tides"}), "tool_result: high: noon"),
        (event(CALL, "a", {"tool_name": "tides"}, own="what I add"), "tool_call: what I add"),
        (event(RESULT, {"high": "noon"}, own="what I add"), "tool_result: what I add"),
        (event(CALL, "tides", {"tool_name": "tides"}, own=""), "tool_call: tides"),
    ],
    ids=[
        "a call with what it was given", "a call that was given nothing", "a tool without a name",
        "metadata of another kind", "a result", "own words of a call", "own words of a result",
        "a call that repeats a context",
    ],
)  # fmt: skip
def test_a_line_tells_a_tool_with_its_arguments_a_value_in_pairs_and_own_words_as_they_are(
    told: IdeticEvent, line: str
) -> None:
    assert lines(told) == [line]


def test_what_only_repeats_a_context_has_no_line() -> None:
    told = [
        event(ASKED, "When?"),
        event(RESULT, "noon", own=""),
        event(ANSWERED, "At noon.", own=""),
    ]

    assert lines(*told) == ["user_input: When?"]


def test_a_call_with_long_arguments_is_cut_to_the_length_of_a_line() -> None:
    (found,) = lines(call("tides", {"at": "Brest " * 60}))

    assert found.startswith("tool_call: tides with at: Brest Brest")
    assert 250 < len(found.removeprefix("tool_call: ")) <= 280


def test_what_was_said_on_several_lines_is_compacted_to_one() -> None:
    said = event(ASKED, "Why is\n\n  the sea salty?\t" + "Tell me. " * 60)

    found = loop_compaction.compact(said)

    assert found.startswith("Why is the sea salty? Tell me. Tell me.")
    assert len(found) <= 280


def test_another_compactors_word_stands_as_it_is() -> None:
    told = loop_compaction.summarise([call("tides", {"day": 3})], ["the tides were looked up"])

    assert told == "tool_call: the tides were looked up"


# ── What a loop is ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kinds", "complete"),
    [
        ([ASKED, ANSWERED], True),
        ([ASKED, CALL, RESULT, ANSWERED], True),
        ([EventKind.SUBCONSCIOUS_PROMPT, EventKind.SUBCONSCIOUS_OUTPUT], True),
        ([ASKED, CALL, ANSWERED], False),
        ([ASKED, CALL, CALL, RESULT, ANSWERED], False),
        ([ASKED, RESULT, ANSWERED], False),
        ([ANSWERED], False),
        ([ASKED, CALL, RESULT], False),
        ([], False),
    ],
)
def test_a_loop_is_complete_with_its_input_its_answer_and_a_result_for_each_call(
    *, kinds: list[EventKind], complete: bool
) -> None:
    assert loop_compaction.is_complete([event(each) for each in kinds]) is complete


def test_a_loop_has_each_pair_of_kind_and_visibility_once() -> None:
    found = loop_compaction.marks([event(RESULT), event(CALL), event(RESULT)])

    assert found == tuple(
        Mark(kind=each, visibility=Visibility.INTERNAL) for each in (CALL, RESULT)
    )


def test_a_digest_counts_what_more_than_one_loop_was_about() -> None:
    asked = ["user_input: Why?\nactor_output: So.", "user_input: When?", "user_input: Why?"]

    assert loop_compaction.digest(asked) == "user_input: Why? (2 times)\nuser_input: When?"


def test_a_digest_is_cut_at_two_thousand_characters() -> None:
    assert loop_compaction.digest(["x" * 1_000, "y" * 999]) == "x" * 1_000 + "\n" + "y" * 999
    assert loop_compaction.digest(["x" * 1_000, "y" * 1_000])[-1] == "…"
