"""Endings: what the log says of what was forgotten by its id, and whose words that holds."""

from typing import cast

import pytest
from tests import world
from tests.behaviour.seed_003 import golden_talks

from muniment.engine.api.memory import Memory
from muniment.engine.decide import records
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model import ids
from muniment.model.commands import Remember
from muniment.model.errors import RefusedError
from muniment.model.events import EpisodeWritten, ItemForgotten
from muniment.model.events.memos import MemosForgotten
from muniment.model.kinds.handles import NONE, Handles

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

    memory.agent("ada", user="tuff").roll_back("item", told.episodic_id, reason=WHY)

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

    memory.agent("ada", user="tuff").roll_back("item", kept.id, reason=WHY)

    told = [each for each in ends(memory) if isinstance(each, MemosForgotten)]
    assert {each.memo_ids for each in told} == {(kept.id,)}
    assert {(each.reason, each.phrase, each.subject) for each in told} == {("", "", "")}


@pytest.mark.parametrize("verb", ["forget", "vouch"])
def test_an_id_that_names_nothing_is_refused_by_its_name(verb: str) -> None:
    ada = world.memory().agent("ada", user="tuff")

    with pytest.raises(RefusedError) as told:
        getattr(ada, verb)("ep:nothing")

    assert (told.value.reason, told.value.detail) == ("item_unknown", "ep:nothing")


def test_the_end_of_a_loops_event_lies_on_a_shelf_of_its_own() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    with ada.do("Look at the ring") as loop:
        loop.answer("it is an opal")
    said = next(hit for hit in ada.recall("opal").hits if "opal" in hit.text)
    kite = ada.remember("The kite is green")

    ada.forget(said.id, reason=WHY)
    ada.forget(kite.episodic_id)

    of_loop, of_kite = ends(memory)
    assert isinstance(of_loop, ItemForgotten)
    assert isinstance(of_kite, ItemForgotten)
    assert (of_loop.item_id, of_loop.shelf, of_loop.reason) == (said.id, "forgotten_events", WHY)
    assert of_kite.shelf == "episodic"


def test_the_end_of_what_was_corrected_says_by_what_also_where_it_is_about_nobody() -> None:
    memory = world.memory()
    told = memory.agent("ada").remember("The pier is closed")

    other = memory.agent("ada").correct(told.episodic_id, "The pier is open")

    (end,) = ends(memory)
    assert end.reason == f"corrected by {other.episodic_id}"


def test_a_summary_that_quotes_a_memo_goes_with_it() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    chat = ada.thread("case", explicit=True)
    kept = [chat.turn(text).memo_ids[0] for text in golden_talks.turns("trip")]
    summary = next(each.told_by for each in ada.compact() if each.strategy == "summary")

    ada.forget(kept[0], reason=WHY)

    told = [each for each in ends(memory) if isinstance(each, MemosForgotten)]
    assert [
        (each.memo_ids, each.place, each.phrase, each.reason, each.subject, each.pad)
        for each in told
        if each.memo_ids == (summary,)
    ] == [((summary,), "EM", f"id:{kept[0]}", WHY, "user_tuff", "")]
    assert (kept[0],) in [each.memo_ids for each in told]


def test_a_memo_is_ended_as_its_own_whoever_kept_the_newest() -> None:
    memory = world.memory()
    boat = {"type": "fact", "text": "the boat is tarred", "key": "boat:state"}
    pier = {"type": "fact", "text": "the pier is closed", "key": "pier:state"}
    mine = memory.agent("ada", user="tuff").job("seed-1", session="s").memorize(boat)
    memory.agent("ada").job("seed-2", session="t").memorize(pier)

    memory.agent("ada", user="tuff").forget(mine.id, reason=WHY)

    assert {each.reason for each in ends(memory)} == {WHY}


def test_whatever_lives_can_be_vouched_for_and_nothing_else() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.documents().put(["notes"], "p", {"text": "a purple note"})
    talk = ada.conversation(session="monday")
    said = talk.record(user="The lamp is in the cellar").written[0].id
    living = [
        ada.remember("The boat is blue").episodic_id,
        said,
        ada.recall("a purple note").hits[0].id,
    ]

    assert all(ada.vouch(each) for each in living)
    for name in ("session:monday:short_term:99", '["user_tuff",["notes"],"q"]'):
        with pytest.raises(RefusedError) as told:
            ada.vouch(name)
        assert (told.value.reason, told.value.detail) == ("item_unknown", name)


def test_an_expiry_counts_from_the_moment_that_its_record_was_told() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").remember("The boat is let", expires="PT1H")

    (line,) = [each for each in world.lines(memory) if isinstance(each.event, EpisodeWritten)]

    assert isinstance(line.event, EpisodeWritten)
    hour = ids.time_ms(line.event.handles.expires) - ids.time_ms(line.event.created_seeded_ts)
    assert hour == 3_600_000


def test_handles_that_nobody_gave_are_not_spelled() -> None:
    now = cast("DecisionContext", None)  # it is asked for the time of an expiry alone

    assert records.given_handles(now, Remember(text="The boat is blue")) is NONE
    assert records.given_handles(now, Remember(text="It is let", tags=("boats",))) == Handles(
        tags=("boats",)
    )
