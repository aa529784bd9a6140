"""Behind one framework adapter stand many people: each call is about whom the framework names."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypedDict

import pytest
from agent_framework import Message
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai.types import Content, Part
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from llama_index.core.llms import ChatMessage
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelRequest, UserPromptPart
from tests.world import SteppingClock, memory

from muniment.adapters.frameworks.adk import MunimentMemoryService
from muniment.adapters.frameworks.agent_framework import (
    MunimentContextProvider,
    MunimentHistoryProvider,
)
from muniment.adapters.frameworks.anthropic import AsyncMunimentMemoryTool, MunimentMemoryTool
from muniment.adapters.frameworks.claude_agent import MunimentSessionStore
from muniment.adapters.frameworks.document_bridge import Agents, NobodyWarning
from muniment.adapters.frameworks.langgraph import MunimentStore, label
from muniment.adapters.frameworks.llama_index import MunimentChatStore, MunimentMemoryBlock
from muniment.adapters.frameworks.openai_agents import MunimentSession
from muniment.adapters.frameworks.pydantic_ai import MunimentConversationStore
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError

CALLER: ContextVar[str] = ContextVar("caller", default="")
TEA = "I drink green tea"


def asked(agents: Agents, user: str) -> Callable[[], str] | str:
    """Who speaks for one person is not told to name several."""
    CALLER.set(user)
    return "" if isinstance(agents, Agent) else CALLER.get


def each_user(world: Memory) -> Callable[[str], Agent]:
    return lambda user: world.agent("ada", user=user)


def langgraph(agents: Agents, user: str) -> None:
    names = ("memories", user) if user else ("memories",)
    one = isinstance(agents, Agent)  # who speaks for one is not told to name several
    store = MunimentStore(agents) if one else MunimentStore(agents, user=label(1))
    store.put(names, "drink", {"text": TEA})


def openai(agents: Agents, user: str) -> None:
    said: Any = [{"role": "user", "content": TEA}]
    whose = "" if isinstance(agents, Agent) else user
    asyncio.run(MunimentSession("monday", agents, user=whose).add_items(said))


def anthropic(agents: Agents, user: str) -> None:
    tool = MunimentMemoryTool(agents, user=asked(agents, user))
    tool.call({"command": "create", "path": "/memories/a.txt", "file_text": TEA})


def adk(agents: Agents, user: str) -> None:
    said = Event(id="e1", author="user", timestamp=5.5, content=Content(parts=[Part(text=TEA)]))
    session = Session(id="s", app_name="app", user_id=user, events=[said])
    asyncio.run(MunimentMemoryService(agents).add_session_to_memory(session))


def pydantic(agents: Agents, user: str) -> None:
    message = ModelRequest(parts=[UserPromptPart(content=TEA)])
    talk = Conversation(messages=[message], conversation_id=f"of-{user}")
    asyncio.run(MunimentConversationStore(agents, user=asked(agents, user)).save(talk))


def llama_chat(agents: Agents, user: str) -> None:
    MunimentChatStore(agents, user=asked(agents, user)).add_message("c", ChatMessage(content=TEA))


def llama_block(agents: Agents, user: str) -> None:
    block = MunimentMemoryBlock(agents, user=asked(agents, user))
    asyncio.run(block.aput([ChatMessage(content=TEA)]))


def agent_framework(agents: Agents, user: str) -> None:
    said = [Message("user", [TEA])]
    state = {} if isinstance(agents, Agent) else {"user_id": user}
    asyncio.run(MunimentHistoryProvider(agents).save_messages("s", said, state=state))


def claude(agents: Agents, user: str) -> None:
    store = MunimentSessionStore(agents, user=asked(agents, user))
    key = {"project_key": "p", "session_id": "s"}
    asyncio.run(store.append(key, [{"type": "user", "uuid": "u1", "text": TEA}]))


FRAMEWORKS = {
    "langgraph": langgraph,
    "openai-agents": openai,
    "anthropic": anthropic,
    "adk": adk,
    "pydantic-ai": pydantic,
    "llama-index": llama_chat,
    "llama-index memory": llama_block,
    "agent-framework": agent_framework,
    "claude-agent": claude,
}
each_framework = pytest.mark.parametrize("framework", FRAMEWORKS)


@each_framework
def test_what_is_kept_for_one_person_is_theirs_alone_and_leaves_with_them(framework: str) -> None:
    world = memory(clock=SteppingClock())
    agents = each_user(world)
    for user in ("alice", "bob"):
        FRAMEWORKS[framework](agents, user)

    auditor = world.auditor()
    assert sum(auditor.about("alice").entries.values()) > 0
    assert sum(auditor.about("bob").entries.values()) > 0
    assert agents("alice").documents().within(())
    assert not agents("carol").documents().within(())

    request = world.eraser().request("alice", reason="she asked for it")
    world.council().approve(request)
    world.eraser().carry_out(request)

    assert not agents("alice").documents().within(())
    assert agents("bob").documents().within(())
    assert all(proof.entries for proof in world.prove())


@each_framework
def test_a_call_that_names_nobody_is_refused(framework: str) -> None:
    with pytest.raises(InputError, match="no user: each call"):
        FRAMEWORKS[framework](each_user(memory()), "")


@each_framework
def test_an_agent_that_speaks_for_nobody_is_warned_about(framework: str) -> None:
    with pytest.warns(NobodyWarning, match="speaks for no user"):
        FRAMEWORKS[framework](memory().agent("ada"), "alice")


class Talk(TypedDict):
    said: str
    answer: str


def listen(state: Talk, *, runtime: Runtime[None]) -> Talk:
    assert runtime.store is not None
    found = runtime.store.search(("notes",), query=state["said"])
    runtime.store.put(("notes",), state["said"], {"text": state["said"]})
    return {**state, "answer": " ".join(each.value["text"] for each in found)}


def test_a_graph_is_about_the_user_of_its_config() -> None:
    world = memory()
    graph = StateGraph(Talk).add_node("listen", listen).add_edge(START, "listen")
    store = MunimentStore(each_user(world))
    app = graph.add_edge("listen", END).compile(store=store)

    def ask(user: str, said: str) -> str:
        config: Any = {"configurable": {"user_id": user}} if user else {}
        told: dict[str, str] = app.invoke({"said": said, "answer": ""}, config)
        return told["answer"]

    assert ask("alice", "I like tea") == ""
    assert ask("bob", "I like coffee") == ""
    assert ask("alice", "What do I like?") == "I like tea"
    with pytest.raises(InputError, match="no user: each call"):
        ask("", "What do I like?")


def test_a_search_that_could_see_everybody_is_refused_and_one_batch_may_be_about_two() -> None:
    world = memory()
    store = MunimentStore(each_user(world), user=label(1))
    store.put(("memories", "alice"), "k", {"text": TEA})
    store.put(("memories", "bob"), "k", {"text": "coffee"})

    assert store.list_namespaces(prefix=("memories", "bob")) == [("memories", "bob")]
    assert store.get(("memories", "alice"), "k").value == {"text": TEA}  # type: ignore[union-attr]
    for look in (lambda: store.search(("memories",)), store.list_namespaces):
        with pytest.raises(InputError):
            look()


NAMING: dict[str, Callable[[Agent, Any], object]] = {
    "langgraph": lambda one, _: MunimentStore(one, user=label(1)),
    "openai-agents": lambda one, user: MunimentSession("s", one, user=user),
    "anthropic": lambda one, user: MunimentMemoryTool(one, user=user),
    "anthropic, asynchronous": lambda one, user: AsyncMunimentMemoryTool(one, user=user),
    "pydantic-ai": lambda one, user: MunimentConversationStore(one, user=user),
    "llama-index": lambda one, user: MunimentChatStore(one, user=user),
    "llama-index memory": lambda one, user: MunimentMemoryBlock(one, user=user),
    "agent-framework": lambda one, user: MunimentHistoryProvider(one, user=user),
    "agent-framework memory": lambda one, user: MunimentContextProvider(one, user=user),
    "claude-agent": lambda one, user: MunimentSessionStore(one, user=user),
}


@pytest.mark.parametrize("user", ["bob", CALLER.get], ids=["a name", "a function"])
@pytest.mark.parametrize("framework", NAMING)
def test_one_agent_does_not_pretend_to_know_several_people(framework: str, user: object) -> None:
    with pytest.raises(InputError, match="one agent is not enough: pass lambda user"):
        NAMING[framework](memory().agent("ada", user="tuff"), user)


def test_one_agent_may_be_told_by_its_own_name() -> None:
    one = memory().agent("ada", user="tuff")

    for framework, adapter in NAMING.items():
        if framework != "langgraph":
            assert adapter(one, "tuff"), framework


def test_a_session_that_names_another_person_than_the_one_agent_speaks_for_is_refused() -> None:
    one = memory().agent("ada", user="tuff")
    said = [Message("user", [TEA])]

    with pytest.raises(InputError, match="one agent is not enough"):
        asyncio.run(MunimentHistoryProvider(one).save_messages("s", said, state={"user_id": "bob"}))

    assert not one.documents().within()


@pytest.mark.parametrize("nobody", [None, "", 0])
def test_a_session_that_names_nobody_is_not_about_somebody_called_none(nobody: object) -> None:
    provider = MunimentHistoryProvider(each_user(memory()))

    with pytest.raises(InputError, match="no user: each call"):
        asyncio.run(provider.get_messages("s", state={"user_id": nobody}))


def test_a_graph_whose_config_names_two_people_is_refused() -> None:
    """One is told by whoever calls the graph, the other stands in a token: neither is guessed."""
    graph = StateGraph(Talk).add_node("listen", listen).add_edge(START, "listen")
    app = graph.add_edge("listen", END).compile(store=MunimentStore(each_user(memory())))

    def ask(**named: str) -> str:
        config: Any = {"configurable": named}
        told: dict[str, str] = app.invoke({"said": TEA, "answer": ""}, config)
        return told["answer"]

    assert ask(langgraph_auth_user_id="alice") == ""
    assert ask(langgraph_auth_user_id="alice", user_id="alice") == TEA
    with pytest.raises(InputError, match="the config names two users"):
        ask(langgraph_auth_user_id="bob", user_id="alice")


def test_namespaces_of_whoever_they_are_are_not_listed() -> None:
    store = MunimentStore(each_user(memory()), user=label(1))

    with pytest.raises(InputError, match="no user: each call"):
        store.list_namespaces(prefix=("memories", "*"))
