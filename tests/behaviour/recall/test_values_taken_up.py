"""A later statement that names an answer's value again and says more is the newer answer."""

import pytest

from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock

# A question, what was told first, and what was told later in words that no table has.
TAKEN_UP = (
    (
        "Which car is mine?",
        "My old Beetle needs new brakes again.",
        "A mechanic took the Beetle off my hands and I treated myself to a Dacia.",
    ),
    (
        "What is my daughter studying?",
        "My daughter Lotte is reading geology at university.",
        "Lotte found geology dull, so she is doing music theory.",
    ),
    (
        "Where do I live?",
        "Our flat in Padua has a tiny balcony.",
        "The keys to Padua are handed over; tonight is our first night in Dundee.",
    ),
    (
        "我在哪儿工作？",
        "给我发工资的是市档案馆。",
        "市档案馆？那是我表哥的单位。我在鹤鸣公司。",
    ),
    (
        "Wer ist mein Chef?",
        "Ich bin Ottilie Marsch unterstellt.",
        "Ottilie Marsch ist aufgestiegen, Paulo Reis leitet uns.",
    ),
)


def told(*texts: str) -> Agent:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"lives")).agent("ada", user="tuff")
    for n, text in enumerate(texts):
        clock.set(f"2026-03-{n + 1:02}T08:00:00.000Z")
        ada.remember(text)
    return ada


@pytest.mark.parametrize(("question", "first", "later"), TAKEN_UP)
def test_who_names_a_value_again_and_says_more_has_the_last_word(
    question: str, first: str, later: str
) -> None:
    ada = told(first, "The printer is jammed again.", later)

    assert [hit.text for hit in ada.recall(question).hits[:2]] == [later, first]


def test_a_verb_of_the_past_is_no_value() -> None:
    later = "Guess what, I handed in my notice and start with the harbour patrol on Monday."
    ada = told("My son Theo is in second grade.", "Theo started third grade today!", later)

    found = [hit.text for hit in ada.recall("What grade is my son in?").hits]

    assert found[0] == "Theo started third grade today!"


def test_two_letters_that_are_not_one_word_are_no_value() -> None:
    later = "我从北城医院辞职了，下周一去橡树诊所上班。"
    ada = told("看牙医的时间是周二上午九点。", "牙医把预约改到了周四下午四点。", later)

    found = [hit.text for hit in ada.recall("我什么时候看牙医？").hits]

    assert found[0] == "牙医把预约改到了周四下午四点。"


@pytest.mark.parametrize(
    ("question", "answer", "later"),
    [
        (
            "Where does the running group meet?",
            "Running group: new meeting point is the boathouse, same time.",
            "I passed my driving test at last!!! Fourth time lucky, and I owe my teacher a cake.",
        ),
        (
            "Who should I call about the invoice?",
            "My contact for the invoice can't stand waiting, he says.",
            "I've got a standing desk now, so wide tables are fine.",
        ),
    ],
)
def test_a_word_that_is_said_of_anything_is_no_value(
    question: str, answer: str, later: str
) -> None:
    ada = told(answer, "The printer is jammed again.", later)

    assert ada.recall(question).hits[0].text == answer


def test_who_asks_of_the_world_is_told_what_was_asked_for() -> None:
    """A text about the world names its things again and again, and ends none of them."""
    answer = "Der Super Bowl 50 fand in Santa Clara statt."
    later = "Santa Clara hat viele Firmen, und wir waren im Sommer dort."
    ada = told(answer, "Der Drucker streikt.", later)

    assert ada.recall("Wo fand der Super Bowl 50 statt?").hits[0].text == answer


def test_who_asks_for_advice_does_not_ask_for_the_newest_word() -> None:
    stated = "I learn best by hands-on exercises, never by long lectures."
    later = "I watched the lectures on Roman history, and I painted the fence."
    ada = told(stated, "The printer is jammed again.", later)

    found = ada.recall("Can you recommend ways for me to learn statistics by exercises?").hits

    assert found[0].text == stated


def test_an_aside_that_two_statements_share_is_no_value() -> None:
    ada = told(
        "The flat costs us 925 euros every month. Long story.",
        "I have spent eleven years behind a desk at the city archive. Long story.",
    )

    assert "925" in ada.recall("What do I pay for the flat?").hits[0].text


def test_what_is_told_of_somebody_else_revises_nothing() -> None:
    ada = told(
        "My old school friend Imogen makes a living as a zookeeper.",
        "My old school friend Casimir is a notary, and so is his zookeeper wife.",
    )

    assert "zookeeper" in ada.recall("What does Imogen do?").hits[0].text


@pytest.mark.parametrize(
    ("question", "stated", "mentions"),
    [
        (
            "Where do I work?",
            "I work at Nuvolo as an accountant.",
            "Nuvolo has a new canteen, and the food is awful.",
        ),
        (
            "Where do I live?",
            "I live in Porto, near the river.",
            "My sister visited Porto in May, she loved the bridges.",
        ),
        (
            "What am I allergic to?",
            "I am allergic to penicillin.",
            "The film was about penicillin, and it was three hours long.",
        ),
    ],
)
def test_what_only_names_a_value_again_stands_behind_what_states_it(
    question: str, stated: str, mentions: str
) -> None:
    ada = told(stated, "The printer is jammed again.", mentions)

    assert ada.recall(question).hits[0].text == stated
