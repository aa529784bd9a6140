"""Memos answer questions like everything else that is remembered, as long as they live."""

import pytest
from tests import world
from tests.conformance.streams import segments as kept_segments

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.api.operations import MemoryOperations
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Segment
from muniment.model.scope import agent_stream
from muniment.retrieval.index import segments

QUESTION = "Which port does the build use?"
FACT = {"type": "fact", "text": "The build uses port 5432", "key": "project:build"}


def agent(of: Memory | None = None, user: str = "tuff") -> Agent:
    return (of or world.memory()).agent("ada", user=user)


def found(by: MemoryOperations, question: str = QUESTION, *, at: int | None = None) -> list[str]:
    return [hit.text for hit in by.recall(question, at=at).hits]


def test_a_memorized_fact_is_recalled_with_its_layer_and_whose_word_it_is() -> None:
    ada = agent()
    told = ada.memorize(FACT | {"source": "tool"})

    (hit,) = ada.recall(QUESTION).hits

    assert (hit.id, hit.text) == (told.id, FACT["text"])
    assert (hit.layer, hit.origin) == ("memo_sm", "tool")


def test_a_thought_that_only_working_memory_holds_is_not_recalled_until_it_is_kept() -> None:
    ada = agent()
    ada.memorize({"type": "thought", "text": "Perhaps the build uses port 5433"})

    assert found(ada) == []


def test_what_was_forgotten_is_gone_comes_back_when_restored_and_the_past_stays_readable() -> None:
    ada = agent()
    told = ada.memorize(FACT)
    before = ada.seq
    ada.forget_memos("SM", "key:project:build")
    gone = ada.seq

    assert found(ada) == []
    assert found(ada, at=before) == [FACT["text"]]
    assert ada.why_not(told.id, QUESTION).stage == "forgotten"

    ada.restore_memo(told.id)

    assert found(ada) == [FACT["text"]]
    assert found(ada, at=gone) == []


def test_a_newer_version_takes_the_place_of_the_older_one() -> None:
    ada = agent()
    ada.memorize(FACT)
    ada.memorize(FACT | {"text": "The build uses port 6000 since it moved"})

    assert found(ada) == ["The build uses port 6000 since it moved"]


def test_a_memo_in_two_places_is_recalled_once_and_until_it_has_left_both() -> None:
    job = agent().job("seed-1")
    job.observe_mandates([{"name": "both", "types": ["observation"], "places": ["EM", "SM"]}])
    told = job.memorize({"type": "observation", "text": "The build uses port 5432"})
    assert told.routing.places == ("EM", "SM")

    assert found(job) == ["The build uses port 5432"]
    job.forget_memos("SM", "oldest")
    assert found(job) == ["The build uses port 5432"]
    job.forget_memos("EM", "oldest")
    assert found(job) == []


def test_what_a_compaction_takes_away_is_told_by_what_stays() -> None:
    ada = agent()
    first = ada.memorize(FACT | {"key": ""})
    second = ada.memorize(
        {"type": "fact", "text": "The build, as it is, uses the port 5432", "importance": 1}
    )
    ada.compact()
    living = {memo.id for memo in ada.memos("SM")}

    assert {hit.id for hit in ada.recall(QUESTION).hits} <= living <= {first.id, second.id}


@pytest.mark.parametrize("who", ["person", "persona", "tenant", "agent"])
def test_nobody_else_recalls_a_memo(who: str) -> None:
    store, keyring = ScratchStore(), world.CountedKeyring()
    ours = agent(world.memory(store=store, keyring=keyring))
    ours.memorize(FACT)
    tenant = "b" if who == "tenant" else "main"
    memory = world.memory(store=store, keyring=keyring, tenant=tenant)
    theirs: MemoryOperations = memory.agent(
        "bob" if who == "agent" else "ada", user="ann" if who == "person" else "tuff"
    )
    if who == "persona":
        theirs = memory.subconscious("ada")

    told = theirs.recall(QUESTION)

    assert found(ours) == [FACT["text"]]
    assert (told.hits, told.considered) == ((), 0)


def test_an_erased_person_leaves_nothing_to_recall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", 4)
    store, keyring = ScratchStore(), world.CountedKeyring()
    memory = world.memory(store=store, keyring=keyring)
    ada = agent(memory)
    for n in range(9):
        ada.memorize({"type": "action", "text": f"started build {n} on port 5432"})
    assert found(ada, "build on port 5432")

    eraser = memory.eraser()
    request = eraser.request("tuff", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)

    assert found(agent(memory), "build on port 5432") == []
    assert found(agent(memory, user=""), "build on port 5432") == []


def test_segments_of_memos_follow_from_the_log_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", 4)
    store, keyring = ScratchStore(), world.CountedKeyring()

    def segmented() -> list[Segment]:
        memory = world.memory(store=store, keyring=keyring)
        agent(memory).recall(QUESTION)
        owner = keyring.ref("subject", "main/user_tuff")
        kind = f"recall:{owner}:{world.hub(memory).tools.embedder.name}"
        return kept_segments(store, stream, kind)

    stream = keyring.ref("stream", agent_stream("main", "ada").text)
    bit_by_bit: list[Segment] = []
    for n in range(40):
        fact = FACT | {"text": f"The build uses port {n}", "key": f"project:{n % 7}"}
        agent(world.memory(store=store, keyring=keyring)).memorize(fact)
        bit_by_bit = segmented()
    store.reset(stream)

    assert segmented() == bit_by_bit != []
