"""A question that names a day is answered by what was told then, and by what tells of it."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.model import ids
from muniment.retrieval.dates import valid_from


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
    ada = told(("01-10", "I will be in Porto in March"), ("02-02", "Tea is in the left namespace"))

    assert found(ada, "Where will I be in March?")[0] == "I will be in Porto in March"


# ── What lies ahead ─────────────────────────────────────────────────────────────────────────────

IN_MARCH = "2026-03-14T09:00:00.000Z"


def written(number: int) -> str:
    return ids.day_text(number)[:10]


@pytest.mark.parametrize(
    "plan",
    [
        "The flight is on 15 May",
        "The flight from Hamburg to Lisbon is on Friday, 15 May at 10:00",
        "I went to the doctor. The next visit's on May 15",
        "My eye doctor is Dr Lund, appointment on 15 May at 14:00",
        "The course starts on 15 May",
        "The report is due by 15 May",
        "The deadline is 15 May",
        "I booked a table for 15 May",
        "The meeting was moved to 15 May",
        "Der Flug nach Rom geht am Freitag, den 15. Mai um 10 Uhr",
        "Am 15. Mai ist die Hochzeit von Lena",
        "Der Zahnarzt hat den Termin auf den 15. Mai um 15:30 Uhr verschoben",
        "Ich habe einen Tisch für den 15. Mai reserviert",
        "Notre rendez-vous est le vendredi 15 mai",
        "Le rendez-vous est reporté au 15 mai",
        "La boda es el viernes 15 de mayo",
        "La reunión está prevista para el 15 de mayo",
    ],
)
def test_a_plan_tells_of_the_next_such_day_and_stands_since_it_was_told(plan: str) -> None:
    assert written(valid_from.tells_of(plan, IN_MARCH)) == "2026-05-15"
    assert written(valid_from.day(plan, IN_MARCH)) == "2026-03-14"


@pytest.mark.parametrize(
    "past",
    [
        "The wedding was on 15 May",
        "This picture is from 15 May",
        "He is dead since 15 May",
        "It is true that I paid on 15 May",
        "The car is broken, it happened on 15 May",
        "I had an appointment on 15 May",
        "There is a scratch from the accident on 15 May",
        "The invoice of 15 May is on the desk",
        "There's a note about what happened on 15 May",
        "Das Paket ist am 15. Mai bei mir angekommen",
        "Ich habe am 15. Mai den Vertrag unterschrieben",
        "Die Rechnung ist vom 15. Mai und liegt hier",
        "Er ist seit dem 15. Mai krank",
        "Il est mort le 15 mai",
        "La photo est du 15 mai et je l'aime",
        "La boda fue el 15 de mayo",
        "La foto es del 15 de mayo y me gusta",
    ],
)
def test_what_is_over_tells_of_the_last_such_day(past: str) -> None:
    assert written(valid_from.day(past, IN_MARCH)) == "2025-05-15"


@pytest.mark.parametrize(
    ("beginning", "day"),
    [
        ("From May on the rent is 950", "2026-05-01"),
        ("As of 1 April the office is closed", "2026-04-01"),
        ("The rent will be 950 from next month", "2026-04-01"),
        ("Ab dem 3. Mai arbeite ich bei Airbus", "2026-05-03"),
    ],
)
def test_what_begins_on_a_day_ahead_is_not_so_before(beginning: str, day: str) -> None:
    assert written(valid_from.day(beginning, IN_MARCH)) == day


def test_a_plan_is_read_on_every_day_since_it_was_told_and_by_its_day() -> None:
    flight = "The flight to Lisbon is on 15 May"
    ada = told(("03-14", flight), ("03-15", "Tea is in the left namespace"))

    for day, known in (("2026-03-13", []), ("2026-03-20", [flight]), ("2026-06-20", [flight])):
        hits = ada.recall("When is the flight?", valid_at=day).hits
        assert [hit.text for hit in hits if hit.text == flight] == known, day
    assert found(ada, "What is on 15 May 2026?")[0] == flight
    assert ada.recall("What is on 15 May 2026?", explain=True).hits[0].terms["date"] > 0


def test_a_plan_that_is_put_right_stands_since_the_first_word_of_it() -> None:
    ada = told(("03-14", "The flight is on 15 May"))
    first = ada.recall("When is the flight?").hits[0]
    ada.correct(first.id, "The flight is on 16 December")

    (hit,) = ada.recall("When is the flight?", valid_at="2026-03-20").hits
    assert hit.text == "The flight is on 16 December"
    terms = ada.recall("What is on 16 December 2026?", explain=True).hits[0].terms
    assert terms["date"] > 0
