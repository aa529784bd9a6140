"""Reading loops: each is opened once in a process, however often an agent is asked for anew."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.behaviour.test_erasure import erase
from tests.soaking import times
from tests.world import OpeningStore

from muniment import Memory
from muniment.log.reference_store import ScratchStore

PROMPT = "When does the ferry to Lisbon leave?"


def done(memory: Memory, task: str = "Find the ferry", user: str = "tuff") -> list[str]:
    with memory.agent("ada", user=user).do(task) as doing:
        call = doing.tool_call("search", {"q": task})
        result = doing.tool_result(call, ["08:00"])
        answer = doing.answer("There is one at eight.")
    return [call, result, answer]


def opened(store: OpeningStore, memory: Memory) -> int:
    """How many entries skills take, asked by a view of its own."""
    store.handed_out = 0
    assert memory.agent("ada", user="tuff").skills()
    return store.handed_out


def test_whoever_asks_for_the_agent_anew_opens_no_loop_a_second_time() -> None:
    store = OpeningStore()
    memory = world.memory(store=store)
    for _ in range(5):
        done(memory)
    assert opened(store, memory) > 0
    assert opened(store, memory) == 0


def test_a_context_opens_as_much_after_many_loops_as_after_few() -> None:
    store = OpeningStore()
    memory = world.memory(store=store)
    costs: list[int] = []
    for loops in (8, 24):
        for _ in range(loops):
            done(memory)
        memory.agent("ada", user="tuff").context(PROMPT, budget=800)
        memory.agent("ada", user="tuff").remember("The ferry was late.")
        store.handed_out = 0
        memory.agent("ada", user="tuff").context(PROMPT, budget=800)
        costs.append(store.handed_out)
    assert costs[1] <= costs[0] + 8, "what is at hand of four times as many loops is not opened"


STEPS = st.lists(
    st.sampled_from(("ferry", "train", "other person", "forget", "restore", "erase")), max_size=8
)


@settings(max_examples=times(6, 500), deadline=None)
@given(STEPS)
def test_what_is_held_of_loops_is_what_a_memory_reads_that_holds_nothing(steps: list[str]) -> None:
    store, keyring = ScratchStore(), world.CountedKeyring()
    memory = world.memory(store=store, keyring=keyring)
    told: list[str] = []
    gone: list[str] = []
    for step in ("ferry", "ferry", "ferry", *steps):
        ada = memory.agent("ada", user="tuff")
        if step == "forget" and told:
            gone.append(told.pop())
            ada.forget(gone[-1])
        elif step == "restore" and gone:
            told.append(gone.pop())
            ada.restore(told[-1])
        elif step == "erase":
            erase(memory, "ines")
        elif step == "other person":
            done(memory, user="ines")
        else:
            told += done(memory, f"Find the {step}")[1:2]
        fresh = world.memory(store=store, keyring=keyring)
        for each in ("tuff", "ines"):
            assert skills(memory, each) == skills(fresh, each)


def skills(memory: Memory, user: str) -> object:
    return memory.agent("ada", user=user).skills(), memory.actor_view("ada").skills()
