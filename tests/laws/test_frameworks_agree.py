"""The same random operations on our adapters and on the frameworks' own classes give the same."""

import asyncio
import contextlib
import json
from collections import Counter
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.sessions.session import Session
from google.genai.types import Content, Part
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from llama_index.core.llms import ChatMessage
from llama_index.core.storage.chat_store import BaseChatStore, SimpleChatStore
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationStore,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelRequest, UserPromptPart
from tests.world import SteppingClock, memory

from muniment.adapters.frameworks.adk import MunimentMemoryService
from muniment.adapters.frameworks.langgraph import MunimentStore
from muniment.adapters.frameworks.llama_index import MunimentChatStore
from muniment.adapters.frameworks.pydantic_ai import MunimentConversationStore

LABELS = st.sampled_from(["a", "b", "c"])
NAMESPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["k1", "k2"])
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.sampled_from(["tea", "naïve", "", "x y"]),
    st.sampled_from([0.5, -2.25]),
)
VALUES = st.dictionaries(
    st.sampled_from(["n", "t", "deep"]),
    st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=2), max_leaves=4),
    max_size=3,
)
FILTERS = st.one_of(
    st.none(),
    st.dictionaries(st.sampled_from(["n", "t"]), PLAIN, min_size=1, max_size=1),
    st.builds(lambda v: {"t": {"$eq": v}}, PLAIN),
    st.builds(lambda v: {"t": {"$ne": v}}, PLAIN),
)
PATHS = st.lists(st.sampled_from(["a", "b", "*"]), min_size=1, max_size=2).map(tuple)
MATCHES = st.one_of(
    PATHS.map(lambda path: MatchCondition("prefix", path)),
    PATHS.map(lambda path: MatchCondition("suffix", path)),
)
# Built by hand: a strategy that fills in what was left out would ask for lives and fields too.
OPS: st.SearchStrategy[Op] = st.one_of(
    st.tuples(NAMESPACES, KEYS, st.one_of(st.none(), VALUES)).map(lambda each: PutOp(*each)),
    st.tuples(NAMESPACES, KEYS).map(lambda each: GetOp(*each)),
    st.tuples(st.lists(LABELS, max_size=2).map(tuple), FILTERS).map(
        lambda each: SearchOp(each[0], filter=each[1], limit=100)
    ),
    st.tuples(st.one_of(st.none(), MATCHES), st.one_of(st.none(), st.integers(1, 3))).map(
        lambda each: ListNamespacesOp(
            match_conditions=(each[0],) if each[0] else None, max_depth=each[1]
        )
    ),
)


def plain(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def seen(result: Any) -> object:  # noqa: ANN401
    """A result without its times; a list as a set, for namespaces have an order of their own."""
    if isinstance(result, list):
        if result and isinstance(result[0], tuple):
            return sorted(result)
        return sorted((each.namespace, each.key, plain(each.value)) for each in result)
    return None if result is None else (result.namespace, result.key, result.value)


@settings(max_examples=30)
@given(st.lists(st.lists(OPS, min_size=1, max_size=4), max_size=8))
def test_our_store_answers_as_langgraphs_does(batches: list[list[Op]]) -> None:
    ours, theirs = MunimentStore(memory().agent("ada", user="tuff")), InMemoryStore()

    for batch in batches:
        got, expected = ours.batch(batch), theirs.batch(batch)
        # Theirs lists namespaces that were only looked at, or are empty by now.
        for op, mine, his in zip(batch, got, expected, strict=True):
            if isinstance(op, ListNamespacesOp):
                assert set(mine or ()) <= set(his or ())  # type: ignore[arg-type]
            else:
                assert seen(mine) == seen(his)


TEXTS = st.sampled_from(
    ["tea and toast", "I use Python", "私はPythonを使う", "", "tea tea", "Ünal"]
)
EVERY_WORD = "tea toast Python 私は を使う Ünal"
TOLD = st.tuples(st.sampled_from(["e1", "e2", "e3"]), TEXTS)
ADK: st.SearchStrategy[tuple[str, str, list[tuple[str, str]]]] = st.one_of(
    st.tuples(st.just("session"), st.sampled_from(["s1", "s2"]), st.lists(TOLD, max_size=3)),
    st.tuples(st.just("events"), st.sampled_from(["s1", "s2"]), st.lists(TOLD, max_size=2)),
    st.tuples(st.just("delete"), st.sampled_from(["e1", "e2"]), st.just([])),
    st.tuples(st.just("search"), st.sampled_from(["tea", "Python ünal", "toast"]), st.just([])),
)


def events_of(told: list[tuple[str, str]]) -> list[Event]:
    return [
        Event(id=name, author="user", timestamp=7.0, content=Content(parts=[Part(text=text)]))
        for name, text in {name: (name, text) for name, text in told}.values()
    ]


@settings(max_examples=30)
@given(st.lists(ADK, max_size=8))
def test_our_memory_service_finds_what_adks_finds_by_words_and_nothing_that_is_gone(
    steps: list[tuple[str, str, list[tuple[str, str]]]],
) -> None:
    """Ours finds in other words too; how many there are at all, ADK's is asked by every word."""
    services = (MunimentMemoryService(memory().agent("ada", user="tuff")), InMemoryMemoryService())

    async def play(service: Any, words: str = "") -> list[Counter[object]]:  # noqa: ANN401
        answers: list[Counter[object]] = []
        who = {"app_name": "app", "user_id": "u"}
        for verb, name, told in steps:
            if verb == "session":
                session = Session(id=name, app_name="app", user_id="u", events=events_of(told))
                await service.add_session_to_memory(session)
            elif verb == "events":
                await service.add_events_to_memory(**who, events=events_of(told), session_id=name)
            elif verb == "delete":
                await service.delete_memory(**who, memory_id=name)
            else:
                found = await service.search_memory(**who, query=words or name)
                answers.append(
                    Counter((m.id, m.content.parts[0].text, m.timestamp) for m in found.memories)
                )
        return answers

    ours, theirs = (asyncio.run(play(service)) for service in services)
    there = asyncio.run(play(InMemoryMemoryService(), EVERY_WORD))
    for mine, his, every in zip(ours, theirs, there, strict=True):
        assert his <= mine <= every


TALKS = st.one_of(
    st.tuples(st.just("say"), st.sampled_from(["c1", "c2"]), st.sampled_from(["hi", "tea?"])),
    st.tuples(st.just("rewrite"), st.sampled_from(["c1", "c2"]), st.sampled_from(["no", "hm"])),
    st.tuples(st.just("branch"), st.sampled_from(["c1", "c2"]), st.just("0")),
    st.tuples(st.just("fork"), st.sampled_from(["c1", "c2"]), st.just("c3")),
    st.tuples(st.just("delete"), st.sampled_from(["c1", "c2", "c3"]), st.just("")),
    st.tuples(st.just("stale"), st.sampled_from(["c1", "c2"]), st.just("late")),
)


async def one(store: ConversationStore, verb: str, name: str, text: str) -> object:
    said = ModelRequest(parts=[UserPromptPart(content=text)])
    loaded = await store.load(name)
    talk = loaded or Conversation(messages=[], conversation_id=name)
    if verb == "say":
        talk.messages.append(said)
        return len(await store.save(talk))
    if verb == "rewrite":
        talk.messages[:] = [said]
        talk.new_message_index = None
        return len(await store.save(talk))
    if verb == "branch":
        await store.branch(name, at=0, expected_revision=talk.revision)
    elif verb == "fork":
        await store.fork(name, new_conversation_id=text)
    elif verb == "delete":
        await store.delete(name)
    else:
        talk.messages.append(said)
        talk.revision = "stale"
        await store.save(talk)
    return verb


@settings(max_examples=30)
@given(st.lists(TALKS, max_size=8))
def test_our_conversation_store_answers_as_pydantic_ais_does(
    steps: list[tuple[str, str, str]],
) -> None:
    ours = MunimentConversationStore(memory(clock=SteppingClock()).agent("ada", user="tuff"))

    async def play(store: ConversationStore) -> list[object]:
        answers: list[object] = []
        for verb, name, text in steps:
            try:
                answers.append(await one(store, verb, name, text))
            except (ConversationConflict, UserError) as error:
                answers.append(type(error).__name__)
            for known in ("c1", "c2", "c3"):
                loaded = await store.load(known)
                messages: list[Any] = list(loaded.messages) if loaded else []
                answers.append([part.content for m in messages for part in m.parts])
            answers.append(sorted(each.conversation_id for each in await store.read_records()))
        return answers

    assert asyncio.run(play(ours)) == asyncio.run(play(InMemoryConversationStore()))


CHATS = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(["c1", "c2"]), st.sampled_from(["hi", "tea?"])),
    st.tuples(st.just("set"), st.sampled_from(["c1", "c2"]), st.sampled_from(["", "a b c"])),
    st.tuples(st.just("delete"), st.sampled_from(["c1", "c2", "c3"]), st.just("")),
    st.tuples(st.just("delete_at"), st.sampled_from(["c1", "c2", "c3"]), st.sampled_from("012")),
    st.tuples(st.just("delete_last"), st.sampled_from(["c1", "c2", "c3"]), st.just("")),
)


def one_chat(store: BaseChatStore, verb: str, key: str, text: str) -> object:
    said = [ChatMessage(role="user", content=each) for each in text.split()]
    match verb:
        case "add":
            return store.add_message(key, ChatMessage(role="user", content=text))
        case "set":
            return store.set_messages(key, said)
        case "delete":
            return store.delete_messages(key) or None  # theirs tells a chat that was emptied apart
        case "delete_at":
            return store.delete_message(key, int(text))
        case _:
            with contextlib.suppress(IndexError):  # theirs, of a chat that was emptied
                return store.delete_last_message(key)
            return None


@settings(max_examples=30)
@given(st.lists(CHATS, max_size=10))
def test_our_chat_store_answers_as_llama_indexs_does(steps: list[tuple[str, str, str]]) -> None:
    ours = MunimentChatStore(memory(clock=SteppingClock()).agent("ada", user="tuff"))

    def play(store: BaseChatStore) -> list[object]:
        answers: list[object] = []
        for step in steps:
            answers.append(one_chat(store, *step))
            held = {key: [*store.get_messages(key)] for key in ("c1", "c2", "c3")}
            answers.append(held)
            # A chat that was emptied message by message is a key of theirs and none of ours.
            answers.append(sorted(key for key in store.get_keys() if held[key]))
        return answers

    assert play(ours) == play(SimpleChatStore())
