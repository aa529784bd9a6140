"""What fails leaves the event where it is, says what is owed, and a dream makes it good."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import faults, soaking, world
from tests.personas import Switch

from muniment.engine.api.memory import Memory
from muniment.engine.api.subconscious import Subconscious
from muniment.model.events.loops import MirrorDeferred, Mirrored
from muniment.model.scope import Persona, agent_stream, collection_stream

ADA = agent_stream("main", "ada")
PLACE = collection_stream(ADA)


def observe(memory: Memory, *contents: str, persona: str = "actor") -> list[str]:
    agent = memory.agent("ada") if persona == "actor" else memory.subconscious("ada")
    with agent.job() as job:
        return [job.observe_event("system_event", content) for content in contents]


def balanced(below: Subconscious) -> bool:
    """The law of coverage, counted from both ends, for both personas."""
    for persona in Persona:
        found = below.view.coverage(persona)
        if found.mirror + found.pending_derivation != found.idetic:
            return False
        if found.pending_embedding > found.mirror:
            return False
    return True


@pytest.mark.covers("C-039", "C-040")
def test_an_embedder_that_fails_leaves_pending_embedding_and_the_event() -> None:
    switch = Switch()
    memory = world.memory(tools=switch.tools())
    switch.embedding = False
    (event_id,) = observe(memory, "the ferry leaves at eight")
    view = memory.subconscious_view("ada")

    assert memory.actor_view("ada").get_by_id(event_id).content == "the ferry leaves at eight"
    assert view.status(event_id) == "pending_embedding"
    (mirrored,) = [e.event for e in memory.log(PLACE) if isinstance(e.event, Mirrored)]
    assert mirrored.status == "pending_embedding"
    # It is found by its words all the same, while the model is away.
    assert len(memory.agent("ada").rag_query("ferry")) == 1


@pytest.mark.covers("C-039", "C-040")
def test_a_derivation_that_fails_leaves_pending_derivation_and_the_event() -> None:
    switch = Switch()
    memory = world.memory(tools=switch.tools())
    switch.compacting = False
    (event_id,) = observe(memory, "the ferry leaves at eight")
    view = memory.subconscious_view("ada")

    assert memory.actor_view("ada").get_by_id(event_id).id == event_id
    assert view.status(event_id) == "pending_derivation"
    (deferred,) = [e.event for e in memory.log(PLACE) if isinstance(e.event, MirrorDeferred)]
    assert (deferred.source_id, deferred.status) == (event_id, "pending_derivation")
    memory.subconscious("ada").dream()  # still out of order: nothing is made, nothing is lost
    assert view.status(event_id) == "pending_derivation"
    switch.compacting = True
    memory.subconscious("ada").dream()
    assert view.status(event_id) == "embedded"


@pytest.mark.covers("C-036", "C-040")
@pytest.mark.parametrize("fault", [faults.down, faults.unanswered, faults.full])
def test_a_store_that_fails_while_deriving_does_not_take_the_event_along(
    fault: faults.Fault,
) -> None:
    store = faults.FaultyStore()
    memory = world.memory(store=store)
    observe(memory, "something to begin with")
    store.fail(1, 2, 3, fault=fault, only=world.hub(memory).stream(PLACE).ref)
    (event_id,) = observe(memory, "the ferry leaves at eight")

    assert memory.actor_view("ada").get_by_id(event_id).content == "the ferry leaves at eight"
    assert memory.subconscious_view("ada").status(event_id) == "pending_derivation"
    store.recover()
    below = memory.subconscious("ada")
    assert balanced(below)
    below.dream()
    assert below.view.status(event_id) == "embedded"
    assert below.view.coverage().loops == below.view.coverage().summaries == 2
    assert memory.prove()


steps = st.lists(
    st.tuples(
        st.sampled_from(["actor", "subconscious"]),
        st.sampled_from(["observe", "embedder", "compactor", "crash", "dream"]),
        st.integers(0, 3),
    ),
    max_size=14,
)


class Life:
    """Both personas of one agent, and everything that can go wrong around them."""

    def __init__(self) -> None:
        self.switch, self.store = Switch(), faults.FaultyStore()
        self.memory = world.memory(store=self.store, tools=self.switch.tools())
        self.below = self.memory.subconscious("ada")

    def live(self, persona: str, verb: str, n: int) -> None:
        match verb:
            case "observe":
                observe(self.memory, *[f"sentence {k}" for k in range(n + 1)], persona=persona)
            case "embedder":
                self.switch.embedding = n % 2 == 0
            case "compactor":
                self.switch.compacting = n % 2 == 0
            case "crash":  # the process dies between the two appends
                source = agent_stream("main", "ada", Persona(persona))
                place = world.hub(self.memory).stream(collection_stream(source)).ref
                self.store.fail(*range(1, 20), only=place)
                observe(self.memory, "just before the end", persona=persona)
                self.store.recover()
            case _:
                self.below.dream()


@pytest.mark.covers("C-037", "C-040", "C-041")
@settings(max_examples=soaking.times(25, 1_000))
@given(steps)
def test_mirror_and_pending_are_always_all_the_events_and_a_dream_settles_everything(
    history: list[tuple[str, str, int]],
) -> None:
    life = Life()
    for persona, verb, n in history:
        life.live(persona, verb, n)
        assert balanced(life.below)

    life.switch.embedding = life.switch.compacting = True
    life.below.dream()
    assert balanced(life.below)
    for persona in Persona:
        found = life.below.view.coverage(persona)
        assert found.pending_derivation == found.pending_embedding == 0
        assert found.mirror == found.idetic
        assert found.summaries == found.loops
    told = {proof.stream: proof.projections for proof in life.memory.prove()}
    assert life.memory.rebuild() == told
