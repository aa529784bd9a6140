"""One agent, several people: what it keeps of one is not another's to read, forget or promote."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.policy import Brainstate, Policy
from muniment.model.policy.memo_gate import Gating

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


# ── What is about nobody is no one person's to end ──────────────────────────────────────────────

OFFICE = "the harbour office closes at six"
ASKED = "when does the harbour office close?"
GATE = {"type": "fact", "text": "the gate code is on the blue card", "importance": 0.9}


def shared() -> tuple[Memory, Agent, Agent, Agent]:
    memory = world.memory()
    nobody, tuff, eve = memory.agent("ada"), *[memory.agent("ada", user=u) for u in ("tuff", "eve")]
    tuff.remember("tuff rows on Sundays")
    eve.remember("eve keeps bees")
    return memory, nobody, tuff, eve


def erased(memory: Memory, user: str) -> None:
    request = memory.eraser().request(user, reason="they asked")
    memory.council().approve(request)
    memory.eraser().carry_out(request)


def texts(reader: Agent, question: str) -> list[str]:
    return [hit.text for hit in reader.recall(question).hits]


def size(reader: Agent, kind: str) -> int:
    return reader.memory_type(kind).get_capacity_info().items


def refused(change: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as told:
        change()
    return told.value


def test_no_one_person_forgets_or_corrects_what_is_about_nobody() -> None:
    memory, nobody, tuff, eve = shared()
    kept = nobody.remember(OFFICE).episodic_id

    forgetting = refused(lambda: tuff.forget(kept, reason="tuff says it moved to the marina"))
    correcting = refused(lambda: tuff.correct(kept, "the harbour office closes at seven"))

    for each in (forgetting, correcting):
        assert (each.reason, each.detail) == ("about_nobody", kept)
        assert "about nobody" in each.sentence
        assert "who speaks for no user" in each.sentence
    assert [texts(each, ASKED) for each in (nobody, tuff, eve)] == [[OFFICE]] * 3
    assert "marina" not in repr(eve.get_range())
    assert memory.prove()


def test_what_the_agent_puts_right_about_nobody_everybody_finds_whoever_is_erased() -> None:
    memory, nobody, tuff, eve = shared()
    kept = nobody.remember(OFFICE).episodic_id

    nobody.correct(kept, "the harbour office closes at seven")
    erased(memory, "tuff")

    now = ["the harbour office closes at seven"]
    assert [texts(each, ASKED) for each in (nobody, tuff, eve)] == [now] * 3


def test_a_filter_of_one_person_leaves_what_is_about_nobody_as_its_preview_says() -> None:
    _, nobody, tuff, eve = shared()
    kept = nobody.remember(OFFICE, tags=("harbour",)).episodic_id
    said = "tuff likes the harbour office"
    mine = tuff.remember(said, tags=("harbour",)).episodic_id
    where = {"tags": "harbour"}

    preview = tuff.forget_where(where, preview=True)
    done = tuff.forget_where(where)

    for each in (preview, done):
        assert [record.id for record in each.records] == [mine]
        assert each.refused == (kept,)
    assert texts(eve, ASKED) == texts(tuff, ASKED) == [OFFICE]
    again = tuff.forget_where(where)
    assert (again.records, again.refused, again.last) == ((), (kept,), 0)
    assert [record.id for record in nobody.forget_where(where).records] == [kept]
    assert texts(eve, ASKED) == []


def test_no_one_person_forgets_a_memo_about_nobody() -> None:
    memory, nobody, tuff, eve = shared()
    kept = nobody.memorize(GATE, store="SM").id
    asked = "where is the gate code?"

    for change in (
        lambda: tuff.forget_memos("SM", f"memory id:{kept}", reason="tuff lost the card"),
        lambda: tuff.forget(kept),
        lambda: tuff.correct(kept, "the gate code is on the red card"),
    ):
        assert refused(change).reason == "about_nobody"

    assert [texts(each, asked) for each in (nobody, tuff, eve)] == [[GATE["text"]]] * 3
    nobody.forget(kept)
    assert texts(eve, asked) == []
    assert [size(each, "semantic") for each in (nobody, tuff)] == [0, 0]
    erased(memory, "tuff")
    assert nobody.memos("SM") == eve.memos("SM") == []
    assert memory.prove()


def test_of_an_episode_a_person_forgets_only_their_own_memos() -> None:
    memory, nobody, tuff, _ = shared()
    mine, other = [
        each.memorize(
            {"type": "observation", "text": f"{word} was moored", "importance": 0.9}
            | {"episode_id": "storm"},
            store="EM",
        ).id
        for each, word in ((tuff, "a dinghy"), (nobody, "the ferry"))
    ]

    told = tuff.forget_memos("EM", "episode:storm")

    assert told.ids == (mine,)
    assert [size(each, "episodic") for each in (tuff, nobody)] == [0, 1]
    erased(memory, "tuff")
    assert [memo.id for memo in nobody.memos("EM")] == [other]


def test_a_scratchpad_of_nobody_that_gave_way_to_a_person_is_found_when_they_are_erased() -> None:
    policy = Policy(gating=Gating(working_tasks_max=1))
    memory = world.memory(policy=policy)
    nobody, tuff = memory.agent("ada"), memory.agent("ada", user="tuff")
    note = {"type": "thought", "text": "the tide turns at noon", "task_id": "tides"}
    kept = nobody.memorize(note, store="WM").id
    tuff.memorize({"type": "thought", "text": "tuff thinks of tea", "task_id": "tea"}, store="WM")
    assert [memo.id for memo in nobody.memos("EM")] == [kept]

    erased(memory, "tuff")

    assert [memo.id for memo in nobody.memos("EM")] == [kept]
    assert nobody.job("seed-1", session="tides").memos("WM") == []


def test_a_session_of_nobody_gives_way_to_a_persons_and_comes_back_when_they_are_erased() -> None:
    memory = world.memory(policy=Policy(brainstate=Brainstate(sessions_max=1)))
    nobody, tuff = memory.agent("ada"), memory.agent("ada", user="tuff")
    nobody.conversation(session="kiosk").record(user="the ferry is late", ai="noted")

    tuff.conversation(session="monday").record(user="I prefer tea", ai="noted")
    assert len(world.hub(memory).writer(tuff._session.stream_id).desk.ledgers.open) == 1
    erased(memory, "tuff")

    kiosk = nobody.conversation(session="kiosk")
    kiosk.record(user="the ferry has left", ai="noted")
    said = [item.text for item in kiosk.items("short_term")]
    assert said == ["the ferry is late", "noted", "the ferry has left", "noted"]
    assert memory.prove()


def test_what_the_agent_forgot_about_nobody_is_not_one_users_to_bring_back() -> None:
    memory, _, eve, _ = two_people()
    ada = memory.agent("ada")
    told = ada.remember("the office closes at six").episodic_id
    ada.forget(told)

    with pytest.raises(RefusedError) as refused:
        eve.restore(told)

    assert refused.value.reason == "about_nobody"
    assert eve.recall("when does the office close?").hits == ()
    ada.restore(told)
    assert eve.recall("when does the office close?").hits != ()
