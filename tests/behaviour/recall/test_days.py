"""A question that names a day is answered by what was told then, and by what tells of it."""

import pytest

from muniment import Agent
from muniment.adapters.clock import ToldClock
from muniment.adapters.config import Settings, open_memory


def told(*lines: tuple[str, str]) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"days")).agent("ada", user="tuff")
    for day, text in lines:
        clock.set(f"2026-{day}T09:00:00.000Z")
        ada.remember(text)
    clock.set("2026-11-02T09:00:00.000Z")
    return ada


def found(ada: Agent, question: str) -> list[str]:
    return [hit.text for hit in ada.recall(question).hits]


LIFE = (
    ("02-10", "The dentist appointment is on 15 March at nine"),
    ("03-04", "I went to the zoo with Lena and we saw the elephants"),
    ("03-06", "I paid the electricity bill"),
    ("03-10", "The flight to Rome is on 15 March"),
    ("03-28", "I stopped eating meat"),
)


def test_what_was_told_on_the_day_stands_before_what_names_another_day_of_its_month() -> None:
    assert found(told(*LIFE), "What did I do on 4 March?")[0] == LIFE[1][1]


def test_what_tells_of_the_day_answers_whenever_it_was_told() -> None:
    assert {*found(told(*LIFE), "What is on 15 March?")[:2]} == {LIFE[0][1], LIFE[3][1]}


@pytest.mark.parametrize(
    ("question", "yesterday", "another"),
    [
        ("What did I do on 4 March?", "Yesterday I repaired my bike", "The fair is on 15 March"),
        ("Was habe ich am 4. März gemacht?", "Gestern war ich im Zoo", "Der Flug ist am 15. März"),
        ("Que s'est-il passé le 4 mars ?", "Hier je suis allée au zoo", "Le vol est le 15 mars"),
        ("Что было 4 марта?", "Вчера я ходила в зоопарк", "Рейс в Рим 15 марта"),
        ("3月4日に何をした？", "昨日、花子と動物園に行った", "ローマ行きの便は3月15日です"),
    ],
)
def test_a_text_is_of_the_day_that_it_counts_to(
    question: str, yesterday: str, another: str
) -> None:
    ada = told(("03-02", another), ("03-05", yesterday), ("03-09", another + "!"))

    assert found(ada, question)[0] == yesterday


def test_a_month_that_is_asked_for_is_still_a_word() -> None:
    ada = told(("01-10", "I will be in Porto in March"), ("02-02", "Tea is in the left drawer"))

    assert found(ada, "Where will I be in March?")[0] == "I will be in Porto in March"
