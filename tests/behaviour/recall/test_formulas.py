"""What the agent says again and again answers nothing, and takes no place from what people said."""

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

FORMULA = "I have noted that; tell me if I can help with anything else at work or at home."
TOLD = (
    "I work at the harbour.",
    "My sister Anna lives in Oslo.",
    "The boiler was serviced in May.",
    "My car is a Clio.",
)


def talked(turns: list[tuple[str, str]], *, user: str = "tuff") -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"formulas")).agent("ada", user=user)
    talk = ada.conversation(session="talk")
    for day, (said, answered) in enumerate(turns, start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        talk.record(user=said, ai=answered)
    return ada


def test_a_formula_stands_behind_whatever_people_said() -> None:
    ada = talked([(each, FORMULA) for each in [*TOLD, *(f"Thing {n} was odd" for n in range(20))]])

    found = [hit.text for hit in ada.recall("Where do I work?", limit=3).hits]

    assert found[0] == TOLD[0]
    assert FORMULA not in found
    assert ada.recall("anything else at home", explain=True, limit=30).hits, "it is not lost"


def test_what_was_said_once_or_twice_is_no_formula() -> None:
    ada = talked([(TOLD[0], FORMULA), (TOLD[1], FORMULA), (TOLD[2], "Good."), (TOLD[3], "Good.")])

    assert FORMULA in [hit.text for hit in ada.recall("Can you help with anything?", limit=3).hits]


def test_what_answers_the_same_question_each_time_is_found_by_it() -> None:
    asked, answer = "When is my dentist appointment?", "The dentist expects you on Tuesday at 3 pm."
    ada = talked([(asked, answer), (TOLD[0], "Good."), (asked, answer), (asked, answer)])

    assert answer in [hit.text for hit in ada.recall(asked, limit=3).hits]
    assert answer in str(ada.context(asked, budget=200))


def test_what_a_person_says_again_and_again_is_no_formula() -> None:
    ada = talked([(TOLD[0], f"Good, {n}.") for n in range(5)])

    (first, *_) = ada.recall("Where do I work?", explain=True).hits

    assert first.text == TOLD[0]
    assert first.said >= 5
    assert "echo" not in first.terms


def test_a_formula_says_in_its_terms_that_it_has_nothing_for_its_words() -> None:
    ada = talked([(each, FORMULA) for each in TOLD])

    found = {hit.text: hit for hit in ada.recall("help at work", explain=True, limit=20).hits}

    assert found[FORMULA].terms["echo"] < 0
    assert found[FORMULA].said == len(TOLD)
