"""Rules of loops by hand: what an event weighs and why, and which event may follow which."""

import pytest

from muniment.layers.loop_events import OpenLoop
from muniment.model.kinds.loop import OF_THE_SUBCONSCIOUS, EventKind
from muniment.model.scope import Persona
from muniment.rules import event_importance, loop_order

WEIGHED = {
    EventKind.USER_INPUT: 4,
    EventKind.ERROR: 4,
    EventKind.ACTOR_OUTPUT: 3,
    EventKind.SUBCONSCIOUS_OUTPUT: 3,
    EventKind.TOOL_RESULT: 2,
    EventKind.SUBCONSCIOUS_PROMPT: 2,
    EventKind.TOOL_CALL: 1,
    EventKind.SYSTEM_EVENT: 1,
}


@pytest.mark.parametrize("kind", EventKind)
def test_an_event_weighs_what_its_kind_does(kind: EventKind) -> None:
    assert event_importance.grade(kind, "The tea is hot", others_alike=0) == (
        WEIGHED[kind],
        (f"kind:{kind}",),
    )


@pytest.mark.parametrize(
    "text",
    ["Actually it is Porto", "CORRECTION: Porto", "not Lisbon but Porto", "no, Porto",
     "Porto instead of Lisbon"],
)  # fmt: skip
def test_a_correction_of_the_user_weighs_two_more_and_one_of_a_tool_does_not(text: str) -> None:
    told = event_importance.grade(EventKind.USER_INPUT, text, others_alike=0)
    found = event_importance.grade(EventKind.TOOL_RESULT, text, others_alike=0)

    assert told == (6, ("kind:user_input", "user_correction"))
    assert found == (2, ("kind:tool_result",))


@pytest.mark.parametrize(("alike", "left"), [(0, 4), (1, 3), (3, 1), (4, 1), (9, 1)])
def test_what_others_say_as_well_weighs_less_and_never_nothing(alike: int, left: int) -> None:
    importance, reasons = event_importance.grade(EventKind.ERROR, "x", others_alike=alike)

    assert importance == left
    assert reasons == ("kind:error", *(["repetition"] * bool(alike)))


def test_it_is_lowered_by_three_at_most_and_never_beyond_seven() -> None:
    assert [event_importance.lowered(7, alike) for alike in (0, 2, 3, 4)] == [7, 5, 4, 4]
    assert event_importance.lowered(9, 0) == 7


# ── What may follow what ────────────────────────────────────────────────────────────────────────

ANSWERED = OpenLoop(events=3, inputs=1, calls=1, results=1, answers=1)


@pytest.mark.parametrize("kind", EventKind)
def test_after_the_answer_come_errors_and_words_of_the_system_alone(kind: EventKind) -> None:
    loop = OpenLoop(events=3, inputs=0, calls=2, results=1, answers=1)
    first = "" if kind in {EventKind.SYSTEM_EVENT, EventKind.ERROR} else "loop_is_answered"

    assert loop_order.refusal(kind, Persona.SUBCONSCIOUS, loop) == first


@pytest.mark.parametrize("kind", sorted(OF_THE_SUBCONSCIOUS))
def test_a_kind_of_the_subconscious_is_none_of_the_actors(kind: EventKind) -> None:
    loop = OpenLoop(events=1, inputs=1)

    assert loop_order.refusal(kind, Persona.ACTOR, loop) == "kind_of_the_other_persona"
    assert loop_order.refusal(kind, Persona.SUBCONSCIOUS, loop) == ""


@pytest.mark.parametrize(("events", "reason"), [(4_095, ""), (4_096, "loop_too_long")])
def test_a_loop_has_room_for_so_many_events(events: int, reason: str) -> None:
    loop = OpenLoop(events=events, inputs=1)

    assert loop_order.refusal(EventKind.TOOL_CALL, Persona.ACTOR, loop) == reason


@pytest.mark.parametrize(
    ("loop", "kind", "reason"),
    [
        (OpenLoop(), EventKind.USER_INPUT, ""),
        (OpenLoop(inputs=1), EventKind.USER_INPUT, "loop_has_its_input"),
        (OpenLoop(inputs=1), EventKind.ACTOR_OUTPUT, ""),
        (OpenLoop(calls=1), EventKind.TOOL_RESULT, ""),
        (OpenLoop(), EventKind.TOOL_RESULT, "tool_result_without_call"),
        (OpenLoop(calls=1, results=1), EventKind.TOOL_RESULT, "tool_result_without_call"),
        (OpenLoop(calls=1, results=1), EventKind.TOOL_CALL, ""),
        (ANSWERED, EventKind.USER_INPUT, "loop_has_its_input"),
        (ANSWERED, EventKind.TOOL_RESULT, "tool_result_without_call"),
    ],
)
def test_one_input_comes_and_a_result_behind_its_call(
    loop: OpenLoop, kind: EventKind, reason: str
) -> None:
    assert loop_order.refusal(kind, Persona.ACTOR, loop) == reason
