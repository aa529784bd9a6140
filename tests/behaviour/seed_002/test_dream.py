"""Dreaming: derived layers catch up, importance is regraded, and it may stop anywhere."""

import pytest
from tests import world
from tests.personas import Switch

from muniment.engine.api.memory import Memory
from muniment.engine.maintenance.dream import STEPS, DreamWork, Progress
from muniment.log.entry import Line
from muniment.model.events.loops import LoopsDigested, Regraded
from muniment.model.scope import Persona, agent_stream, collection_stream

PLACE = collection_stream(agent_stream("main", "ada"))


class EnoughError(Exception):
    """Whoever watches wants the dream to stop."""


def owing(events: int = 3, *, loops: int = 1) -> tuple[Memory, Switch]:
    """A memory whose derived layers have not been made."""
    switch = Switch()
    memory = world.memory(tools=switch.tools())
    switch.compacting = switch.embedding = False
    ada = memory.agent("ada", user="tuff")
    for n in range(loops):
        with ada.do(f"task {n}") as doing:
            for k in range(events - 1):
                doing.note(f"step {k} of {n}")
    switch.compacting = switch.embedding = True
    return memory, switch


@pytest.mark.covers("C-041")
def test_a_dream_backfills_the_mirror_and_the_summaries() -> None:
    memory, _ = owing(3, loops=4)
    below = memory.subconscious("ada")
    before = below.view.coverage()
    told = below.dream()
    after = below.view.coverage()

    assert (before.idetic, before.mirror, before.pending_derivation, before.summaries) == (
        12,
        0,
        12,
        0,
    )
    assert (after.mirror, after.pending_derivation, after.summaries) == (12, 0, 4)
    assert told.done["actor"] == {"mirror": 12, "summaries": 4}
    assert told.owed == told.done
    assert below.dream().done.get("actor") is None  # a second one finds nothing to do there


@pytest.mark.covers("C-041", "C-039")
def test_a_dream_embeds_what_is_pending() -> None:
    memory, switch = owing()
    switch.embedding = False
    below = memory.subconscious("ada")
    below.dream()
    assert below.view.coverage().pending_embedding == 3
    switch.embedding = True

    assert below.dream().done["actor"]["embeddings"] == 3
    assert below.view.coverage().pending_embedding == 0


def test_the_same_is_found_before_a_dream_and_after_it() -> None:
    memory, _ = owing(3, loops=3)
    ada = memory.agent("ada", user="tuff")
    before = ada.rag_query("step task", {"top_k": 50}), ada.fuzzy_query("task", {"threshold": 0})
    memory.subconscious("ada").dream()

    assert len(before[0]) == 9
    after = ada.rag_query("step task", {"top_k": 50}), ada.fuzzy_query("task", {"threshold": 0})
    assert before == after


def test_repetition_lowers_importance_and_a_correction_raises_it() -> None:
    memory = world.memory()
    ada = memory.agent("ada")
    for text in ("hello", "hello", "hello", "actually not the train but the ferry"):
        with ada.do(text):
            pass
    below = memory.subconscious("ada")
    assert below.dream().done["actor"]["importance"] == 4
    grades = [e.event for e in memory.log(PLACE) if isinstance(e.event, Regraded)]

    assert [(each.importance, each.reasons[1:]) for each in grades] == [
        (2, ("repetition",)),
        (2, ("repetition",)),
        (2, ("repetition",)),
        (6, ("user_correction",)),
    ]
    hits = {hit.entry.summary: hit.entry.importance for hit in ada.rag_query("hello ferry train")}
    assert hits == {"hello": 2, "actually not the train but the ferry": 6}
    assert "importance" not in below.dream().done.get("actor", {})
    assert memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}


def test_summaries_beyond_the_window_are_folded_into_digests() -> None:
    memory = world.memory()
    ada = memory.agent("ada")
    for n in range(35):  # the window holds twenty
        with ada.do(f"task {n}"):
            pass
    below = memory.subconscious("ada")
    assert below.dream().done["actor"]["digests"] == 1
    (digest,) = [e.event for e in memory.log(PLACE) if isinstance(e.event, LoopsDigested)]

    assert len(digest.loop_ids) == 10
    assert digest.summary.split("\n")[0] == "user_input: task 0"
    assert below.view.coverage().summaries == 35  # nothing is taken away
    assert "digests" not in below.dream().done.get("actor", {})
    assert memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}


@pytest.mark.covers("C-031")
def test_a_dream_is_a_loop_of_the_subconscious() -> None:
    memory, _ = owing()
    below = memory.subconscious("ada")
    head = memory.agent("ada").seq
    told = below.dream()
    events = [event for event in below.view.get_range() if event.loop_id == told.loop_id]

    assert [event.kind for event in events] == ["subconscious_prompt", "subconscious_output"]
    assert {event.persona for event in events} == {Persona.SUBCONSCIOUS}
    assert '"mirror":3' in str(events[-1].content)
    assert memory.agent("ada").seq == head  # the Actor's own log is not written to
    another = below.dream()
    assert another.loop_id != told.loop_id


def test_a_dream_shows_its_progress_and_goes_on_after_an_interruption() -> None:
    memory, _ = owing(50, loops=3)
    below = memory.subconscious("ada")
    seen: list[Progress] = []

    def stop(at: Progress) -> None:
        seen.append(at)
        if at.done >= 64:
            raise EnoughError

    with pytest.raises(EnoughError):
        below.dream(progress=stop)
    assert (seen[0].persona, seen[0].step, seen[0].done, seen[0].of) == ("actor", "mirror", 64, 150)
    assert below.view.coverage().mirror == 64  # what it did stays done
    own = [each for each in below.view.get_range() if each.persona is Persona.SUBCONSCIOUS]
    assert [each.kind for each in own] == ["subconscious_prompt", "error"]

    told = below.dream(progress=seen.append)
    assert told.owed["actor"]["mirror"] == 150 - 64
    assert below.view.coverage().pending_derivation == 0
    assert [at.done for at in seen if at.step == "mirror" and at.persona == "actor"] == [64, 64, 86]
    assert memory.prove()


def test_another_step_is_one_more_name_in_the_list() -> None:
    memory, _ = owing()
    seen: list[str] = []

    def count(work: DreamWork):  # type: ignore[no-untyped-def] # noqa: ANN202
        seen.append(work.library.name)
        yield 1, 1

    told = memory.subconscious("ada").dream(steps={**STEPS, "threads": count})
    assert seen == ["ada__actor__ltm", "ada__subconscious__ltm"]
    assert told.done["actor"]["threads"] == 1


def test_two_that_dream_at_once_make_each_entry_once() -> None:
    memory, _ = owing(3, loops=2)
    one, other = memory.subconscious("ada"), memory.subconscious("ada")
    other_done: list[int] = []

    def meanwhile(at: Progress) -> None:
        if not other_done:
            other_done.append(1)
            other.dream()

    one.dream(progress=meanwhile)
    lines: list[Line] = memory.log(PLACE)
    mirrored = [line for line in lines if line.header.type == "ltm_mirrored"]
    assert len(mirrored) == one.view.coverage().idetic == 6
    assert memory.prove()
