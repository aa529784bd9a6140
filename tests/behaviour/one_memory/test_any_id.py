"""Every id that a recall gives out can be forgotten and corrected, whatever kind it is."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.search.recall_results import Hit
from muniment.model.errors import RefusedError

THING = "purple"


def by_remember(ada: Agent) -> None:
    ada.remember("The purple kite is in the attic")


def by_conversation(ada: Agent) -> None:
    ada.conversation(session="monday").record(user="The purple lamp is in the cellar")


def by_archive(ada: Agent) -> None:
    talk = ada.conversation(session="monday")
    talk.record(user="The purple lamp is in the cellar")
    for turn in range(20):
        talk.record(user=f"It is sunny on day {turn}")


def by_wish(ada: Agent) -> None:
    ada.conversation(session="monday").record(user="Remember for me that I prefer purple socks")


def by_memo_of_a_fact(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.memorize({"content": "The purple vase is here", "type": "fact", "source": "user"})


def by_memo_of_what_happened(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.memorize({"content": "We saw the purple boat", "type": "observation", "source": "user"})


def by_loop(ada: Agent) -> None:
    with ada.do("Find the purple box for me"):
        pass


DOORS: dict[str, Callable[[Agent], None]] = {
    "remember": by_remember,
    "conversation": by_conversation,
    "archive": by_archive,
    "shared space": by_wish,
    "semantic memo": by_memo_of_a_fact,
    "episodic memo": by_memo_of_what_happened,
    "loop": by_loop,
}


def told(door: str) -> tuple[Memory, Agent]:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    DOORS[door](ada)
    return memory, ada


def found(ada: Agent) -> list[Hit]:
    return [hit for hit in ada.recall(THING, limit=20).hits if THING in hit.text]


@pytest.mark.parametrize("door", DOORS)
def test_what_is_forgotten_by_the_ids_of_a_recall_is_recalled_by_nobody(door: str) -> None:
    memory, ada = told(door)
    assert found(ada), "what was told must be found, or nothing is shown"

    while hits := found(ada):
        ada.forget(hits[0].id)

    assert THING not in ada.context(THING, budget=800).text
    assert THING not in ada.conversation(session="tuesday").recall(THING).text
    assert all(proof.undecided == 0 for proof in memory.prove())


@pytest.mark.parametrize("door", DOORS)
def test_what_is_corrected_by_the_id_of_a_recall_says_the_other_words(door: str) -> None:
    memory, ada = told(door)
    while hits := found(ada):  # the same words may stand in a session and in a shared space
        ada.correct(hits[0].id, hits[0].text.replace(THING, "orange"))

    assert [hit for hit in ada.recall("orange", limit=20).hits if "orange" in hit.text]
    assert all(proof.undecided == 0 for proof in memory.prove())


@pytest.mark.parametrize("door", DOORS)
def test_an_id_that_was_forgotten_is_unknown_from_then_on(door: str) -> None:
    _, ada = told(door)
    (first, *_) = found(ada)
    ada.forget(first.id)

    with pytest.raises(RefusedError, match="item_unknown"):
        ada.forget(first.id)


@pytest.mark.parametrize("door", DOORS)
def test_nobody_forgets_or_corrects_what_is_another_persons(door: str) -> None:
    memory, ada = told(door)
    eve = memory.agent("ada", user="eve")
    for hit in found(ada):
        with pytest.raises(RefusedError):
            eve.forget(hit.id)
        with pytest.raises(RefusedError):
            eve.correct(hit.id, "something else")

    assert found(ada)


def test_a_governed_fact_is_changed_by_a_request_and_not_by_one_call() -> None:
    ada = world.memory().agent("ada", user="tuff")
    key = "user/profile/user_tuff/purple_thing"
    ada.sem_put(key, "a purple bike")

    with pytest.raises(RefusedError, match="fact_is_governed"):
        ada.forget(key)
    told = ada.correct(key, "an orange bike")

    assert ada.sem_get(key).value == "a purple bike"
    (request,) = ada.requests()
    assert (request.request_id, request.key) == (told.request_id, key)
    assert request.value == "an orange bike"
