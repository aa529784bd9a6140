"""Attacks on reading: a bad question fails alone, and a key means one thing only."""

from collections.abc import Callable

import pytest
from tests.world import lines, memory

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.conversation.channel import ThreadChannel
from muniment.model import canonical_json
from muniment.model.errors import InputError, JobClosedError, KeyReusedError

TELLING = "my password is correct-horse-77"
BAD: dict[str, Callable[[Agent], object]] = {
    "not a truth": lambda ada: ada.recall("tea", quarantined=None),  # type: ignore[arg-type]
    "half a letter": lambda ada: ada.recall("tea", quarantined="\ud800"),  # type: ignore[arg-type]
    "a number for a truth": lambda ada: ada.context("tea", quarantined=1),  # type: ignore[arg-type]
    "a word for a truth": lambda ada: ada.why_not("x", "tea", quarantined="no"),  # type: ignore[arg-type]
    "less than no budget": lambda ada: _channel(ada).context(-1),
    "no ids": lambda ada: ada.used(None, context="x"),  # type: ignore[arg-type]
    "one text for ids": lambda ada: ada.unused("abc", context="x"),
    "no context": lambda ada: ada.used((), context=None),  # type: ignore[arg-type]
    "a name for a context": lambda ada: ada.used_in("tea", context="x"),  # type: ignore[arg-type]
    "no receipt": lambda ada: ada.regenerate(None),  # type: ignore[arg-type]
    "half a limit": lambda ada: ada.what_if({}, limit=1.5),  # type: ignore[arg-type]
    "no place": lambda ada: ada.recall_again(None),  # type: ignore[arg-type]
    "half a place": lambda ada: ada.get_range(1, 1.5),  # type: ignore[arg-type]
    "no heuristics": lambda ada: ada.fuzzy_query("tea", 1),  # type: ignore[arg-type]
    "half a key": lambda ada: ada.get_version("project:\ud800", 1),
    "no utterances": lambda ada: ada.transcribe("phone", None),  # type: ignore[arg-type]
    "no sentences": lambda ada: ada.remember_many(None),  # type: ignore[arg-type]
    "nothing to add": lambda ada: ada.documents().add(("d",), None),  # type: ignore[arg-type]
    "letters to add": lambda ada: ada.documents().add(("d",), "abc"),
    "documents without a name": lambda ada: ada.documents().put_all({"a": 1}),  # type: ignore[dict-item]
    "no moves": lambda ada: ada.documents().move(None),  # type: ignore[arg-type]
}


def _channel(ada: Agent) -> ThreadChannel:
    channel = ada.thread("mail")
    channel.turn("hello")
    return channel


def spoken_with() -> tuple[Memory, Agent]:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.remember("I like tea in the morning")
    return of, ada


@pytest.mark.parametrize("name", BAD)
def test_a_bad_question_is_bad_input_and_harms_no_entry_after_it(name: str) -> None:
    of, ada = spoken_with()

    with pytest.raises(InputError):
        BAD[name](ada)

    ada.remember("I like coffee after lunch")
    ada.flush()
    assert len(ada.get_range()) == of.head(of.streams()[0])
    of.prove()


@pytest.mark.parametrize("filters", [{"task_id": TELLING}, {"tags": [TELLING]}])
def test_a_secret_in_a_filter_is_refused_and_stands_nowhere(filters: dict[str, object]) -> None:
    of, ada = spoken_with()

    with pytest.raises(InputError):
        ada.assemble_context("tea", 50, filters)

    ada.flush()
    kept = b"".join(canonical_json.encode(line.event) for line in lines(of))
    assert b"correct-horse-77" not in kept


def test_more_results_than_a_machine_can_count_are_all_of_them() -> None:
    _, ada = spoken_with()

    assert ada.recall("tea", limit=2**70).hits == ada.recall("tea").hits


def test_the_key_that_ended_one_job_cannot_pass_for_the_end_of_another() -> None:
    of, ada = spoken_with()
    first, second = ada.job("seed-1"), ada.job("seed-2")
    first.memorize({"type": "observation", "text": "the door is open"})
    ended = first.commit(key="end")

    with pytest.raises(KeyReusedError):
        second.commit(key="end")

    assert second.is_open
    assert first.commit(key="end").export == ended.export
    second.commit(key="its own end")
    with pytest.raises(JobClosedError):
        second.tick()
    of.prove()
