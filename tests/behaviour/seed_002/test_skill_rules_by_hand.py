"""Rules of skills by hand: which loops show one, what it says of them, and which ones are kept."""

import msgspec
import pytest

from muniment.model.kinds.episode import Value
from muniment.model.kinds.loop import EventKind, IdeticEvent, Visibility
from muniment.model.kinds.skill import Constant, Skill
from muniment.model.scope import Persona
from muniment.rules import skills

CALL, RESULT, FAILED = EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.ERROR
ASKED, ANSWERED = EventKind.USER_INPUT, EventKind.ACTOR_OUTPUT

Loop = list[IdeticEvent]


def event(kind: EventKind, content: Value = "", metadata: Value = None) -> IdeticEvent:
    return IdeticEvent(
        id="e",
        ts="",
        agent_id="ada",
        persona=Persona.ACTOR,
        loop_id="",
        kind=kind,
        visibility=Visibility.INTERNAL,
        content=content,
        metadata=metadata,
    )


def call(tool: Value = "search", args: Value = None) -> IdeticEvent:
    return event(CALL, metadata={"tool_name": tool, "tool_args": args})


def extracted(*loops: Loop, repeats: int = 2, most: int = 1_000) -> tuple[Skill, ...]:
    """The skills of these loops, which happened on one day after another."""
    told = [
        [
            msgspec.structs.replace(
                each, loop_id=f"loop:{day}", ts=f"2026-11-{day:02}T00:00:{n:02}.000Z"
            )
            for n, each in enumerate(loop)
        ]
        for day, loop in enumerate(loops, start=1)
    ]
    return skills.extract("ada", "tuff", told, repeats_min=repeats, skills_max=most)


def only(*loops: Loop, repeats: int = 2) -> Skill:
    (skill,) = extracted(*loops, repeats=repeats)
    return skill


# ── Which loops show a skill ────────────────────────────────────────────────────────────────────


LONG = "x" * 128


@pytest.mark.parametrize(
    "loop",
    [
        [call(LONG)],
        [call(args={LONG: 1})],
        [call()] * 64,
        [call(args={f"a{n}": n for n in range(64)})],
        [call(args={f"a{n}": n for n in range(32)}), call(args={f"b{n}": n for n in range(32)})],
    ],
    ids=["a long name", "a long argument", "64 steps", "64 arguments", "64 arguments of two"],
)
def test_a_procedure_may_be_as_long_as_its_limits(loop: Loop) -> None:
    assert len(extracted(loop, loop)) == 1


@pytest.mark.parametrize(
    "loop",
    [
        [event(ASKED, "Why?"), event(ANSWERED, "So.")],
        [call(LONG + "x")],
        [call(args={LONG + "x": 1})],
        [call(7)],
        [call("")],
        [event(CALL)],
        [call(), event(CALL, metadata=["search"])],
        [event(CALL), *[call()] * 64],
        [call()] * 65,
        [call(args={f"a{n}": n for n in range(65)})],
    ],
    ids=[
        "no call", "a name too long", "an argument too long", "a name that is a number",
        "an empty name", "no name", "one of two without a name", "one of 65 without a name",
        "65 steps", "65 arguments",
    ],
)  # fmt: skip
def test_a_loop_with_a_call_of_no_proper_name_or_beyond_a_limit_shows_no_skill(loop: Loop) -> None:
    assert extracted(loop, loop) == ()


# ── What it says ────────────────────────────────────────────────────────────────────────────────


def test_a_skill_has_the_same_name_wherever_and_whenever_it_is_extracted() -> None:
    loop = [call("search", {"to": "Faro", "seats": 2}), call("book")]

    assert only(loop, loop).skill_id == "skill:2a473c534cffad325a800eee971dcdd4"


def test_a_skill_of_somebody_else_has_another_name() -> None:
    loop = [call()]
    found = {
        each.skill_id
        for place in (("ada", "tuff"), ("ada", "ida"), ("bob", "tuff"))
        for each in skills.extract(*place, [loop, loop], repeats_min=2)
    }

    assert len(found) == 3


def test_a_tool_that_is_given_nothing_is_called_without_arguments() -> None:
    loop = [call("search", {"to": "Faro", "seats": 2}), call("book")]

    assert only(loop, loop).description == (
        'Call search with seats = 2 and to = "Faro", then book.'
    )


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("x" * 126, '"' + "x" * 126 + '"'),  # as JSON it has 128 characters
        ("x" * 127, ""),
        (["Faro"], ""),
        (None, "null"),
        (2, "2"),
    ],
)
def test_a_constant_is_told_where_it_is_short_and_simple(value: Value, kept: str) -> None:
    loop = [call(args={"to": value})]

    assert only(loop, loop).constants == (Constant(name="to", value=kept),)


def test_an_argument_without_a_name_is_the_value_of_its_call() -> None:
    assert only([call(args="Faro")], [call(args="Porto")]).parameters == ("value",)
    assert only([call(args="Faro")], [call(args="Faro")]).constants == (
        Constant(name="value", value='"Faro"'),
    )


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        ("booked", "text"),
        (True, "yes or no"),
        (4, "number"),
        ({"$fraction": "0.5"}, "number"),
        ([1, 2], "list"),
        ({"seat": 4, "at": "08:35"}, "object(at, seat)"),
        (None, "nothing"),
    ],
)
def test_a_skill_says_what_its_last_step_gives_back(content: Value, shape: str) -> None:
    loop = [call(), event(RESULT, "and before that"), call(), event(RESULT, content)]

    assert only(loop, loop).returns == shape


def test_a_skill_whose_loops_gave_back_nothing_or_unlike_things_does_not_say_what() -> None:
    assert only([call()], [call()]).returns == ""
    assert only([call(), event(RESULT, 1)], [call(), event(RESULT, "1")]).returns == ""


def test_an_example_tells_what_was_asked_and_answered_where_anything_was() -> None:
    asked, silent = only([event(ASKED, "A  ferry\nto Faro"), call()], [call()]).examples

    assert (asked.asked, asked.answered) == ("A ferry to Faro", "")
    assert (silent.asked, silent.answered) == ("", "")


def test_only_words_of_a_readable_length_are_its_preconditions_and_no_pseudonym() -> None:
    loop = [event(ASKED, f"book {LONG} {LONG}y [phone:0123456789abcdef]"), call()]

    assert only(loop, loop).preconditions == ("book", LONG)


def test_a_skill_says_what_the_last_three_errors_were_each_once_the_newest_last() -> None:
    worked: Loop = [call()]
    failed = [[call(), event(FAILED, said)] for said in ("full", "late", "storm", "closed", "late")]

    found = only(worked, worked, *failed)

    assert found.failed_with == ("storm", "closed", "late")
    assert found.failures == 5


def test_a_skill_was_last_seen_at_the_end_of_the_last_loop_that_worked() -> None:
    worked = [event(ASKED, "To Faro"), call(), event(RESULT, 1), event(ANSWERED, "Done.")]

    found = only(worked, worked, [call(), event(FAILED, "full")])

    assert found.last_seen == "2026-11-02T00:00:03.000Z"
    assert found.last_used == "2026-11-03T00:00:01.000Z"
    assert found.evidence == ("loop:1", "loop:2")


# ── How sure it is, and which are kept ──────────────────────────────────────────────────────────


def test_from_when_on_a_loop_is_a_use_depends_on_how_many_make_a_skill() -> None:
    loop: Loop = [call()]

    found = [only(*[loop] * 4, repeats=repeats).uses for repeats in (2, 3, 4)]

    assert found == [2, 1, 0]


def test_a_first_use_that_fails_halves_what_was_sure_and_rounds_down() -> None:
    outcomes = [False] * 4 + [True] * 3

    assert skills.confidence_ppm(outcomes) == (428_571, 0)
    assert skills.confidence_ppm([*outcomes, False]) == (214_285, 1)


def test_beyond_the_limit_the_least_sure_the_least_frequent_and_the_longest_unused_stay_out() -> (
    None
):
    def done(tool: str, *, fails: bool = False) -> Loop:
        return [call(tool), *[event(FAILED, "full")] * fails]

    loops = [
        done("rare and old"),
        done("rare and old"),
        done("unsure", fails=True),
        *[done("unsure")] * 3,
        *[done("frequent")] * 3,
        *[done("rare and new")] * 2,
    ]
    kept = {most: [each.name for each in extracted(*loops, most=most)] for most in range(5)}

    assert kept == {
        0: [],
        1: ["frequent"],
        2: ["frequent", "rare and new"],
        3: ["rare and old", "frequent", "rare and new"],
        4: ["rare and old", "unsure", "frequent", "rare and new"],
    }
