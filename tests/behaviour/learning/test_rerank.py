"""Reranking and query rewriting: outside opinions on a recall, kept in its receipt."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.scripted_model import Asked, Reply, scripted

import muniment
from muniment import Neighbours
from muniment.adapters.models.rerank_endpoint import EndpointReranker
from muniment.engine.api.agent import Agent
from muniment.model.errors import InputError

TEXTS = ("I like green tea", "Tea is grown in Assam", "The tea shop is closed", "I own a boat")


class Backwards:
    """A reranker that turns our order round, and counts who asks."""

    name = "backwards"

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, tuple(texts)))
        return [float(place) for place in range(len(texts))]


class Rewriter:
    """A rewriter that says what a function says."""

    def __init__(self, say: Callable[[str], str]) -> None:
        self.say = say
        self.asked: list[str] = []

    def rewrite(self, query: str) -> str:
        self.asked.append(query)
        return self.say(query)


class Broken:
    """A reranker that fails, or gives too few numbers."""

    name = "broken"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        if "tea" in query:
            raise RuntimeError("down")
        return [float("nan")] * len(texts)


def told(neighbours: Neighbours) -> Agent:
    ada = muniment.open(":memory:", neighbours=neighbours).agent("ada", user="tuff")
    for text in TEXTS:
        ada.remember(text)
    return ada


def reopened(place: Path, neighbours: Neighbours) -> tuple[list[str], Agent]:
    """What one memory answers about tea by itself, and the same memory with its neighbours."""
    with muniment.open(place) as memory:
        ada = memory.agent("ada", user="tuff")
        for text in TEXTS:
            ada.remember(text)
        ours = [hit.text for hit in ada.recall("tea").hits]
    return ours, muniment.open(place, neighbours=neighbours).agent("ada", user="tuff")


def test_a_reranker_gives_the_order_and_a_recall_made_again_asks_nobody(tmp_path: Path) -> None:
    reranker = Backwards()
    ours, ada = reopened(tmp_path / "memory", Neighbours(reranker=reranker))

    found = ada.recall("tea")
    ada.flush()
    again = ada.recall_again(ada.seq)

    assert [hit.text for hit in found.hits] == ours[::-1]
    assert found.receipt.ids == tuple(hit.id for hit in found.hits)
    assert found.receipt.basis is not None
    assert found.receipt.basis.reranker == "backwards"
    assert again == found
    assert len(reranker.asked) == 1


def test_a_reranker_sees_fifty_and_the_caller_gets_as_many_as_were_asked_for() -> None:
    reranker = Backwards()
    memory = muniment.open(":memory:", neighbours=Neighbours(reranker=reranker))
    ada = memory.agent("ada", user="tuff")
    for number in range(60):
        ada.remember(f"Tea number {number} is kept in a tin of its own")

    found = ada.recall("Which tea is in a tin?", limit=3)
    ada.flush()
    again = ada.recall_again(ada.seq)

    ((_, shown),) = reranker.asked
    assert len(shown) == 50
    assert [hit.text for hit in found.hits] == list(shown[:-4:-1])
    assert len(found.receipt.ids) == len(found.receipt.scores_ppm) == 3
    assert found.receipt.basis is not None
    assert found.receipt.basis.results_max == 3
    assert again == found


def test_where_a_reranker_fails_the_caller_gets_no_more_than_was_asked_for(tmp_path: Path) -> None:
    ours, ada = reopened(tmp_path / "memory", Neighbours(reranker=Broken()))

    found = ada.recall("tea", limit=2)
    ada.flush()

    assert [hit.text for hit in found.hits] == ours[:2]
    assert ada.recall_again(ada.seq) == found


def test_a_reranker_that_fails_is_done_without(tmp_path: Path) -> None:
    ours, ada = reopened(tmp_path / "memory", Neighbours(reranker=Broken()))

    found = ada.recall("tea")

    assert [hit.text for hit in found.hits] == ours
    assert found.receipt.basis is not None
    assert found.receipt.basis.reranker == ""
    assert ada.recall("shop or boat").hits


def test_a_question_is_searched_in_other_words_and_the_receipt_has_both() -> None:
    rewriter = Rewriter(lambda _: "boat")
    ada = told(Neighbours(rewriter=rewriter))

    found = ada.recall("What floats that is mine?")
    ada.flush()
    again = ada.recall_again(ada.seq)

    assert found.hits[0].text == "I own a boat"
    assert found.receipt.basis is not None
    assert found.receipt.basis.rewritten == "boat"
    (line,) = ada.get_range(ada.seq, ada.seq)
    assert getattr(line.event, "query", "") == "What floats that is mine?"
    assert again == found
    assert rewriter.asked == ["What floats that is mine?"]


@pytest.mark.parametrize("said", ["", "  ", "sk-ant-api03-" + "a1B2c3D4" * 10])
def test_other_words_that_say_nothing_or_a_secret_are_not_used(said: str) -> None:
    ada = told(Neighbours(rewriter=Rewriter(lambda _: said)))

    found = ada.recall("boat")

    assert found.hits[0].text == "I own a boat"
    assert found.receipt.basis is not None
    assert found.receipt.basis.rewritten == ""


def test_a_question_that_may_not_be_kept_is_shown_to_nobody() -> None:
    reranker, rewriter = Backwards(), Rewriter(lambda query: query + "!")
    ada = told(Neighbours(reranker=reranker, rewriter=rewriter))

    ada.recall("tea sk-ant-api03-" + "a1B2c3D4" * 10)

    assert reranker.asked == []
    assert rewriter.asked == []


def test_a_rerank_address_is_asked_over_http() -> None:
    def script(asked: Asked) -> Reply:
        documents = asked.body["documents"]
        best = documents.index("Tea is grown in Assam")
        results = f'{{"results": [{{"index": {best}, "relevance_score": 0.9}}]}}'
        return Reply(content=results)

    with scripted(script) as server:
        reranker = EndpointReranker(f"{server.address}/rerank", "bge", key="k")
        ada = told(Neighbours(reranker=reranker))
        found = ada.recall("tea")
        server.script = lambda _: Reply(status=500)
        failed = ada.recall("tea")
        reranker.close()

    assert found.hits[0].text == "Tea is grown in Assam"
    assert server.asked[0].headers["authorization"] == "Bearer k"
    assert server.asked[0].body["query"] == "tea"
    assert len(failed.hits) == len(found.hits)
    with pytest.raises(InputError):
        EndpointReranker.from_text("bge")
