"""What became of somebody later is no answer to another question about them."""

import pytest
from tests.world import SteppingClock, memory

TOLD = (
    ("{n} is allergic to kiwis", "What is {n} allergic to?"),
    ("{n} has three cats", "How many cats does {n} have?"),
    ("{n} taught me to sail", "Who taught me to sail?"),
    ("{n} speaks Finnish and Urdu", "Which languages does {n} speak?"),
    ("{n} reckons that the flaky test is the refund one", "Which test is flaky?"),
)
SINCE = (
    "{n} resigned, last day is the 28th",
    "{n} left the company in March",
    "{n} died in spring",
    "{n} no longer smokes",
    "{n} sold the boat",
    "{n} likes the new curtains",
)
WITHOUT_A_TIME = ("{n} no longer smokes", "{n} sold the boat", "{n} moved to Oslo")
ELSEWHERE = (
    ("Gunhild ist gegen Kiwis allergisch", "Wogegen ist Gunhild allergisch?"),
    ("Gunhild spricht Finnisch", "Welche Sprachen spricht Gunhild?"),
    ("Gunhild hat drei Katzen", "Wie viele Katzen hat Gunhild?"),
)
SINCE_ELSEWHERE = (
    "Gunhild hat gekündigt, letzter Tag ist der 28.",
    "Gunhild raucht nicht mehr",
    "Gunhild ist im Frühling gestorben",
)


def first(question: str, *texts: str) -> str:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in texts:
        ada.remember(text)
    return ada.recall(question).hits[0].text


@pytest.mark.parametrize("name", ["Barnaby", "Priya", "Yoko"])
@pytest.mark.parametrize(("told", "question"), TOLD)
@pytest.mark.parametrize("since", SINCE)
def test_what_is_told_of_somebody_stays_the_answer_whatever_becomes_of_them(
    name: str, told: str, question: str, since: str
) -> None:
    told, question, since = (each.format(n=name) for each in (told, question, since))

    assert first(question, told, "The weather is dull", since) == told


@pytest.mark.parametrize("since", WITHOUT_A_TIME)
def test_a_day_stays_a_day_whatever_else_is_told_of_them(since: str) -> None:
    told, since = "Yoko's birthday is on 8 May", since.format(n="Yoko")

    assert first("When is Yoko's birthday?", told, "The weather is dull", since) == told


@pytest.mark.parametrize(("told", "question"), ELSEWHERE)
@pytest.mark.parametrize("since", SINCE_ELSEWHERE)
def test_in_german_as_well(told: str, question: str, since: str) -> None:
    assert first(question, told, since) == told


@pytest.mark.parametrize(
    ("told", "question", "since"),
    [
        ("My boss is Ruud", "Who is my boss?", "Ruud resigned, Femke took over"),
        ("Anneke works at Shell", "Where does Anneke work?", "Anneke left Shell for Total"),
        ("Anneke lives in Porto", "Where does Anneke live?", "Anneke moved to Braga"),
        ("I bank with Santander", "Which bank am I with?", "Closed my Santander account"),
    ],
)
def test_what_changes_the_matter_itself_is_the_answer(told: str, question: str, since: str) -> None:
    assert first(question, told, "The weather is dull", since) == since
