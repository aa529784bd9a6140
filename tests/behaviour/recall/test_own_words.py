"""Of the things of a life, a person's own word stands above what a machine says of it later."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

CLAIMED = (
    ("¿A qué tengo alergia?", "Mi alergia es a los cacahuetes.", "Formulario: alergia a el látex"),
    ("建国做什么工作？", "我的朋友建国是面包师。", "建国的主页：焊工"),
    ("What am I allergic to?", "I'm allergic to peanuts.", "Form: allergic to latex"),
)


def told(stated: str, claimed: str) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"own")).agent("ada", user="tuff")
    clock.set("2026-03-01T09:00:00.000Z")
    ada.remember("Thanks, that helps")
    ada.remember(stated)
    clock.set("2026-03-02T09:00:00.000Z")
    ada.remember(claimed, origin="tool")
    return ada


@pytest.mark.parametrize(("question", "stated", "claimed"), CLAIMED)
def test_what_a_form_says_otherwise_comes_behind_what_the_person_said(
    question: str, stated: str, claimed: str
) -> None:
    found = [hit.text for hit in told(stated, claimed).recall(question).hits]

    assert found[:2] == [stated, claimed]


@pytest.mark.parametrize(
    ("question", "stated", "claimed"),
    [
        ("¿A qué tengo alergia?", "Mi alergia es a las nueces.", "Ahora la alergia es a el látex"),
        ("What does Bo do?", "I wonder what Bo does.", "Bo: welder at the docks"),
        ("Where is the chair?", "I bought a chair.", "Chair: aisle 9"),
    ],
)
def test_what_says_that_it_has_changed_or_is_no_thing_of_a_life_is_weighed_as_before(
    question: str, stated: str, claimed: str
) -> None:
    hits = told(stated, claimed).recall(question, explain=True).hits

    assert all("own_word" not in hit.terms for hit in hits)
