"""Who corrects what they have just said need not say again what it is about."""

from collections.abc import Callable

import pytest
from tests.world import SteppingClock, memory

from muniment.engine.api.agent import Agent
from muniment.model.languages.phrases import correction_words

CORRECTED = (
    (
        "The review is Thursdays at 14:00",
        "No sorry, 14:30",
        "What time is the review?",
    ),
    ("The kiln cost 900 euros", "no, 700", "What did the kiln cost?"),
    ("We meet at the Blue Anchor", "no wait, the Red Lion", "Where do we meet?"),
    ("My sister's name is Hannah", "Sorry, Johanna", "What is my sister's name?"),
    ("The operation is on 3 February", "Scratch that, no date yet", "When is the operation?"),
    ("Das Sofa hat 900 Euro gekostet", "Quatsch, 700", "Was hat das Sofa gekostet?"),
    ("El armario costó 340 euros", "ay no, perdona, 430", "¿Cuánto costó el armario?"),
    ("L'acciaio è costato 270 euro", "anzi no, 720", "Quanto è costato l'acciaio?"),
    ("Le four a coûté 480 euros", "non, pardon, 840", "Combien a coûté le four ?"),
    ("Meu forno custou 480 euros", "ou melhor, 840", "Quanto custou o forno?"),
    ("De oven kostte 480 euro", "ik bedoel 840", "Wat kostte de oven?"),
    ("Золото обошлось в 7400", "ой нет, 4700", "Во сколько обошлось золото?"),
    ("拉坯机花了八千六", "说错了，是六千八", "拉坯机花了多少钱？"),
    ("新しい炉は四十八万円だった", "あ、違う、八十四万円でした", "新しい炉はいくらだった？"),
)
NO_CORRECTIONS = (
    "no thanks",
    "No, I don't think so",
    "Sorry, I'm late!",
    "Actually that is fine",
    "No problem at all",
    "nein danke",
    "Correction, the rent of the flat is 950 euros",
    "Actually our plumber is called Marta",
    "I mean, the weather is terrible in Bergen",
    "Sorry, what did you say about Monday?",
    "no, " + "and then we went to the market and bought all the pears that Ottoline had left " * 2,
)


def told(*texts: str) -> Agent:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada


def told_in_a_conversation(*texts: str) -> Agent:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in texts:
        ada.conversation(session="talk").record(user=text, ai="Noted.")
    return ada


@pytest.mark.parametrize("door", [told, told_in_a_conversation])
@pytest.mark.parametrize(("said", "correction", "question"), CORRECTED)
def test_a_correction_without_a_subject_corrects_what_stood_before_it(
    said: str, correction: str, question: str, door: Callable[..., Agent]
) -> None:
    ada = door("It rained all day", said, correction, "I had soup")

    first, second, *_ = [hit.text for hit in ada.recall(question).hits]

    assert (first, second) == (correction, said)
    assert correction in ada.context(question, budget=200).text


def test_a_correction_can_be_corrected() -> None:
    ada = told("The kiln cost 900 euros", "no, 700", "hang on, 720", "I had soup")

    assert ada.recall("What did the kiln cost?").hits[0].text == "hang on, 720"


def test_an_agents_answer_between_them_parts_nothing() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("My train leaves at 8:15")
    ada.remember("Noted.", origin="agent")
    ada.remember("I meant 8:45")

    assert ada.recall("When does my train leave?").hits[0].text == "I meant 8:45"


def test_what_was_said_in_between_is_what_is_corrected() -> None:
    ada = told("The kiln cost 900 euros", "The glaze cost 40 euros", "no, 50")

    assert ada.recall("What did the kiln cost?").hits[0].text == "The kiln cost 900 euros"
    assert ada.recall("What did the glaze cost?").hits[0].text == "no, 50"


def test_a_correction_of_another_talk_is_of_that_talk() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("The kiln cost 900 euros", session="one")
    ada.remember("no, 700", session="two")

    assert ada.recall("What did the kiln cost?").hits[0].text == "The kiln cost 900 euros"


def test_a_forgotten_correction_corrects_nothing() -> None:
    ada = told("The kiln cost 900 euros", "no, 700")
    (hit, *_) = ada.recall("What did the kiln cost?").hits

    ada.forget(hit.id)

    assert [each.text for each in ada.recall("What did the kiln cost?").hits] == [
        "The kiln cost 900 euros"
    ]


@pytest.mark.parametrize("text", NO_CORRECTIONS)
def test_thanks_excuses_and_questions_correct_nothing(text: str) -> None:
    assert not correction_words.is_bare(text)
