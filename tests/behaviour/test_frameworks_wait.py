"""While a framework's call waits for its turn at the memory, its event loop goes on."""

import asyncio
import threading
from collections.abc import Awaitable, Sequence
from typing import Any

import pytest
from agent_framework import AgentSession, Message, SessionContext
from langgraph.store.base import IndexConfig
from tests.behaviour.test_frameworks import FRAMEWORKS
from tests.world import memory

from muniment.adapters.frameworks.agent_framework import MunimentContextProvider
from muniment.adapters.frameworks.anthropic import AsyncMunimentMemoryTool
from muniment.adapters.frameworks.document_bridge import TURN
from muniment.adapters.frameworks.langgraph import MunimentStore
from muniment.engine.api.agent import Agent

STEPS = 5  # of the loop, while the turn is somebody else's
SECONDS_MAX = 3.0


async def steps_beside(work: Awaitable[object]) -> int:
    """How often a loop comes round while its call waits for a turn that another thread has."""
    taken, free = threading.Event(), threading.Event()

    def hold() -> None:
        with TURN:
            taken.set()
            free.wait(SECONDS_MAX)

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait()
    waiting, steps = asyncio.ensure_future(work), 0
    while steps < STEPS and holder.is_alive():
        await asyncio.sleep(0.01)
        steps += holder.is_alive()
    waited = not waiting.done()
    free.set()
    await waiting
    holder.join()
    assert waited or steps < STEPS, "it did not wait for its turn"
    return steps


def said_before(agent: Agent) -> Awaitable[object]:
    context = SessionContext(input_messages=[Message("user", ["Which tea?"])])
    return MunimentContextProvider(agent).before_run(
        agent=None,  # type: ignore[arg-type]  # nothing is asked of it
        session=AgentSession(session_id="s"),
        context=context,
        state={},
    )


CALLS: dict[str, Any] = {
    **{
        f"{name}: put": lambda a, put=put: put(a, governed=False, text="tea")
        for name, (put, _) in FRAMEWORKS.items()
    },
    **{f"{name}: read": lambda a, read=read: read(a) for name, (_, read) in FRAMEWORKS.items()},
    "agent-framework: context": said_before,
    "anthropic: read": lambda agent: AsyncMunimentMemoryTool(agent).call(
        {"command": "view", "path": "/memories"}
    ),
}
# What LlamaIndex calls of a chat is not asynchronous; it takes a thread for it itself.
THEIRS = {"llama-index: put", "llama-index: read"}


# The Claude SDK counts and cancels by steps of its loop: its own tests want an answer within one.
WITHIN_A_STEP = {"claude-agent: put", "claude-agent: read"}


@pytest.mark.parametrize("call", sorted(WITHIN_A_STEP))
def test_what_the_claude_sdk_asks_is_answered_within_one_step_of_its_loop(call: str) -> None:
    agent = memory().agent("ada", user="tuff")

    with pytest.raises(StopIteration):
        CALLS[call](agent).send(None)


@pytest.mark.parametrize("call", sorted(CALLS.keys() - THEIRS - WITHIN_A_STEP))
def test_a_loop_goes_on_while_a_call_waits_for_its_turn(call: str) -> None:
    agent = memory().agent("ada", user="tuff")

    assert asyncio.run(steps_beside(CALLS[call](agent))) == STEPS


def test_while_vectors_are_made_the_others_have_their_turn() -> None:
    """An embedder may be a server far away: nobody waits for it but whoever asked."""
    ours: list[bool] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        def others() -> None:
            ours.append(TURN.acquire(timeout=SECONDS_MAX))
            TURN.release()

        somebody = threading.Thread(target=others)
        somebody.start()
        somebody.join()
        return [[float(len(text)), 1.0] for text in texts]

    index: IndexConfig = {"dims": 2, "embed": embed}
    store = MunimentStore(memory().agent("ada", user="tuff"), index=index)
    store.put(("docs",), "k", {"text": "heron"})

    assert [each.key for each in store.search(("docs",), query="heron")] == ["k"]
    assert ours == [True]


@pytest.mark.parametrize("call", sorted(CALLS))
def test_a_call_is_answered_in_a_loop_that_is_not_of_asyncio(call: str) -> None:
    """Some frameworks also run under trio: no call may need the loop of one library."""
    answer = CALLS[call](memory().agent("ada", user="tuff"))

    with pytest.raises(StopIteration):
        answer.send(None)
