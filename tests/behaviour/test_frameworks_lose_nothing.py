"""What a framework has kept stays whole when what it asks for next is refused."""

import asyncio
from typing import Any

import pytest
from agents import TResponseInputItem
from anthropic.lib.tools import ToolError
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer
from pydantic_ai.conversation import Conversation
from pydantic_ai.messages import ModelRequest, UserPromptPart
from tests.world import memory

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
