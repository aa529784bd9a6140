"""In a loop the task and the call only ask: what the tool gave back answers."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

# A task, the tool with what it was asked, and what it gave back.
LOOPS = (
    (
        "Find out when the train to Graz leaves",
        ("timetable", "train Graz"),
        "Train RJ 533 to Graz departs 14:05 from platform 7",
    ),
    (
        "Check how much the dishwasher costs",
        ("web_search", "dishwasher price"),
        '{"item":"dishwasher Bosch SMV4","price":"649 EUR","shop":"Krall"}',
    ),
    (
        "Reserviere einen Tisch für Freitag",
        ("buchung", "Tisch Freitag"),
        "Bestätigt: Tisch für zwei in der Trattoria Lupo, Freitag 19:30, Code KX81",
    ),
)
ASKED = (
    ("When does the train to Graz leave?", 0),
    ("From which platform does the train to Graz leave?", 0),
    ("How much does the dishwasher cost?", 1),
    ("Wo ist der Tisch für Freitag?", 2),
    ("Für wann ist der Tisch reserviert?", 2),
)


def lived() -> tuple[Agent, ToldClock]:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"loops")).agent("ada", user="tuff")
    for day, (task, (tool, wanted), result) in enumerate(LOOPS, start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        with ada.do(task) as loop:
            loop.tool_result(loop.tool_call(tool, {"q": wanted}), result)
            loop.answer("Done.")
    return ada, clock


@pytest.mark.parametrize(("question", "number"), ASKED)
def test_what_a_tool_gave_back_is_before_the_task_that_asked_for_it(
    question: str, number: int
) -> None:
    ada, _ = lived()

    assert ada.recall(question).hits[0].text == LOOPS[number][2]


def test_a_task_that_states_something_is_no_request_for_what_a_tool_says() -> None:
    ada, clock = lived()
    clock.set("2026-03-09T09:00:00.000Z")
    stated = "My dentist appointment is on March 14"
    with ada.do(stated) as loop:
        call = loop.tool_call("calendar", {"q": "dentist"})
        loop.tool_result(call, "Calendar import: dentist appointment on April 3")
        loop.answer("Noted.")

    assert ada.recall("When is my dentist appointment?").hits[0].text == stated


def test_a_result_without_a_word_of_the_question_stays_behind() -> None:
    ada, clock = lived()
    clock.set("2026-03-09T09:00:00.000Z")
    with ada.do("Water the orchids on Sunday") as loop:
        loop.tool_result(loop.tool_call("lamp", {"q": "off"}), "Error 503: try again later")
        loop.answer("Sure.")

    assert ada.recall("When do the orchids need water?").hits[0].text.startswith("Water the")
