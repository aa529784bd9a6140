"""The whole of it: an agent with two personas lives through a day, and its documents are there."""

import re
from pathlib import Path

import pytest
from tests import world
from tests.world import SteppingClock

from muniment.model.errors import NotFoundError
from muniment.model.scope import Persona

ROOT = Path(__file__).parents[3]


@pytest.mark.covers("C-001", "C-002", "C-003", "C-005")
def test_layers_kinds_loops_search_derivation_and_access_work_together() -> None:
    memory = world.memory(clock=SteppingClock())
    ada, below = memory.agent("ada", user="tuff"), memory.subconscious("ada")
    for city in ("Lisbon", "Porto"):
        with ada.do(f"find a ferry to {city}") as doing:  # kinds and loops
            doing.tool_result(doing.tool_call("search", {"to": city}), f"{city} at eight")
            doing.answer(f"The ferry to {city} leaves at eight.")
    with below.job() as job:
        job.observe_event("subconscious_output", "the user travels a lot")
    below.dream()

    for persona, loops in ((Persona.ACTOR, 2), (Persona.SUBCONSCIOUS, 2)):  # three layers each
        covered = below.view.coverage(persona)
        assert covered.idetic == covered.mirror > 0
        assert covered.loops == covered.summaries == loops
    assert ada.rag_query("ferry to Porto")[0].entry.summary == "find a ferry to Porto"  # search
    assert len(ada.fuzzy_query("ferry lisbon", {"threshold": 90})) == 1
    hidden = next(e for e in below.view.get_range() if e.persona is Persona.SUBCONSCIOUS)
    with pytest.raises(NotFoundError):  # access
        memory.actor_view("ada").get_by_id(hidden.id)
    assert memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}


@pytest.mark.covers("C-059")
@pytest.mark.parametrize("page", ["architecture.md", "personas.md", "policies.md"])
def test_the_companion_pages_are_there_and_their_links_lead_somewhere(page: str) -> None:
    path = ROOT / "docs" / page
    text = path.read_text("utf-8")

    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (path.parent / target).exists(), target
    if page == "personas.md":
        assert "<agent_id>__<persona>__ltm" in text
    if page == "architecture.md":  # the storage layout: which stream holds what
        assert re.search(r"^\| collection \|", text, re.MULTILINE)


def test_erasing_a_person_takes_every_layer_of_their_loops_along() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    with ada.do("the lighthouse keeper sings") as doing:
        doing.answer("at the lighthouse")
    with memory.agent("ada", user="mia").do("the lighthouse is white"):
        pass
    below = memory.subconscious("ada")
    assert len(below.view.rag_query("lighthouse")) == 3

    eraser = memory.eraser()
    request = eraser.request("tuff", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)

    for view in (below.view, memory.subconscious_view("ada")):
        assert [hit.entry.summary for hit in view.rag_query("lighthouse")] == [
            "the lighthouse is white"
        ]
        assert len(view.loops("actor")) == 1
    covered = below.view.coverage()
    assert covered.mirror + covered.pending_derivation == covered.idetic == 1
    assert "singing" not in repr(below.view.get_range())
    below.dream()
    assert below.view.coverage().idetic == 1
    assert memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}
