"""Forgetting an event of a loop takes its words out of everything that was made from it."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.scope import agent_stream

WORD = "zanzibarite"
TASK = "Look at the ring of my aunt"


def lived() -> tuple[Memory, Agent]:
    """Four loops of the same work; the second has found the word."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    for stone in ("opal", WORD, "opal", "opal"):
        with ada.do(TASK) as loop:
            call = loop.tool_call("look", {"at": "ring"})
            loop.tool_result(call, f"the stone is a {stone}")
            loop.answer(f"it is a {stone}")
    return memory, ada


def telling(memory: Memory, ada: Agent) -> list[str]:
    """Everything that is made from loops, and says the word."""
    view = memory.actor_view("ada")
    told = {
        "recall": [hit.text for hit in ada.recall(WORD, limit=40).hits],
        "context": ada.context(WORD, budget=2000).text,
        "conversation": ada.conversation(session="new").recall(WORD).text,
        "rag_query": ada.rag_query(f"stone {WORD}", {"top_k": 40}),
        "fuzzy_query": ada.fuzzy_query(TASK, {"threshold": 0}),
        "loops": view.loops(),
        "skills": [ada.skills(), view.skills()],
        "memos": ada.memos("SM"),
        "export": list(memory.exchange("otto").records()),
    }
    return sorted(name for name, said in told.items() if WORD in str(said))


def forget(ada: Agent) -> list[str]:
    """Every event that says the word goes, by the ids of a recall."""
    gone = []
    while found := [hit for hit in ada.recall(WORD, limit=40).hits if WORD in hit.text]:
        ada.forget(found[0].id)
        gone.append(found[0].id)
    return gone


def nothing(_: Memory) -> None:
    return


def dreamt(memory: Memory) -> None:
    memory.subconscious("ada").dream()


def compacted(memory: Memory) -> None:
    dreamt(memory)
    memory.agent("ada", user="tuff").compact()


@pytest.mark.parametrize("after", [nothing, dreamt, compacted])
@pytest.mark.parametrize("before", [nothing, dreamt, compacted])
def test_what_was_forgotten_of_a_loop_is_told_by_nothing_made_from_it(
    before: Callable[[Memory], None], after: Callable[[Memory], None]
) -> None:
    memory, ada = lived()
    before(memory)
    assert {"loops", "fuzzy_query", "export"} <= set(telling(memory, ada))

    assert len(forget(ada)) == 2
    after(memory)

    assert telling(memory, ada) == []
    assert all(proof.undecided == 0 for proof in memory.prove())


def test_the_rest_of_the_loop_is_told_anew_without_it() -> None:
    memory, ada = lived()
    dreamt(memory)
    forget(ada)

    summary = memory.actor_view("ada").loops()[2]

    assert TASK in summary.summary
    assert len(summary.mirror_ids) == 2
    assert len(memory.actor_view("ada").loops()) == 4


def test_what_is_restored_is_told_again_where_it_was_told() -> None:
    memory, ada = lived()
    dreamt(memory)
    before = telling(memory, ada)
    for name in forget(ada):
        ada.restore(name)

    assert telling(memory, ada) == before
    assert all(proof.undecided == 0 for proof in memory.prove())


def test_a_loop_of_which_all_is_forgotten_has_no_summary_and_no_place_in_a_skill() -> None:
    memory, ada = lived()
    dreamt(memory)
    loop = memory.actor_view("ada").loops()[2]
    ada.forget(loop.loop_id)

    assert loop.loop_id not in {each.loop_id for each in memory.actor_view("ada").loops()}
    (skill,) = ada.skills()
    assert loop.loop_id not in skill.evidence


def test_the_log_and_the_past_keep_what_was_forgotten() -> None:
    _, ada = lived()
    then = ada.seq
    forget(ada)

    assert WORD in str(ada.rag_query(f"stone {WORD}", {"top_k": 40}, at=then))
    assert WORD in str(ada.fuzzy_query(TASK, {"threshold": 0}, at=then))
    assert WORD in str(ada.get_range())


def test_the_trail_of_an_event_says_that_it_was_forgotten_and_restored() -> None:
    memory, ada = lived()
    name = forget(ada)[0]
    ada.restore(name)

    own = agent_stream("main", "ada")
    said = [each.why for each in memory.auditor().trail(own, name).after]

    assert [each for each in said if each in {"ended", "restored"}] == ["ended", "restored"]
