"""Whom a question means by "my brother" is told on by name, and the later word answers first."""

from collections.abc import Sequence

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

TALK = (
    "Could you write me a haiku about rain?",
    "The printer is jammed again",
    "We watched a film about whales, it was slow",
    "How long do eggs boil?",
    "I found a coin in the park",
)
# A question, and what was told one after the other: the last word is the answer.
TOLD_ON = (
    (
        "What does my brother do?",
        "My brother Tomas is a baker",
        "Tomas closed the bakery and now drives a tram in Antwerp",
    ),
    ("Where does my wife work?", "My wife Ana works at Bosch", "Ana started at Siemens in May"),
    ("Who is my wife's employer?", "My wife Ana works at Bosch", "Ana started at Siemens in May"),
    ("Who is my boss?", "My boss is Ivo", "Ivo left, Petra runs the team now"),
    (
        "Where does my daughter go to school?",
        "My daughter Lea goes to school in Graz",
        "Lea moved to the school in Linz",
    ),
    (
        "What does my son want to be?",
        "My son Emil wants to be a pilot",
        "Emil says he would rather be a vet",
    ),
    ("What does my uncle drive?", "My uncle Karl drives a Volvo", "Karl bought a Tesla"),
    # No table knows these roles: the name stands behind the word.
    ("What does my flatmate study?", "My flatmate Bo studies physics", "Bo switched to chemistry"),
    (
        "Where does my landlord live?",
        "My landlord Mr Keller lives upstairs",
        "Keller moved to Mallorca",
    ),
    # Who they are was told by itself.
    ("What does my sister do?", "My sister's name is Nadia", "Nadia is a midwife"),
    (
        "What is my sister's job?",
        "My sister's name is Nadia",
        "Nadia is a midwife",
        "Nadia retrained as a florist",
    ),
    # Names of animals end and change like other values.
    (
        "What is my dog's name?",
        "My dog is called Biscuit",
        "Biscuit ran off; we adopted a greyhound called Comet",
        "Comet is called Nova now",
    ),
    (
        "What is my hamster called?",
        "My hamster is named Pip",
        "We renamed Pip to Pippa because it's a girl",
    ),
    (
        "Was macht mein Bruder?",
        "Mein Bruder Tomas ist Bäcker",
        "Tomas hat die Bäckerei geschlossen und fährt jetzt Straßenbahn in Antwerpen",
    ),
    (
        "Wo arbeitet meine Frau?",
        "Meine Frau Ana arbeitet bei Bosch",
        "Ana hat im Mai bei Siemens angefangen",
    ),
    (
        "Wie heißt unsere Katze?",
        "Unsere Katze heißt Mimi",
        "Mimi ist weggelaufen, wir haben jetzt Tiger",
    ),
    ("¿Dónde trabaja mi mujer?", "Mi mujer Ana trabaja en Bosch", "Ana empezó en Siemens en mayo"),
    ("¿Cómo se llama mi perro?", "Mi perro se llama Toby", "Toby se escapó y adoptamos a Luna"),
    ("Где живёт моя сестра?", "Моя сестра Катя живёт в Твери", "Катя переехала в Казань"),
    ("Как зовут мою кошку?", "Мою кошку зовут Мурка", "Мурка убежала, теперь у нас Рыжик"),
)
# A question, its answer, and what was told later of somebody by name, but of something else.
OF_SOMETHING_ELSE = (
    ("Where does my wife work?", "My wife Ana works at Bosch", "Ana has a new hairdresser"),
    ("Where does my wife work?", "My wife Ana works at Bosch", "Ana stopped drinking coffee"),
    ("What does my brother do?", "My brother Tomas is a baker", "Tomas bought a new bike"),
    ("What does my brother do?", "My brother Tomas is a baker", "Tomas quit smoking"),
    ("How old is my son?", "My son Emil is 6 years old", "Emil plays football now"),
    ("What is my cat called?", "My cat is called Minka", "Minka has kittens now"),
    ("Where does my grandmother live?", "My grandmother Rosa lives in Gijón", "Rosa broke her hip"),
    ("What does my uncle drive?", "My uncle Karl drives a Volvo", "Karl bought a new house"),
    # It is not Karl who moves.
    (
        "Where does my brother live?",
        "My brother Karl lives in Munich",
        "Ruth moved to be near Karl",
    ),
)


def told(lines: Sequence[str]) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"names")).agent("ada", user="tuff")
    for day, line in enumerate([*lines[:1], *TALK, *lines[1:]], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line)
    return ada


@pytest.mark.parametrize("lines", TOLD_ON, ids=[f"{each[0]} {each[-1]}" for each in TOLD_ON])
def test_the_later_word_about_a_name_answers_for_kin(lines: Sequence[str]) -> None:
    question, *said = lines
    ada = told(said)

    assert ada.recall(question).hits[0].text == said[-1]


@pytest.mark.parametrize(
    ("question", "answer", "later"), OF_SOMETHING_ELSE, ids=[each[2] for each in OF_SOMETHING_ELSE]
)
def test_what_else_is_told_of_a_name_does_not_take_the_place_of_the_answer(
    question: str, answer: str, later: str
) -> None:
    ada = told([answer, later])

    assert ada.recall(question).hits[0].text == answer


def test_the_score_says_that_the_later_word_revises_and_the_receipt_gives_it_again() -> None:
    ada = told(["My brother Tomas is a baker", "Tomas closed the bakery and now drives a tram"])

    answer = ada.recall("What does my brother do?", explain=True)

    assert answer.hits[0].terms["revises"] > 0
    assert answer.receipt.basis is not None
    assert ("Tomas", "") in answer.receipt.basis.bridges
    ada.flush()
    assert ada.recall_again(ada.seq).receipt == answer.receipt


def test_a_question_without_kin_reads_no_relations() -> None:
    ada = told(["My brother Tomas is a baker"])

    basis = ada.recall("Where is the coin?").receipt.basis
    assert basis is not None
    assert basis.bridges == ()
