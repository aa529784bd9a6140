"""Edges of the matrix: doors and reads beside a program's own, around a memory that is open.

A service is started for the cell that asks it, on a port of its own; frameworks are called as
their users call them.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import httpx2
import uvicorn
from agent_framework import Message
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai.types import Content, Part
from llama_index.core.llms import ChatMessage
from mcp import Client as McpClient
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelRequest, UserPromptPart

from muniment import open as open_memory
from muniment.adapters.client.client import Client
from muniment.adapters.frameworks.adk import MunimentMemoryService
from muniment.adapters.frameworks.agent_framework import MunimentHistoryProvider
from muniment.adapters.frameworks.anthropic import AsyncMunimentMemoryTool
from muniment.adapters.frameworks.claude_agent import MunimentSessionStore
from muniment.adapters.frameworks.langgraph import MunimentStore
from muniment.adapters.frameworks.llama_index import MunimentMemoryBlock
from muniment.adapters.frameworks.openai_agents import MunimentSession
from muniment.adapters.frameworks.pydantic_ai import MunimentConversationStore
from muniment.adapters.gateway import allowed_origins, api_keys, request_limits
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.work_queue import LoopLane
from muniment.adapters.http import app
from muniment.adapters.mcp.server import build
from muniment.adapters.mcp.session import Seat, of_words
from muniment.adapters.studio.app import PAGES, environment, render
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.adapters.system.clock import SystemClock
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.scope import Channel, Role

STARTING_SECONDS: Final = 0.01
SEARCHED: Final = ("stone", "ring", "aunt")  # what a person would type of the question
Planting = Callable[[Memory, Agent, str], object]


@contextlib.contextmanager
def served(memory: Memory) -> Iterator[tuple[str, str]]:
    """The address of a service around a memory, and a key of its person, until the block ends."""
    clock, credentials = SystemClock(), MemoryCredentials()
    grant = Grant(role=Role.USER, agent="ada", user="tuff")
    key, _ = api_keys.issue(credentials, grant, now=clock.now(), days=1)
    listening = allowed_origins.listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    gateway = Gateway(memory, credentials, channel=Channel.HTTP, now=clock.now)
    service = app.Service(gateway, allowed_origins.at_port(port))
    config = uvicorn.Config(
        app.build(service),
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        http=request_limits.BoundedProtocol,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(STARTING_SECONDS)
        yield f"http://127.0.0.1:{port}", key
    finally:
        service.ending = True
        server.should_exit = True
        thread.join()


def by_client(memory: Memory, work: Callable[[Client], Any]) -> Any:  # noqa: ANN401
    with served(memory) as (url, key), Client(url, key=key) as client:
        return work(client)


def by_mem0(memory: Memory, path: str, body: dict[str, object]) -> str:
    """A route of mem0, as its stock client asks it."""
    with served(memory) as (url, key):
        headers = {"authorization": f"Token {key}"}
        answer = httpx2.post(f"{url}{path}", json=body, headers=headers, timeout=30)
        answer.raise_for_status()
        return answer.text


def by_mcp(memory: Memory, tool: str, **arguments: object) -> str:
    gateway = Gateway(memory, MemoryCredentials(), channel=Channel.API)
    grant = of_words(memory.tenant, "ada", "tuff", role=Role.USER)
    server = build(Seat.local(gateway, grant, LoopLane()))

    async def talk() -> str:
        async with McpClient(server) as client:
            return str((await client.call_tool(tool, arguments)).structured_content)

    return asyncio.run(talk())


def in_studio(memory: Memory, asked: str) -> str:
    """What the studio's search shows for the telling words of a question."""
    studio = Studio(lambda: memory, Sessions("matrix"), place="./memory")
    words = " ".join(word for word in asked.rstrip("?").split() if word in SEARCHED)
    request = PageRequest(path="/search", query={"q": words}, who="grace", form_token="0" * 64)
    told = PAGES["/search"](studio, request)
    assert isinstance(told, RenderedPage)
    return render(environment(), studio, request, told)


def imported(memory: Memory, _: Agent, text: str) -> None:
    """A file of another memory, which holds it."""
    other = open_memory(":memory:")
    other.agent("ada", user="tuff").remember(text)
    list(memory.exchange("otto").carry(list(other.exchange("otto").records())))
    other.close()


def exported(memory: Memory) -> str:
    return str(list(memory.exchange("otto").records()))


async def _adk(ada: Agent, text: str) -> None:
    said = Event(id="e1", author="user", timestamp=5.5, content=Content(parts=[Part(text=text)]))
    talk = Session(id="s", app_name="app", user_id="u", events=[said])
    await MunimentMemoryService(ada).add_session_to_memory(talk)


async def _pydantic_ai(ada: Agent, text: str) -> None:
    message = ModelRequest(parts=[UserPromptPart(content=text)])
    talk = Conversation(messages=[message], conversation_id="c")
    await MunimentConversationStore(ada).save(talk)


async def _anthropic(ada: Agent, text: str) -> None:
    command = {"command": "create", "path": "/memories/a.txt", "file_text": text}
    await AsyncMunimentMemoryTool(ada).call(command)


def _framework(put: Callable[[Agent, str], Awaitable[object]]) -> Planting:
    async def done(ada: Agent, text: str) -> None:
        await put(ada, text)

    return lambda _, ada, text: asyncio.run(done(ada, text))


TRANSCRIPT: Final = {"project_key": "p", "session_id": "s"}
# Each door by how a fact is told through it.
DOORS: Final[dict[str, Planting]] = {
    "HTTP remember": lambda memory, _, text: by_client(memory, lambda it: it.remember(text)),
    "HTTP record": lambda memory, _, text: by_client(
        memory, lambda it: it.conversation(session="talk").record(user=text)
    ),
    "HTTP document": lambda memory, _, text: by_client(
        memory, lambda it: it.documents().put(["notes"], "a", {"text": text})
    ),
    "mem0 add": lambda memory, _, text: by_mem0(
        memory,
        "/v1/memories/",
        {"messages": [{"role": "user", "content": text}], "user_id": "tuff"},
    ),
    "MCP remember": lambda memory, _, text: by_mcp(memory, "remember", text=text),
    "import": imported,
    "langgraph": _framework(
        lambda ada, text: MunimentStore(ada).aput(("docs",), "k", {"text": text})
    ),
    "openai-agents": _framework(
        lambda ada, text: MunimentSession("s", ada).add_items([{"role": "user", "content": text}])
    ),
    "anthropic": _framework(_anthropic),
    "adk": _framework(_adk),
    "pydantic-ai": _framework(_pydantic_ai),
    "llama-index": _framework(
        lambda ada, text: MunimentMemoryBlock(ada).aput([ChatMessage(content=text)])
    ),
    "agent-framework": _framework(
        lambda ada, text: MunimentHistoryProvider(ada).save_messages("s", [Message("user", [text])])
    ),
    "claude-agent": _framework(
        lambda ada, text: MunimentSessionStore(ada).append(
            TRANSCRIPT, [{"type": "user", "uuid": "u1", "text": text}]
        )
    ),
}
READS: Final[dict[str, Callable[[Memory, str], str]]] = {
    "HTTP recall": lambda memory, asked: str(by_client(memory, lambda it: it.recall(asked).hits)),
    "HTTP context": lambda memory, asked: str(
        by_client(memory, lambda it: it.context(asked, budget=800).text)
    ),
    "MCP recall": lambda memory, asked: by_mcp(memory, "recall", query=asked),
    "MCP context": lambda memory, asked: by_mcp(memory, "context", prompt=asked, budget=800),
    "studio": in_studio,
    "export": lambda memory, _: exported(memory),
}
# Files beside the adapters that have a row, by their names.
WITHOUT_ROWS: Final = {
    "document_bridge": "no adapter, and what all of them share",
    "autogen": "its package cannot stand beside the others: its story is told apart",
    "crewai": "its package cannot stand beside the others: its story is told apart",
}
