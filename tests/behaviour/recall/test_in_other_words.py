"""A question asks in its own words for what somebody has told of themselves in a sentence."""

import pytest
from tests.world import SteppingClock, memory

from muniment.retrieval.ranking.query import analyse

# What else is in a memory; none of it answers any of the questions.
BESIDE = (
    "It rained all week and the bus was late",
    "The printer on the second floor is broken again",
    "Please keep answers short",
)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("I'm a baker in Hull", "What do I do for a living?"),
        ("I'm a baker in Hull", "What is my job?"),
        ("I'm a midwife at the county hospital", "What is my occupation?"),
        ("I run a small bookshop in Ghent", "How do I earn my money?"),
        ("I go running every Tuesday morning", "What are my hobbies?"),
        ("I play the cello in an amateur orchestra", "What do I do in my spare time?"),
        ("I cycle along the canal with my brother", "How do I commute?"),
        ("I use vim", "What editor should you assume?"),
        ("My thesis is about medieval bells", "What am I writing about?"),
        ("Ich bin Hebamme in Kassel", "Was bin ich von Beruf?"),
        ("Ich spiele Geige", "Welche Hobbys habe ich?"),
        ("Soy carpintera en Lugo", "¿Cuál es mi profesión?"),
        ("Toco el violonchelo", "¿Qué aficiones tengo?"),
        ("Я работаю медсестрой, я медсестра", "Какая у меня профессия?"),
        ("我是护士", "我的职业是什么?"),
        ("私は看護師です", "私の職業は何ですか？"),
    ],
)
def test_what_somebody_is_and_does_is_found(told: str, question: str) -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    for text in (*BESIDE, told):
        ada.remember(text)

    assert [hit.text for hit in ada.recall(question).hits][:1] == [told]


def test_what_somebody_does_for_a_living_is_not_where_they_live() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("I live in Graz")
    ada.remember("I'm a baker")

    assert ada.recall("What do I do for a living?").hits[0].text == "I'm a baker"


def test_a_craft_of_somebody_else_is_not_the_first_answer() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("I'm a baker in Hull")
    ada.remember("My neighbour is a plumber")

    assert ada.recall("What is my job?").hits[0].text == "I'm a baker in Hull"


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("my boat", True),
        ("My Boat", True),
        ("mein Boot", True),
        ("моя лодка", True),
        ("my boat?", False),
        ("where do i live", False),
        ("dónde trabajo", False),
        ("my boat and my bicycle", False),
        ("the boat", False),
    ],
)
def test_who_only_names_a_thing_of_theirs_calls_it_what_it_is_called(
    question: str, *, names: bool
) -> None:
    assert analyse(question).only_names is names


def test_what_is_only_named_is_not_answered_with_something_that_is_a_little_like_it() -> None:
    ada = memory(clock=SteppingClock()).agent("ada", user="tuff")
    ada.remember("My bicycle is called Rocket")

    assert ada.recall("my boat").hits == ()
    assert ada.recall("my bicycle").hits
