"""What is asked for in one word for a thing of a life is told in another, in every language."""

import pytest

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

TALK = (
    "The printer is jammed",
    "Сегодня пробка",
    "今天很吵",
    "今日は雷です",
    "Ziemlich laut heute",
)
# A question, and the statement that answers it in other words.
ANSWERED = (
    ("Do you remember where I live?", "For years I have been renting a place in Cardiff."),
    ("Wer ist mein Vorgesetzter?", "Unser Teamleiter heißt Nils Berg."),
    ("Welche Allergien habe ich?", "Auf Haselnüsse reagiere ich allergisch."),
    ("Weißt du noch, wo ich wohne?", "Ich bin in Trier daheim."),
    ("¿Quién manda en mi equipo?", "Mi jefa es Moira Calle."),
    ("Кто мой руководитель?", "Мой начальник — Мария Келли."),
    ("Как кличка моей собаки?", "Нашу собаку зовут Клео."),
    ("我在哪里上班？", "哈特光学是我的东家。"),
    ("私はどこに勤めていますか？", "会社はハルト光学です。"),
    ("チームを率いているのは誰ですか？", "私の上司は石田部長です。"),
)


@pytest.mark.parametrize(("question", "statement"), ANSWERED, ids=[each[0] for each in ANSWERED])
def test_another_word_for_the_same_thing_finds_it(question: str, statement: str) -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"words")).agent("ada", user="tuff")
    for day, line in enumerate([TALK[0], statement, *TALK[1:]], start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line)

    assert ada.recall(question).hits[0].text == statement


def test_of_two_results_that_have_most_of_the_question_the_newer_answers() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"gate")).agent("ada", user="tuff")
    older = "Reykjavik 07:45 boarding soon gate L19"
    newer = "Notice for passengers to Reykjavik: your flight departs from gate J28."
    for day, line in enumerate((older, newer), start=1):
        clock.set(f"2026-03-{day:02}T09:00:00.000Z")
        ada.remember(line, origin="tool")

    assert ada.recall("What gate does my flight to Reykjavik go from?").hits[0].text == newer
