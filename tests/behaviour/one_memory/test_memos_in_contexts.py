"""What a recall puts first is in the context too, in whatever kind it is kept."""

import pytest

from muniment import open as open_memory
from muniment.engine.streams.ports import Neighbours
from muniment.model.policy import Policy, RecallPolicy
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

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


class _Listening(HashingEmbedder):
    """Hears every text that it is asked about."""

    name = "listening-1"

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed(self, text: str) -> bytes:
        self.heard.append(text)
        return super().embed(text)


def test_the_question_of_a_context_is_analysed_once_for_all_memory_types() -> None:
    ear = _Listening()
    policy = Policy(recall=RecallPolicy(embedder=ear.name))
    memory = open_memory(":memory:", policy=policy, neighbours=Neighbours(embedders=(ear,)))
    ada = memory.agent("ada", user="tuff")
    ada.remember("The boathouse key hangs behind the clock")
    with ada.job() as job:
        for place in ("EM", "SM"):
            job.memorize({"type": "fact", "text": f"The boathouse is {place}"}, store=place)

    told = ada.context("Where is the boathouse key?")

    assert {"remembered", "episodic", "semantic"} <= told.sources.keys()
    assert ear.heard.count("Where is the boathouse key?") == 1


def test_the_importance_that_a_memo_was_given_later_counts_in_a_context() -> None:
    ada = open_memory(":memory:").agent("ada", user="tuff")
    with ada.job() as job:
        kept = [
            job.memorize({"type": "fact", "text": f"The {each} is red"}, store="EM")
            for each in ("boat", "barn")
        ]
    before = {each.id: each.importance_ppm for each in ada.context("What is red?").pieces}

    with ada.job() as job:
        job.mark_memo(kept[0].id, 0.95)
    after = {each.id: each.importance_ppm for each in ada.context("What is red?").pieces}

    assert after[kept[0].id] > before[kept[0].id]
    assert after[kept[1].id] == before[kept[1].id]
