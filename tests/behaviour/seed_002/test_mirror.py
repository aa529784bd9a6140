"""The long-term mirror: one compact entry for each event, searched by words and likeness."""

from collections import Counter

import numpy as np
import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.log.entry import Line
from muniment.model.errors import InputError
from muniment.model.events import Recalled
from muniment.model.events.loops import Embedded, EventObserved, Mirrored
from muniment.model.scope import agent_stream, collection_stream
from muniment.retrieval.index import int8_vectors
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

PLACE = collection_stream(agent_stream("main", "ada"))


@pytest.fixture
def memory() -> Memory:
    return world.memory()


@pytest.fixture
def ada(memory: Memory) -> Agent:
    return memory.agent("ada", user="tuff")


def say(ada: Agent, *tasks: str) -> None:
    for task in tasks:
        with ada.do(task) as doing:
            doing.answer(f"done: {task}")


def found(ada: Agent, text: str, **filters: object) -> list[str]:
    return [hit.entry.summary for hit in ada.rag_query(text, filters)]


@pytest.mark.covers("C-007", "C-037")
def test_every_event_has_exactly_one_compact_entry(memory: Memory, ada: Agent) -> None:
    say(ada, "book   a\n table", "x" * 2_000, "book a table")
    events = [line for line in ada.get_range() if isinstance(line.event, EventObserved)]
    mirrored = [e.event for e in memory.log(PLACE) if isinstance(e.event, Mirrored)]

    assert [each.source_id for each in mirrored] == [line.header.id for line in events]
    assert [each.kind for each in mirrored] == [_observed(line).kind for line in events]
    assert [each.loop_id for each in mirrored] == [_observed(line).loop_id for line in events]
    assert mirrored[0].summary == "book a table"
    assert len(mirrored[2].summary) == 280
    assert memory.subconscious_view("ada").coverage().mirror == len(events) == 6


@pytest.mark.covers("C-036")
def test_the_event_is_durable_before_its_mirror_exists(memory: Memory, ada: Agent) -> None:
    """The two are appends to two logs, and the first has an earlier moment than the second."""
    with ada.do("first things first"):
        pass
    types = [line.header.type for line in memory.log(agent_stream("main", "ada"))]

    assert "idetic_event" in types
    assert not any(each.startswith("ltm_") for each in types)
    assert [line.header.type for line in memory.log(PLACE)][2:5] == [
        "received",
        "ltm_mirrored",
        "ltm_embedded",
    ]


@pytest.mark.covers("C-007", "C-034")
def test_the_mirror_is_found_by_words_and_by_likeness(ada: Agent) -> None:
    say(ada, "book a table for two in Lisbon", "the weather is nice", "water the plants")

    assert set(found(ada, "a table in lisbon")[:2]) == {
        "book a table for two in Lisbon",
        "done: book a table for two in Lisbon",
    }
    assert "water the plants" in found(ada, "xwaterx plantsss")  # no word is the same, nor a stem
    assert found(ada, "quantum chromodynamics") == []


@pytest.mark.covers("C-034")
def test_filters_narrow_a_query_and_an_unknown_one_is_refused(memory: Memory, ada: Agent) -> None:
    say(ada, "book a table", "book a room")
    loops = memory.actor_view("ada").loops()

    asked = found(ada, "book", kinds=["user_input"])
    assert sorted(asked) == ["book a room", "book a table"]
    assert found(ada, "book", kinds=["user_input"], top_k=1) == asked[:1]
    assert len(found(ada, "book", loop_id=loops[0].loop_id)) == 2
    assert found(ada, "book", visibility="internal") == []
    assert found(ada, "book", until="2000-01-01") == []
    assert found(ada, "book", importance_min=4) == asked
    for wrong in ({"persona": "subconscious"}, {"collection": "x"}, {"top_k": 0}, {"kinds": ["?"]}):
        with pytest.raises(InputError, match="filters"):
            ada.rag_query("book", wrong)


def test_equal_scores_are_ordered_by_time_and_then_by_id(ada: Agent) -> None:
    for _ in range(3):  # without answers: a person's word after a machine's would have more
        with ada.do("same words"):
            pass
    hits = ada.rag_query("same words")

    assert [hit.entry.kind for hit in hits] == ["user_input"] * 3
    assert len({hit.score_ppm for hit in hits}) == 1
    times = [hit.entry.ts for hit in hits]
    assert times == sorted(times, reverse=True)


def test_a_query_at_a_past_entry_sees_the_past_only(ada: Agent) -> None:
    say(ada, "book a table")
    then = ada.seq
    say(ada, "book a room")

    assert {hit.entry.summary for hit in ada.rag_query("book", at=then)} == {
        "book a table",
        "done: book a table",
    }
    assert len(ada.rag_query("book")) == 4
    assert len(ada.fuzzy_query("book", at=then)) == 1


def test_a_query_leaves_a_receipt_with_the_next_entry(ada: Agent) -> None:
    say(ada, "book a table")
    hits = ada.rag_query("table")
    loops = ada.fuzzy_query("book a table")
    say(ada, "thank you")
    receipts = [e.event for e in ada.get_range() if isinstance(e.event, Recalled)]

    assert [receipt.call for receipt in receipts] == ["rag_query", "fuzzy_query"]
    assert receipts[0].ids == tuple(hit.entry.id for hit in hits)
    assert receipts[0].scores_ppm == tuple(hit.score_ppm for hit in hits)
    assert receipts[1].ids == (loops[0].summary.id,)


def test_vectors_are_recorded_once_with_their_model(memory: Memory, ada: Agent) -> None:
    say(ada, "book a table")
    vectors = [e.event for e in memory.log(PLACE) if isinstance(e.event, Embedded)]
    memory.subconscious("ada").dream()

    assert [each.model for each in vectors] == ["hashed-ngrams-1"] * 2
    assert [each.dims for each in vectors] == [len(each.vector) for each in vectors] == [256] * 2
    again = [e.event for e in memory.log(PLACE) if isinstance(e.event, Embedded)]
    assert again == vectors


def test_another_embedder_is_asked_anew_and_replay_asks_nobody(ada: Agent, memory: Memory) -> None:
    say(ada, "book a table")
    inside = world.hub(memory)

    class Refusing(HashingEmbedder):
        name = "other-1"
        asked = 0

        def embed(self, text: str) -> bytes:
            Refusing.asked += 1
            return super().embed(text)

    inside.tools = type(inside.tools)(embedder=Refusing())
    memory.subconscious("ada").dream()
    vectors = [e.event for e in memory.log(PLACE) if isinstance(e.event, Embedded)]
    assert Counter(each.model for each in vectors) == {"hashed-ngrams-1": 2, "other-1": 2}

    Refusing.asked = 0
    memory.prove()
    memory.rebuild()
    assert Refusing.asked == 0


@pytest.mark.covers("C-054")
def test_statistics_are_those_of_the_collection_alone() -> None:
    """A thousand entries elsewhere do not make a word common here."""
    memory = world.memory()
    ada, bob = memory.agent("ada"), memory.agent("bob")
    say(ada, "the ferry leaves at eight", "the train leaves at nine")
    before = [(hit.entry.id, hit.score_ppm) for hit in ada.rag_query("ferry leaves")]
    say(bob, *["the ferry is late"] * 20)
    below = memory.subconscious("ada")
    with below.job() as job:
        for _ in range(20):
            job.observe_event("subconscious_output", "the ferry is late")

    assert [(hit.entry.id, hit.score_ppm) for hit in ada.rag_query("ferry leaves")] == before


def test_the_hashing_embedder_is_the_same_everywhere() -> None:
    vector = HashingEmbedder().embed("I moved to Lisbon in March")

    assert len(vector) == 256
    assert likeness(vector, vector) == pytest.approx(1_000_000, abs=500)
    near = HashingEmbedder().embed("we moved to lisbon")
    far = HashingEmbedder().embed("quarterly tax report")
    assert likeness(vector, near) > 400_000 > likeness(vector, far)


def likeness(one: bytes, other: bytes) -> int:
    codes = np.frombuffer(other, np.int8).reshape(1, -1)
    return int(
        int8_vectors.cosines(codes, int8_vectors.norms(codes), int8_vectors.QueryVector(one))[0]
    )


def _observed(line: Line) -> EventObserved:
    assert isinstance(line.event, EventObserved)
    return line.event
