"""What somebody states is found though the same message goes on to ask for something."""

import pytest

from muniment import open as open_memory
from muniment.retrieval.languages import disclosure

SMALL_TALK = (
    "The inbox is a disaster, four hundred unread mails.",
    "I can't stand this weather, it has been drizzling since Sunday.",
    "What's a polite way to say no?",
)


@pytest.mark.parametrize(
    ("message", "question"),
    [
        (
            "I finally told them I'm lactose intolerant, so the canteen has oat milk. "
            "Could you list a few desserts?",
            "What can my stomach not digest?",
        ),
        (
            "I'm on nights at the bakery this month, so please plan nothing before noon. "
            "What was the word for a short poem again?",
            "Where do I work at night?",
        ),
    ],
)
def test_a_statement_before_a_question_is_as_much_the_speakers_as_one_alone(
    message: str, question: str
) -> None:
    ada = open_memory(":memory:").agent("ada", user="lex")
    for text in (*SMALL_TALK, message, *SMALL_TALK):
        ada.remember(text)

    first = ada.recall(question, explain=True).hits[0]

    assert first.text == message
    assert first.terms["person"] > 100_000


@pytest.mark.parametrize(
    "stated",
    [
        "I'm on nights this month, so please wait until noon.",
        "From next month I'm back to full time.",
        "Ich habe Nachtschicht, also bitte nicht vor Mittag.",
        "我住在北京，请帮我写一封信。",
    ],
)
def test_what_stands_before_a_request_is_stated(stated: str) -> None:
    assert disclosure.is_disclosed(stated)


@pytest.mark.parametrize(
    "untold",
    [
        "If I were rich, I would buy a boat.",
        "Please help me, I need it today.",
        "I'm back!",
        "Can you check my essay, my teacher is strict?",
    ],
)
def test_what_is_asked_for_or_supposed_states_nothing(untold: str) -> None:
    assert not disclosure.is_disclosed(untold)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("Dad is home again, walking with a stick.", "Where is my father at the moment?"),
        ("My father collects stamps.", "What does my dad collect?"),
        ("The kids are allergic to cats.", "Which allergy do my children have?"),
        ("Oma wohnt jetzt in Celle.", "Wo wohnt meine Großmutter?"),
    ],
)
def test_a_parent_is_found_by_whatever_word_there_is_for_them(told: str, question: str) -> None:
    ada = open_memory(":memory:").agent("ada", user="lex")
    for text in (*SMALL_TALK, "My mother-in-law came to stay for a while.", told, *SMALL_TALK):
        ada.remember(text)

    first = ada.recall(question).hits[0]

    assert first.text == told
    assert first.matched
