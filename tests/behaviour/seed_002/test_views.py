"""Who sees what: the Actor its own layers, the Subconscious both, and nothing crosses."""

import inspect
from pathlib import Path

import apsw
import pytest
from tests import world

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.api.persona_views import ActorMemoryView, SubconsciousMemoryView
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import InputError, NotFoundError
from muniment.model.scope import Persona, agent_stream, collection_stream

HIDDEN = "the owl remembers the harbour"
PLAIN = "the gull remembers the harbour"


def lived(memory: Memory) -> list[str]:
    """Both personas have been busy with the same words; returns the ids of what is hidden."""
    ada, below = memory.agent("ada", user="tuff"), memory.subconscious("ada")
    with ada.do(PLAIN) as doing:
        doing.answer("noted")
    with below.job() as job:
        hidden = [
            job.observe_event("subconscious_prompt", HIDDEN),
            job.observe_event("user_input", f"feedback: {HIDDEN}"),
            job.observe_event("subconscious_output", f"so {HIDDEN}"),
        ]
    below.dream()
    below.learn(HIDDEN)
    return hidden


@pytest.fixture
def memory() -> Memory:
    return world.memory()


# ── The three tests that the design asks for ────────────────────────────────────────────────────


@pytest.mark.covers("C-056", "C-050", "C-003", "C-004")
def test_actor_retrieval_never_returns_rows_of_the_subconscious(memory: Memory) -> None:
    hidden = lived(memory)
    ada, view = memory.agent("ada", user="tuff"), memory.actor_view("ada")

    events = view.get_range()
    hits = view.rag_query("owl harbour remembers") + ada.rag_query("owl harbour remembers")
    loops = [each.summary for each in view.fuzzy_query("owl harbour", {"threshold": 0})]
    loops += view.loops() + [each.summary for each in ada.fuzzy_query("owl", {"threshold": 0})]
    assert events
    assert hits
    assert loops
    assert {each.persona for each in events} == {Persona.ACTOR}
    assert {hit.entry.persona for hit in hits} == {Persona.ACTOR}
    assert {each.persona for each in loops} == {Persona.ACTOR}
    assert "owl" not in repr([events, hits, loops, ada.get_range()])
    for each in hidden:
        with pytest.raises(NotFoundError):
            view.get_by_id(each)
        with pytest.raises(NotFoundError):
            ada.get_by_id(each)


class WatchedStore(ScratchStore):
    """A store that notes which streams are touched."""

    def __init__(self) -> None:
        super().__init__()
        self.touched: set[str] = set()

    def _peek(self, stream: str):  # type: ignore[no-untyped-def] # noqa: ANN202
        self.touched.add(stream)
        return super()._peek(stream)


@pytest.mark.covers("C-057", "C-054")
def test_actor_vector_queries_never_touch_the_collection_of_the_subconscious() -> None:
    store = WatchedStore()
    memory = world.memory(store=store)
    lived(memory)
    inside = world.hub(memory)
    streams = {
        persona: {
            inside.stream(agent_stream("main", "ada", persona)).ref,
            inside.stream(collection_stream(agent_stream("main", "ada", persona))).ref,
        }
        for persona in Persona
    }
    ada, view = memory.agent("ada", user="tuff"), memory.actor_view("ada")
    store.touched.clear()
    view.rag_query("owl harbour")
    view.fuzzy_query("owl harbour")
    view.loops()
    view.get_range()
    ada.rag_query("owl harbour")
    ada.fuzzy_query("owl harbour")
    ada.context("owl harbour")

    assert view.collections == ("ada__actor__ltm",)
    assert store.touched & streams[Persona.ACTOR]
    assert not store.touched & streams[Persona.SUBCONSCIOUS]


@pytest.mark.covers("C-058", "C-052")
def test_an_actor_prompt_holds_nothing_of_the_subconscious(memory: Memory) -> None:
    lived(memory)
    ada = memory.agent("ada", user="tuff")
    context = ada.context("what does the owl at the harbour remember?", budget=4_000)

    assert "gull" in context.text  # it does hold what the Actor has lived
    assert "owl" not in context.text
    assert "owl" not in repr(context.pieces)
    with ada.job() as job:
        assert "owl" not in str(job.assemble_context("owl harbour", 4_000))


# ── By construction ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("C-053", "C-054")
def test_no_parameter_of_the_actors_view_could_widen_it(memory: Memory) -> None:
    lived(memory)
    view = memory.actor_view("ada")
    public = [name for name in dir(ActorMemoryView) if not name.startswith("_")]
    parameters = {
        parameter
        for name in public
        if callable(getattr(view, name))
        for parameter in inspect.signature(getattr(view, name)).parameters
    }

    which = {"event_id", "start_ts", "end_ts", "text", "filters", "heuristics"}
    assert parameters == which | {"valid_at"}
    assert list(inspect.signature(memory.actor_view).parameters) == ["agent"]
    for widened in ({"persona": "subconscious"}, {"collection": "ada__subconscious__ltm"}):
        with pytest.raises(InputError):
            view.rag_query("owl", widened)
        with pytest.raises(InputError):
            view.fuzzy_query("owl", widened)


@pytest.mark.covers("C-005", "C-051", "C-055")
def test_the_subconscious_reads_every_layer_of_both_personas(memory: Memory) -> None:
    hidden = lived(memory)
    view = memory.subconscious_view("ada")

    assert isinstance(view, SubconsciousMemoryView)
    assert view.collections == ("ada__actor__ltm", "ada__subconscious__ltm")
    assert {event.persona for event in view.get_range()} == set(Persona)
    assert view.get_by_id(hidden[0]).content == HIDDEN
    (actor_event, *_) = memory.actor_view("ada").get_range()
    assert view.get_by_id(actor_event.id) == actor_event
    hits = view.rag_query("harbour", {"top_k": 50})
    assert {hit.entry.persona for hit in hits} == set(Persona)
    loops = view.fuzzy_query("harbour", {"threshold": 0, "top_k": 50})
    assert {each.summary.persona for each in loops} == set(Persona)
    only = view.rag_query("harbour", {"persona": "actor", "top_k": 50})
    assert {hit.entry.persona for hit in only} == {Persona.ACTOR}
    with pytest.raises(InputError):
        view.rag_query("harbour", {"persona": "council"})


@pytest.mark.covers("C-012", "C-050", "C-051")
def test_both_views_end_at_their_own_agent(memory: Memory) -> None:
    lived(memory)
    bob = memory.agent("bob")
    with bob.do(PLAIN):
        pass

    for view in (memory.actor_view("bob"), memory.subconscious_view("bob")):
        assert {event.agent_id for event in view.get_range()} == {"bob"}
        assert {hit.entry.agent_id for hit in view.rag_query("harbour")} == {"bob"}
        assert len(view.fuzzy_query("harbour", {"threshold": 0})) == 1


def test_the_subconscious_reads_the_actor_and_writes_nothing_there(memory: Memory) -> None:
    ada = memory.agent("ada")
    with ada.do("call +1 415 555 2671"):
        pass
    head = ada.seq
    below = memory.subconscious("ada")
    shown = repr(
        [below.view.get_range(), below.view.rag_query("call"), below.view.fuzzy_query("call")]
    )
    below.dream()
    below.learn("be brief")

    assert ada.seq == head
    assert "[phone:" in shown
    assert "415" not in shown  # it sees more streams, not more of what was taken out


def test_one_users_events_are_not_another_users(memory: Memory) -> None:
    with memory.agent("ada", user="tuff").do("tuff likes the harbour"):
        pass
    with memory.agent("ada", user="mia").do("mia likes the harbour"):
        pass

    mia = memory.agent("ada", user="mia")
    assert [hit.entry.summary for hit in mia.rag_query("harbour")] == ["mia likes the harbour"]
    assert len(mia.fuzzy_query("harbour", {"threshold": 0})) == 1
    assert "tuff" not in mia.context("harbour").text


@pytest.mark.covers("C-053")
def test_on_disk_the_actors_files_do_not_hold_and_cannot_reach_the_other_persona(
    tmp_path: Path,
) -> None:
    with muniment.open(tmp_path / "store") as memory:
        lived(memory)
        inside = world.hub(memory)
        refs = {
            persona: [
                inside.stream(agent_stream("main", "ada", persona)).ref,
                inside.stream(collection_stream(agent_stream("main", "ada", persona))).ref,
            ]
            for persona in Persona
        }
    files = {
        ref: tmp_path / "store" / "streams" / f"{ref}.db" for own in refs.values() for ref in own
    }
    assert all(path.is_file() for path in files.values())

    with muniment.open(tmp_path / "store") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.rag_query("owl harbour")
        ada.fuzzy_query("owl harbour")
        ada.context("owl harbour")
        memory.actor_view("ada").get_range()
        store = world.hub(memory).parts.store
        opened = set(store._files._pool().files)  # type: ignore[attr-defined]
        assert opened & set(refs[Persona.ACTOR])
        assert not opened & set(refs[Persona.SUBCONSCIOUS])

        with store._files.use(refs[Persona.ACTOR][0]) as file:  # type: ignore[attr-defined]
            other = files[refs[Persona.SUBCONSCIOUS][0]]
            with pytest.raises(apsw.AuthError):
                file.run("ATTACH DATABASE ? AS other", (str(other),))
        actor = agent_stream("main", "ada")
        for stream in (actor, collection_stream(actor)):
            assert "gull" in repr([line.event for line in memory.log(stream)])
            assert "owl" not in repr([line.event for line in memory.log(stream)])
