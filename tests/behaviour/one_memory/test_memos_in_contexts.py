"""What a recall puts first is in the context too, in whatever kind it is kept."""

import pytest

from muniment import open as open_memory

SMALL_TALK = (
    "I could not sleep, the traffic kept me up",
    "Not a fan of the queue, to be fair",
    "My neighbour keeps talking about the sunset",
)


@pytest.mark.parametrize(
    ("stated", "question", "answer"),
    [
        ("I settled down in Leeds some time ago.", "What city am I living in?", "Leeds"),
        ("Long day. I report to Amara Okoye. What should I cook?", "Who is my boss?", "Okoye"),
        ("Wir haben in Bremen Wurzeln geschlagen.", "Wo wohne ich?", "Bremen"),
    ],
)
def test_a_memo_that_has_no_word_of_the_question_is_in_the_context_that_it_answers(
    stated: str, question: str, answer: str
) -> None:
    ada = open_memory(":memory:").agent("ada", user="tuff")
    thread = ada.thread("chat")
    thread.turn(stated)
    for n in range(60):  # so many that it is no longer at hand
        ada.remember(f"{SMALL_TALK[n % 3]} on day {n}")
        thread.turn(f"{SMALL_TALK[n % 3]} on another day, {n}")

    assert answer in " ".join(hit.text for hit in ada.recall(question))
    assert answer in str(ada.context(question, budget=800))
