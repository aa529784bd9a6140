"""Names in the best answers lead a question on, where no relation between them is known."""

import pytest

import muniment
from muniment.engine.api.agent import Agent
from muniment.model.events import Recalled
from muniment.retrieval.entities.name_hops import names_in

NOISE = (
    "Our boss announced a new travel policy",
    "The boss of the supermarket gave notice",
    "My colleague collects the mail on Mondays",
    "I keep my clock collection in the attic",
    "The school on our road got a new roof",
    *(f"Remark {n}: the weather in street {n} was fine" for n in range(40)),
)


def told(*texts: str) -> Agent:
    ada = muniment.open(":memory:").agent("ada", user="tuff")
    ada.remember_many([*texts, *NOISE])
    return ada


# A question through somebody, and the texts that answer it together.
CHAINS = [
    (
        "What does the boss of my brother restore?",
        ("My brother Henrik's boss is called Ottoline Marsh", "Ottoline Marsh repairs windows"),
    ),
    (
        "What sport did the headteacher of my son's school do?",
        (
            "My son Theo goes to Larkfield School",
            "The headteacher of Larkfield School is Ms Abara",
            "Ms Abara used to be an Olympic rower",
        ),
    ),
    (
        "In which city is our staging server?",
        ("Our staging server is called heron", "heron stands in the data centre in Gdynia"),
    ),
    (
        "Wo arbeitet der Trainer meines Sohnes?",
        ("Der Trainer meines Sohnes heißt Ole Petersen", "Petersen ist beim Zoll angestellt"),
    ),
    (
        "¿Qué colecciona el jefe de mi hermano?",
        ("El jefe de mi hermano se llama Baltasar Quiroga", "A Baltasar le encantan los relojes"),
    ),
]


@pytest.mark.parametrize(("question", "chain"), CHAINS, ids=[each for each, _ in CHAINS])
def test_every_step_of_a_chain_is_among_the_first_five(
    question: str, chain: tuple[str, ...]
) -> None:
    hits = told(*chain).recall(question, limit=5).hits
    assert {*chain} <= {hit.text for hit in hits}


def test_the_score_says_that_a_name_led_there() -> None:
    question, chain = CHAINS[0]
    hits = told(*chain).recall(question, limit=5, explain=True).hits
    assert next(hit for hit in hits if hit.text == chain[1]).terms["relations"] > 0


def test_the_first_answer_is_still_what_shares_words_with_the_question() -> None:
    for question, chain in CHAINS[:3]:
        assert told(*chain).recall(question).hits[0].text == chain[0]


def test_what_somebody_did_themselves_is_not_followed_by_names() -> None:
    ada = told("I bought my bike from Spaak", "Spaak is on Harbour Street")
    hits = ada.recall("Where did I buy my bike?", explain=True).hits
    assert all("relations" not in hit.terms for hit in hits)


def test_nobody_is_led_to_what_waits_for_a_yes() -> None:
    question, (first, second) = CHAINS[0]
    ada = told(first)
    ada.remember(second, origin="external", source="example.org")
    assert second not in {hit.text for hit in ada.recall(question, limit=50).hits}


def test_a_receipt_is_answered_again_with_the_same_steps() -> None:
    question, chain = CHAINS[1]
    ada = told(*chain)
    before = ada.recall(question)
    ada.remember("Ms Abara sings in a choir now")
    (seq,) = [each.header.seq for each in ada.get_range() if isinstance(each.event, Recalled)]
    assert ada.recall_again(seq).receipt.ids == before.receipt.ids


def test_advice_is_not_led_on_by_names() -> None:
    ada = told("My garden plan is from Ottoline Marsh", "Ottoline Marsh repairs windows")
    hits = ada.recall("What would you recommend for my garden?", explain=True).hits
    assert all("relations" not in hit.terms for hit in hits)


def test_names_are_words_with_a_capital_inside_a_sentence_and_what_is_called_so() -> None:
    assert names_in("Our proofreader is Quentin. He lives in Trieste") == {"quentin", "triest"}
    assert names_in("Our server is called heron") == {"heron"}
    assert names_in("Meine Frau ist heute in der Stadt") == set()
