"""One agent, several people: what it keeps of one is not another's to read, forget or promote."""

import pytest
from tests import world

from muniment.engine.agent import Agent
from muniment.engine.memory import Memory
from muniment.model.errors import NotFoundError, RefusedError

HIDING_PLACE = "tuff hides the spare key under the third flower pot"


def two_people() -> tuple[Memory, Agent, Agent, str]:
    memory = world.memory()
    tuff, eve = memory.agent("ada", user="tuff"), memory.agent("ada", user="eve")
    kept = tuff.remember(HIDING_PLACE).episodic_id
    return memory, tuff, eve, kept


def test_recall_and_context_give_one_person_nothing_of_another() -> None:
    _, tuff, eve, _ = two_people()

    assert [hit.text for hit in tuff.recall("spare key").hits] == [HIDING_PLACE]
    assert eve.recall("spare key flower pot").hits == ()
    assert "flower" not in eve.context("where is the spare key?").text
    assert eve.episodic_query("spare key") == []


def test_an_id_alone_opens_nothing_of_another_person() -> None:
    _, tuff, eve, kept = two_people()

    assert tuff.episode(kept).summary == HIDING_PLACE
    with pytest.raises(NotFoundError):
        eve.episode(kept)
    with pytest.raises(RefusedError, match="ep:"):
        eve.forget(kept)
    with pytest.raises(RefusedError):
        eve.memory_promote_request(kept, "world/key/spare/place")
    assert tuff.episode(kept).summary == HIDING_PLACE


def test_the_log_that_one_person_may_see_holds_no_entry_about_another() -> None:
    _, tuff, eve, _ = two_people()

    seen = repr(eve.get_range())

    assert "flower" in repr(tuff.get_range())
    assert "flower" not in seen


def test_a_window_counts_what_a_person_may_see() -> None:
    _, tuff, eve, _ = two_people()
    eve.remember("eve keeps bees")
    for number in range(20):
        tuff.remember(f"tuff says something else for the {number}th time")

    found = eve.episodic_query("bees", window_n=1)

    assert [each.entry.summary for each in found] == ["eve keeps bees"]


def test_what_is_about_nobody_is_seen_by_everybody() -> None:
    memory, _, eve, _ = two_people()
    memory.agent("ada").remember("the office closes at six", origin="system")

    assert [hit.text for hit in eve.recall("when does the office close at six").hits] == [
        "the office closes at six"
    ]


def test_a_session_belongs_to_one_person() -> None:
    """Otherwise one person's words would be summarised under another's key, beyond erasure."""
    _, tuff, eve, _ = two_people()
    job = tuff.job("seed-1", session="shared")

    with pytest.raises(RefusedError) as refused:
        eve.job("seed-2", session="shared")

    assert refused.value.reason == "session_of_another_person"
    job.commit()
    assert eve.job("seed-3", session="shared").is_open


def test_the_same_seed_cannot_be_used_by_two_people_of_one_agent() -> None:
    """Ids are counted from the seed, whoever uses it."""
    _, tuff, eve, _ = two_people()
    tuff.job("seed-1").commit()

    with pytest.raises(RefusedError) as refused:
        eve.job("seed-1")

    assert refused.value.reason == "job_seed_used"


def test_erasing_one_person_leaves_the_other_whole() -> None:
    memory, tuff, eve, kept = two_people()
    bees = eve.remember("eve keeps bees").episodic_id
    request = memory.eraser().request("tuff", reason="he asked")
    memory.council().approve(request)

    memory.eraser().carry_out(request)

    with pytest.raises(NotFoundError):
        tuff.episode(kept)
    assert eve.episode(bees).summary == "eve keeps bees"
    assert memory.prove()


def test_a_past_read_of_facts_works_for_entries_written_by_someone_who_never_looked() -> None:
    memory, tuff, _, _ = two_people()
    told = tuff.remember("Remember my favourite colour is cerulean")
    assert told.question
    memory.council().approve(tuff.confirm(told.question.confirmation_id))
    seq = memory.agent("ada", user="tuff").remember("something unrelated").seq

    read = tuff.sem_get("user/profile/tuff/favorite_color", at=seq)

    assert read.value == "cerulean"


def test_loops_mirrors_and_conversations_of_one_person_are_not_anothers() -> None:
    _, tuff, eve, _ = two_people()
    with tuff.do(HIDING_PLACE):
        pass
    tuff.conversation(session="monday").record(user="I prefer secret gardens", ai="Noted")

    assert tuff.rag_query("spare key")
    assert eve.rag_query("spare key") == []
    assert eve.fuzzy_query("spare key flower pot") == []
    assert "flower" not in eve.context("the spare key under the flower pot").text
    assert eve.conversation(session="tuesday").recall("secret gardens").items == ()
