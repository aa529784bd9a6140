"""What a framework has kept stays whole when what it asks for next is refused."""

import asyncio
from typing import Any

import pytest
from agent_framework import Message
from agents import TResponseInputItem
from anthropic.lib.tools import ToolError
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai.types import Content, Part
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelRequest, UserPromptPart
from tests.world import memory

from muniment.adapters.frameworks.adk import MunimentMemoryService
from muniment.adapters.frameworks.agent_framework import MunimentHistoryProvider
from muniment.adapters.frameworks.anthropic import MunimentMemoryTool
from muniment.adapters.frameworks.llama_index import MunimentChatStore
from muniment.adapters.frameworks.openai_agents import MunimentSession
from muniment.adapters.frameworks.pydantic_ai import MunimentConversationStore
from muniment.engine.api.agent import Agent
from muniment.model.errors import AwaitsApprovalError, RefusedError

SECRET = "my password is " + "hunter2" * 2


def tuffs() -> Agent:
    return memory().agent("ada", user="tuff")


@pytest.mark.parametrize("place", [f"/memories/{SECRET}.txt", f"/memories/{SECRET}/tea.txt"])
def test_a_file_whose_new_name_is_refused_keeps_its_old_one(place: str) -> None:
    tool = MunimentMemoryTool(tuffs())
    tool.call({"command": "create", "path": "/memories/tea.txt", "file_text": "heron tea"})

    with pytest.raises(ToolError, match="privacy_deny_sensitive"):
        tool.call({"command": "rename", "old_path": "/memories/tea.txt", "new_path": place})

    assert "heron tea" in str(tool.call({"command": "view", "path": "/memories/tea.txt"}))


def test_a_chat_that_would_be_replaced_by_what_is_refused_stays() -> None:
    store = MunimentChatStore(tuffs())
    chat = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="monday")
    chat.set([ChatMessage(content="I drink heron tea"), ChatMessage(content="Noted.")])

    with pytest.raises(RefusedError):
        chat.set([ChatMessage(content="I drink quail tea"), ChatMessage(content=SECRET)])

    assert [each.content for each in chat.get_all()] == ["I drink heron tea", "Noted."]


def test_a_chat_is_replaced_in_one_step_which_a_governed_store_asks_for_as_a_whole() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    MunimentChatStore(ada).set_messages("monday", [ChatMessage(content="heron")])

    with pytest.raises(AwaitsApprovalError) as waiting:
        MunimentChatStore(ada, governed=True).set_messages("monday", [ChatMessage(content="quail")])

    for each in waiting.value.request_ids:
        world.council().approve(each)
    chat = MunimentChatStore(ada).get_messages("monday")
    assert [each.content for each in chat] == ["quail"]


def test_of_a_long_history_with_a_secret_nothing_is_kept() -> None:
    items: list[TResponseInputItem] = [{"role": "user", "content": SECRET}]
    items += [{"role": "user", "content": f"tea {n}"} for n in range(300)]
    session = MunimentSession("monday", tuffs())

    with pytest.raises(RefusedError):
        asyncio.run(session.add_items(items))

    assert asyncio.run(session.get_items()) == []


def test_of_a_conversation_that_is_refused_no_entry_stays() -> None:
    ada = tuffs()
    said: list[Any] = [ModelRequest(parts=[UserPromptPart(content=t)]) for t in ("tea", SECRET)]

    with pytest.raises(RefusedError):
        asyncio.run(
            MunimentConversationStore(ada).save(Conversation(messages=said, conversation_id="c"))
        )

    assert ada.documents().within() == []


def kept_of(ada: Agent, *turns: list[Message]) -> list[str]:
    """What a session holds after each of these was saved."""
    provider = MunimentHistoryProvider(ada)
    for each in turns:
        asyncio.run(provider.save_messages("s", each))
    return [each.text for each in asyncio.run(provider.get_messages("s"))]


def said(role: str, *texts: str) -> list[Message]:
    return [Message(role, [text]) for text in texts]


def test_a_talk_that_is_handed_over_whole_again_adds_only_what_is_new() -> None:
    first = [*said("user", "heron tea"), *said("assistant", "Noted.")]
    more = [*said("user", "and rain"), *said("assistant", "Yes.")]

    assert kept_of(tuffs(), first, [*first, *more]) == ["heron tea", "Noted.", "and rain", "Yes."]


def test_what_is_said_twice_in_a_talk_is_kept_twice() -> None:
    turn = [*said("user", "again"), *said("assistant", "Noted.")]

    assert kept_of(tuffs(), turn, turn) == ["again", "Noted."] * 2
    assert kept_of(tuffs(), said("user", "again"), [*said("user", "again"), *turn]) == [
        *["again"] * 3,
        "Noted.",
    ]


def test_a_session_of_adk_without_a_name_leaves_the_others_as_they_are() -> None:
    ada = tuffs()
    service = MunimentMemoryService(ada)
    for name, text in (("monday", "heron tea"), ("", "quail tea")):
        event = Event(id=text, author="user", content=Content(parts=[Part(text=text)]))
        session = Session(id=name, app_name="app", user_id="tuff", events=[event])
        asyncio.run(service.add_session_to_memory(session))

    assert len(ada.documents().within()) == len(["heron tea", "quail tea"])
