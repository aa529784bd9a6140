"""Whoever asks what was so before it changed gets what was so before, and not what is so now."""

import pytest
from tests.world import SteppingClock, memory

from muniment.retrieval.ranking import query

MOVED = ("I live in Porto", "I moved to Aveiro last week")
EMPLOYED = ("I work at Siemens", "I now work at Bosch")
DOCTORS = ("My doctor is Dr. Weiss", "My doctor is now Dr. Lang")
MANAGERS = ("My manager is Ines", "My manager is Karl now", "My manager is Sven now")


def first_of(told: tuple[str, ...], question: str) -> str:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in told:
        ada.remember(text)
    return next((hit.text for hit in ada.recall(question).hits), "")


@pytest.mark.parametrize(
    ("told", "question", "place"),
    [
        (MOVED, "Where did I live before Aveiro?", 0),
        (MOVED, "What was my previous address?", 0),
        (EMPLOYED, "Where did I work before Bosch?", 0),
        (EMPLOYED, "Who was my former employer?", 0),
        (EMPLOYED, "What was my last job?", 0),
        (DOCTORS, "Who was my doctor before Dr. Lang?", 0),
        (MANAGERS, "Who was my manager before Sven?", 1),
        (MANAGERS, "Who was my manager before Karl?", 0),
        (("I use Evernote for my notes", "I switched to Obsidian for my notes"),
         "Which notes app did I use before Obsidian?", 0),
        (("My sister lives in York", "My sister moved to Leeds"),
         "Where did my sister live before Leeds?", 0),
        (("The deadline is 3 May", "The deadline moved to 10 May"),
         "What was the previous deadline?", 0),
        (("Ich wohne in Kassel", "Ich bin nach Erfurt gezogen"),
         "Wo habe ich vor Erfurt gewohnt?", 0),
        (("Vivo en Cádiz", "Me mudé a Lugo"), "¿Dónde vivía antes de Lugo?", 0),
        (("J'habite à Lyon", "J'ai déménagé à Nantes"), "Où habitais-je avant Nantes ?", 0),
        (("我住在上海", "我搬到了成都"), "我搬到成都之前住在哪里?", 0),
        (("私は京都に住んでいます", "奈良に引っ越しました"),
         "奈良の前はどこに住んでいましたか？", 0),
    ],
)  # fmt: skip
def test_what_was_so_before_is_first(told: tuple[str, ...], question: str, place: int) -> None:
    assert first_of(told, question) == told[place]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (MOVED, "Where do I live?"),
        (EMPLOYED, "Who is my employer?"),
        (DOCTORS, "Who is my doctor?"),
        (MANAGERS, "Who is my manager?"),
    ],
)
def test_what_is_so_now_is_first_otherwise(told: tuple[str, ...], question: str) -> None:
    assert first_of(told, question) == told[-1]


@pytest.mark.parametrize(
    "question",
    [
        "Where did I live before Aveiro?",
        "Who was my former employer?",
        "Wo wohnte ich vor Erfurt?",
        "Wo habe ich vor Erfurt gewohnt?",
        "¿Dónde trabajé antes de Lugo?",
        "Où ai-je travaillé avant Free ?",
        "Dove abitavo prima di Trento?",
        "Onde morava eu antes de Évora?",
        "Waar heb ik voor Breda gewoond?",
        "Где я жила до Перми?",
        "我搬到成都之前住在哪里?",
        "奈良の前はどこに住んでいましたか？",
    ],
)
def test_a_question_for_what_was_before_is_known_by_its_words(question: str) -> None:
    assert query.analyse(question).of_before


@pytest.mark.parametrize(
    "question",
    [
        "How much must I pay before Friday?",
        "What is due before the trip?",
        "Was muss ich vor Freitag bezahlen?",
        "Was habe ich vor Weihnachten zu tun?",
        "¿Qué tengo que pagar antes del viernes?",
        "Que dois-je payer avant vendredi ?",
        "Cosa devo pagare prima di venerdì?",
        "O que tenho de pagar antes de sexta?",
        "Wat moet ik voor Vrijdag betalen?",
        "Что мне нужно сделать до Пасхи?",
        "周五之前我要付什么?",
        "金曜日の前に何を払いますか？",
    ],
)
def test_what_is_to_be_before_a_day_is_nothing_of_the_past(question: str) -> None:
    assert not query.analyse(question).of_before


def test_what_is_to_be_paid_before_a_day_is_what_was_said_last() -> None:
    told = ("I must pay 50 euros to the club", "I must pay 60 euros to the club now")

    assert first_of(told, "How much must I pay to the club before Friday?") == told[1]


def test_a_deadline_before_a_day_is_nothing_of_the_past() -> None:
    told = ("I must pay the bill before Friday", "The rent is due before the fifth")

    assert first_of(told, "What must I pay before Friday?") == told[0]


def test_a_preference_that_was_replaced_is_found_when_it_is_asked_for() -> None:
    told = ("My favourite tea is oolong", "My favourite tea is sencha now")

    assert first_of(told, "What tea did I like before sencha?") == told[0]
    assert first_of(told, "What is my favourite tea?") == told[1]
