"""Endings: what the log says of what was forgotten by its id, and whose words that holds."""

import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.model.errors import RefusedError
from muniment.model.events import ItemForgotten
from muniment.model.events.memos import MemosForgotten

WHY = "I never said so"


def ends(memory: Memory) -> list[ItemForgotten | MemosForgotten]:
    events = [line.event for line in world.lines(memory)]
    return [each for each in events if isinstance(each, ItemForgotten | MemosForgotten)]


def test_the_end_of_an_episode_says_which_and_why() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    told = ada.remember("The boat is blue")

    ada.forget(told.episodic_id, reason=WHY)

    (end,) = ends(memory)
    assert isinstance(end, ItemForgotten)
    assert (end.item_id, end.reason, end.about_nobody) == (told.episodic_id, WHY, False)


def test_the_end_of_an_episode_about_nobody_holds_no_word_of_who_ended_it() -> None:
    memory = world.memory()
    told = memory.agent("ada").remember("The pier is closed")

    memory.agent("ada", user="tuff").forget(told.episodic_id, reason=WHY)

    (end,) = ends(memory)
    assert isinstance(end, ItemForgotten)
    assert (end.item_id, end.reason, end.about_nobody) == (told.episodic_id, "", True)


def test_the_end_of_a_memo_says_who_which_why_and_in_every_place() -> None:
    memory = world.memory()
    job = memory.agent("ada", user="tuff").job("seed-1", session="s")
    kept = job.memorize({"type": "observation", "text": "the boat was tarred"})
    job.memorize({"type": "observation", "text": "the mast was set"})

    memory.agent("ada", user="tuff").forget(kept.id, reason=WHY)

    found = {each.place: each for each in ends(memory) if isinstance(each, MemosForgotten)}
    assert {place: each.memo_ids for place, each in found.items()} == {
        "EM": (kept.id,),
        "WM": (kept.id,),
    }
    assert {(each.reason, each.phrase, each.subject) for each in found.values()} == {
        (WHY, f"id:{kept.id}", "user_tuff")
    }
    assert {place: bool(each.pad) for place, each in found.items()} == {"EM": False, "WM": True}
    assert [memo.text for memo in job.memos("WM")] == ["the mast was set"]


def test_the_end_of_a_memo_about_nobody_holds_no_word_of_who_ended_it() -> None:
    memory = world.memory()
    kept = (
        memory.agent("ada")
        .job("seed-1", session="s")
        .memorize({"type": "fact", "text": "the pier is closed", "key": "pier:state"})
    )

    memory.agent("ada", user="tuff").forget(kept.id, reason=WHY)

    told = [each for each in ends(memory) if isinstance(each, MemosForgotten)]
    assert {each.memo_ids for each in told} == {(kept.id,)}
    assert {(each.reason, each.phrase, each.subject) for each in told} == {("", "", "")}


@pytest.mark.parametrize("verb", ["forget", "vouch"])
def test_an_id_that_names_nothing_is_refused_by_its_name(verb: str) -> None:
    ada = world.memory().agent("ada", user="tuff")

    with pytest.raises(RefusedError) as told:
        getattr(ada, verb)("ep:nothing")

    assert (told.value.reason, told.value.detail) == ("item_unknown", "ep:nothing")
