"""What a framework has kept stays whole when what it asks for next is refused."""

import asyncio
from typing import Any

import pytest
from agent_framework import AgentSession, Message, SessionContext
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
from muniment.adapters.frameworks.agent_framework import (
    MunimentContextProvider,
    MunimentHistoryProvider,
)
from muniment.adapters.frameworks.anthropic import MunimentMemoryTool
from muniment.adapters.frameworks.langgraph import MunimentStore
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


@pytest.mark.parametrize("command", ["view", "create", "rename", "delete"])
@pytest.mark.parametrize("name", ["x" * 300, "/".join("abcdefghijklmnopq"), "\ud800"])
def test_a_model_is_told_in_a_sentence_that_a_name_cannot_be(command: str, name: str) -> None:
    tool = MunimentMemoryTool(tuffs())
    tool.call({"command": "create", "path": "/memories/tea.txt", "file_text": "heron tea"})
    given = {"path": f"/memories/{name}", "file_text": "quail tea"}
    if command == "rename":
        given = {"old_path": "/memories/tea.txt", "new_path": f"/memories/{name}"}

    with pytest.raises(ToolError, match="is not a path of this memory"):
        tool.call({"command": command, **given})

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


# Who or where something is, as builders name it: an address, an accent in either of its forms.
NAMES = ["alice@example.com", "/users/alice@example.com/home", "jose\u0301", "jos\u00e9"]
each_name = pytest.mark.parametrize("name", NAMES)


@each_name
def test_a_document_is_found_by_a_field_that_was_redacted_as_it_was_put(name: str) -> None:
    documents = tuffs().documents()
    documents.put(("notes",), "k", {"text": "heron tea", "owner": {"name": name}})

    found = documents.search(("notes",), "tea", where={"owner": {"name": name}})
    other = documents.search(("notes",), "tea", where={"owner": {"name": "bob@example.com"}})

    assert (len(found), other) == (1, [])


@each_name
def test_a_filter_of_langgraph_finds_what_it_names(name: str) -> None:
    store = MunimentStore(tuffs())
    store.put(("notes",), "k", {"owner": name, "who": {"is": name}})

    for asked in ({"owner": name}, {"owner": {"$eq": name}}, {"who": {"is": name}}):
        assert len(store.search(("notes",), filter=asked)) == 1, asked
    assert store.search(("notes",), filter={"owner": {"$ne": name}}) == []


@pytest.mark.parametrize("name", [each for each in NAMES if not each.isascii()])
def test_a_namespace_of_langgraph_is_listed_by_any_part_of_it(name: str) -> None:
    store = MunimentStore(tuffs())
    store.put(("notes", name, "of", name), "k", {"text": "heron"})

    assert len(store.list_namespaces(prefix=("notes", name))) == 1
    assert len(store.list_namespaces(suffix=(name,))) == 1


@pytest.mark.parametrize("name", [each for each in NAMES if each.isascii()])
def test_a_conversation_is_loaded_by_the_scope_and_the_name_it_was_saved_with(name: str) -> None:
    ada = tuffs()
    store = MunimentConversationStore(ada)

    def save(text: str) -> None:
        loaded = asyncio.run(store.load(name, scope=name))
        talk = loaded or Conversation(messages=[], conversation_id=name)
        talk.messages.append(ModelRequest(parts=[UserPromptPart(text)]))
        asyncio.run(store.save(talk, scope=name))

    save("heron tea")
    save("quail tea")

    loaded = asyncio.run(store.load(name, scope=name))
    assert loaded is not None
    assert (loaded.conversation_id, len(loaded.messages)) == (name, 2)
    assert [each.scope for each in asyncio.run(store.read_records(scope=name))] == [name]
    assert asyncio.run(store.load(name, scope="bob@example.com")) is None
    asyncio.run(store.delete(name, scope=name))
    assert ada.documents().within() == []


def test_a_talk_with_an_address_in_it_is_handed_over_again_too() -> None:
    first = [*said("user", "write to alice@example.com"), *said("assistant", "Noted.")]

    told = kept_of(tuffs(), first, [*first, *said("user", "and rain")])

    assert [each.split()[-1] for each in told[1:]] == ["Noted.", "rain"]


def test_what_is_said_here_is_not_said_elsewhere_however_an_accent_is_written() -> None:
    ada = tuffs()
    asyncio.run(MunimentHistoryProvider(ada).save_messages("caf\u00e9", said("user", "heron tea")))
    context = SessionContext(input_messages=said("user", "Which tea?"))

    asyncio.run(
        MunimentContextProvider(ada).before_run(
            agent=None,  # type: ignore[arg-type]  # nothing is asked of it
            session=AgentSession(session_id="cafe\u0301"),
            context=context,
            state={},
        )
    )

    assert not context.context_messages


@each_name
def test_a_session_of_adk_that_is_added_again_writes_nothing(name: str) -> None:
    ada = tuffs()
    service = MunimentMemoryService(ada)
    event = Event(id=name, author="user", content=Content(parts=[Part(text=f"tea of {name}")]))
    session = Session(id=name, app_name=name, user_id=name, events=[event])
    asyncio.run(service.add_session_to_memory(session))
    before = [(each.seq, each.version) for each in ada.documents().within()]

    asyncio.run(service.add_session_to_memory(session))

    assert [(each.seq, each.version) for each in ada.documents().within()] == before
    asyncio.run(service.delete_memory(app_name=name, user_id=name, memory_id=name))
    found = asyncio.run(service.search_memory(app_name=name, user_id=name, query="tea"))
    assert found.memories == []
