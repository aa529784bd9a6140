"""Told once, known everywhere: documents and long texts are found by all of their words."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import RefusedError

NOTE = "The gardener comes on Thursdays"
WORD = "heliotrope"
FILLER = " ".join(f"Line {n} speaks of nothing in particular." for n in range(200))
LONG = f"{FILLER} The word of the vault is {WORD}. {FILLER}"
ASKED = "What is the word of the vault?"


def agent() -> tuple[Memory, Agent]:
    memory = world.memory(clock=world.SteppingClock())
    return memory, memory.agent("ada", user="tuff")


READS: dict[str, Callable[[Agent, str], str]] = {
    "recall": lambda ada, query: " ".join(hit.text for hit in ada.recall(query).hits),
    "context": lambda ada, query: ada.context(query, budget=800).text,
    "conversation": lambda ada, query: ada.conversation(session="new").recall(query).text,
}


def looped(ada: Agent, text: str) -> None:
    with ada.do("Read the file") as loop:
        loop.tool_result(loop.tool_call("read"), text)


DOORS: dict[str, Callable[[Agent, str], object]] = {
    "document": lambda ada, text: ada.documents().put(("notes",), "a", {"text": text}),
    "added": lambda ada, text: ada.documents().add(("notes",), [{"text": text}]),
    "plain": lambda ada, text: ada.documents().put(("notes",), "a", text),
    "tool result": looped,
}


@pytest.mark.parametrize("read", sorted(READS))
@pytest.mark.parametrize("door", sorted(DOORS))
def test_what_stands_in_the_middle_of_a_long_text_is_found(door: str, read: str) -> None:
    memory, ada = agent()
    DOORS[door](ada, LONG)

    assert WORD in READS[read](ada, ASKED)
    assert WORD not in READS[read](memory.agent("ada", user="eve"), ASKED)
    assert memory.prove()


@pytest.mark.parametrize("read", sorted(READS))
def test_a_document_is_known_until_it_is_dropped_or_put_anew(read: str) -> None:
    _, ada = agent()
    papers = ada.documents()
    papers.put(("notes",), "a", {"text": NOTE})
    papers.put(("notes",), "b", {"text": LONG})
    assert "Thursdays" in READS[read](ada, "When does the gardener come?")

    papers.put(("notes",), "a", {"text": "The gardener comes on Mondays"})
    papers.drop(("notes",), "b")

    assert "Thursdays" not in READS[read](ada, "When does the gardener come?")
    assert "Mondays" in READS[read](ada, "When does the gardener come?")
    assert WORD not in READS[read](ada, ASKED)


def test_a_long_text_answers_once_with_the_part_that_answers() -> None:
    _, ada = agent()
    DOORS["document"](ada, LONG)

    hits = ada.recall(ASKED, limit=20).hits

    assert len({hit.id for hit in hits}) == len(hits) == 1
    assert len(hits[0].text) < 2_000
    assert len(ada.documents().search(("notes",), query=ASKED)) == 1


def test_the_id_of_a_document_is_forgotten_and_corrected_like_any_other() -> None:
    memory, ada = agent()
    papers = ada.documents()
    papers.put(("notes",), "a", {"text": NOTE, "by": "me"})
    (hit,) = ada.recall("gardener").hits
    eve = memory.agent("ada", user="eve")
    for change in (lambda: eve.forget(hit.id), lambda: eve.correct(hit.id, "nothing")):
        with pytest.raises(RefusedError, match="item_unknown"):
            change()

    ada.correct(hit.id, "The gardener comes on Mondays")
    found = papers.get(("notes",), "a")
    assert found
    assert found.value == {"text": "The gardener comes on Mondays", "by": "me"}
    ada.forget(hit.id)

    assert not ada.recall("gardener").hits
    with pytest.raises(RefusedError, match="item_unknown"):
        ada.forget(hit.id)


def test_an_event_of_a_loop_that_is_forgotten_is_forgotten_in_all_its_parts() -> None:
    _, ada = agent()
    looped(ada, LONG)
    hit = next(hit for hit in ada.recall(ASKED).hits if WORD in hit.text)

    ada.forget(hit.id)

    left = ada.recall("nothing in particular", limit=50).hits
    assert hit.id not in {each.id for each in left}
    assert WORD not in READS["recall"](ada, ASKED)


def test_the_mirror_answers_by_words_that_its_compact_form_leaves_out() -> None:
    _, ada = agent()
    looped(ada, LONG)

    (hit, *_) = ada.rag_query(f"vault {WORD}")

    assert hit.entry.kind == "tool_result"
    assert WORD not in hit.entry.summary, "its compact form is the seed's"


def test_a_long_loop_keeps_its_task_in_its_summary() -> None:
    _, ada = agent()
    with ada.do("Count the lighthouses of Brittany") as loop:
        for n in range(40):
            loop.tool_result(loop.tool_call("look", {"at": n}), f"rock {n}")

    (found,) = ada.fuzzy_query("lighthouses")
    lines = found.summary.summary.splitlines()

    assert lines == [
        "user_input: Count the lighthouses of Brittany",
        "tool_call: look, 40 times",
        "tool_result: rock 39",
    ]


def test_a_loop_of_many_different_steps_keeps_its_task_and_its_last_ones() -> None:
    _, ada = agent()
    with ada.do("Count the lighthouses of Brittany") as loop:
        for n in range(40):
            loop.tool_result(loop.tool_call(f"look_{n % 2}", {"at": n}), f"rock {n}")

    (found,) = ada.fuzzy_query("lighthouses")
    lines = found.summary.summary.splitlines()

    assert lines[0] == "user_input: Count the lighthouses of Brittany"
    assert lines[-2:] == ["tool_call: look_1 with at: 39", "tool_result: rock 39"]
    assert len(lines) == 50


def test_a_recall_is_in_the_traces_at_once() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    talk.record(user="I prefer tea")
    talk.recall("What do I drink?")

    assert [each["type"] for each in talk.traces()].count("memory_recall") == 1
