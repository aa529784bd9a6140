"""Doors at which a name is told something and asked for it: what `tests/laws/test_names.py` tries.

A door has kinds of names. Of each kind it plants a text under a name, and tells all that somebody
who gives a name can read there. What a door says no to is `NotAdmittedError`, with a stable code.
"""

import asyncio
import functools
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
from agent_framework import Message
from anthropic.lib.tools import ToolError
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai.types import Content, Part
from langgraph.store.base import InvalidNamespaceError
from llama_index.core.llms import ChatMessage
from mcp.server.mcpserver import MCPServer
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import ConversationConflict
from pydantic_ai.messages import ModelRequest, UserPromptPart
from tests import world
from tests.behaviour.doors.test_chat_proxies import loaded
from tests.confusable import TWINS
from tests.mcp_client import server
from tests.service import Caller, serving
from tests.studios import TOKEN
from tests.talks import OPEN_SPACES
from tests.terminal import Shell

import muniment
from muniment.adapters.client.client import Client
from muniment.adapters.config import Settings
from muniment.adapters.frameworks.adk import MunimentMemoryService
from muniment.adapters.frameworks.agent_framework import MunimentHistoryProvider
from muniment.adapters.frameworks.anthropic import MunimentMemoryTool
from muniment.adapters.frameworks.claude_agent import MunimentSessionStore
from muniment.adapters.frameworks.langgraph import MunimentStore, label
from muniment.adapters.frameworks.llama_index import MunimentChatStore
from muniment.adapters.frameworks.openai_agents import MunimentSession
from muniment.adapters.frameworks.pydantic_ai import MunimentConversationStore
from muniment.adapters.mcp.session import of_words
from muniment.adapters.studio.app import PAGES, environment, render
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PageRequest, RenderedPage
from muniment.engine.api.agent import Agent
from muniment.model.errors import MunimentError
from muniment.model.policy import Brainstate, Policy
from muniment.model.scope import Channel, Role, name

T = TypeVar("T")
OPEN: Final = Policy(spaces=OPEN_SPACES, brainstate=Brainstate(sessions_max=500))
ASKED: Final = "Which tea?"
# How another's library says no to a name before we hear of it, or in the way that it wants it said.
THEIRS: Final = (ToolError, InvalidNamespaceError, ConversationConflict, httpx2.LocalProtocolError)
# Codes that callers may rely on.
CODES: Final = {
    "INVALID_INPUT",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    *(each.__name__ for each in THEIRS),
}

Tell = Callable[[str, str], object]
Hear = Callable[[str], object]
Kinds = dict[str, tuple[Tell, Hear]]


class NotAdmittedError(Exception):
    """A door said no, with this code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def answered(work: Callable[[], object]) -> str:
    """An answer in all that it says; or what the door says no with."""
    try:
        return repr(work())
    except MunimentError as error:
        raise NotAdmittedError(error.code) from error
    except THEIRS as error:
        raise NotAdmittedError(type(error).__name__) from error


# ── Python ──────────────────────────────────────────────────────────────────────────────────────


def _worked(agent: Agent, session: str, text: str) -> None:
    with agent.job(text, session=session) as job:
        kept = job.wm_insert({"type": "fact", "value": text})
        job.reference(kept)
        job.reference(kept)
        job.tick()


@contextmanager
def python(_: Path) -> Iterator[Kinds]:
    of = world.memory(OPEN)

    def ada(user: str = "tuff", *, agent: str = "ada") -> Agent:
        return of.agent(agent, user=user)

    def tenant(each: str) -> Agent:
        return of.beside(name(each, "tenant"), Channel.API).agent("ada", user="tuff")

    def where(**asked: str) -> object:
        return ada().recall(ASKED, where=asked).hits

    def shared(each: str, told: str) -> None:
        talk = ada().conversation(session="s", project=each)
        talk.record(user=told, space="project")

    def project(each: str) -> object:
        talk = of.agent("bob", user="eve").conversation(session="t", project=each)
        return talk.items("semantic", "project")

    yield {
        "session": (
            lambda each, told: ada().conversation(session=each).record(user=told),
            lambda each: [ada().conversation(session=each).items(), where(session=each)],
        ),
        "session of a sentence": (
            lambda each, told: ada().remember(told, session=each),
            lambda each: where(session=each),
        ),
        "session of working memory": (
            lambda each, told: _worked(ada(), each, told),
            lambda each: ada().cwm_get(session=each).items,
        ),
        "project": (shared, project),
        "agent": (
            lambda each, told: ada(agent=each).remember(told),
            lambda each: ada(agent=each).recall(ASKED).hits,
        ),
        "tenant": (
            lambda each, told: tenant(each).remember(told),
            lambda each: tenant(each).recall(ASKED).hits,
        ),
        "user": (
            lambda each, told: ada(name(each, "user")).remember(told),
            lambda each: ada(name(each, "user")).recall(ASKED).hits,
        ),
        "namespace": (
            lambda each, told: ada().documents().put((each,), "k", told),
            lambda each: [
                ada().documents().within((each,)),
                ada().documents().search((each,), ASKED),
            ],
        ),
        "key": (
            lambda each, told: ada().documents().put(("n",), each, told),
            lambda each: [
                ada().documents().get(("n",), each),
                ada().documents().history(("n",), each),
            ],
        ),
        "tag": (
            lambda each, told: ada().remember(told, tags=[each]),
            lambda each: where(tags=each),
        ),
        "source": (
            lambda each, told: ada().remember(told, source=each),
            lambda each: where(source=each),
        ),
        "speaker": (
            lambda each, told: ada().remember(told, speaker=each),
            lambda each: where(speaker=each),
        ),
        "value of the metadata": (
            lambda each, told: ada().remember(told, metadata={"k": each}),
            lambda each: where(**{"metadata.k": each}),
        ),
    }


# ── HTTP ────────────────────────────────────────────────────────────────────────────────────────


def _sent(caller: Caller, method: str, path: str, **given: Any) -> str:  # noqa: ANN401
    answer = caller.http.request(method, path, **given)
    if answer.is_error:
        raise NotAdmittedError(answer.json()["error_code"])
    return repr(answer.json())


def _post(caller: Caller, path: str, **body: object) -> str:
    return _sent(caller, "POST", path, json=body)


def _recalled(caller: Caller, **where: str) -> str:
    return _post(caller, "/v1/recall", query=ASKED, **({"where": where} if where else {}))


@contextmanager
def http(_: Path) -> Iterator[Kinds]:
    with serving(settings=Settings(policy=OPEN)) as service:
        ada, anybody = service.agent(), service.agent(agent="crowd", user="*")

        @functools.cache
        def seat(what: str, each: str) -> Caller:
            try:
                if what == "project":
                    return service.agent(agent="planner", projects=(each,))
                if what == "user":
                    return service.agent(agent="desk", user=name(each, "user"))
                return service.agent(**{what: each})
            except MunimentError as error:
                raise NotAdmittedError(error.code) from error

        def in_project(each: str, told: str) -> object:
            place = {"session": "s", "project": each, "space": "project"}
            return _post(seat("project", each), "/v1/conversation/record", user=told, **place)

        def project(each: str) -> str:
            given = {"session": "t", "project": each, "space": "project", "kind": "semantic"}
            return _sent(seat("project", each), "GET", "/v1/conversation/items", params=given)

        def entered(each: str) -> str:
            """What a key hears in every project that it may enter, its own among them."""
            heard = [project(each)]
            for asked in TWINS[each]:
                given = {"session": "t", "project": asked, "space": "project", "kind": "semantic"}
                made = seat("project", each)
                answer = made.http.get("/v1/conversation/items", params=given)
                heard += [repr(answer.json())] if answer.is_success else []
            return "".join(heard)

        def header(each: str) -> dict[str, bytes]:
            return {"muniment-user": each.encode()}

        def labelled(field: str) -> tuple[Tell, Hear]:
            said = {"role": "user"}
            return (
                lambda each, told: _post(
                    ada,
                    "/v3/memories/add/",
                    messages=[said | {"content": told}],
                    **{field: each},
                ),
                lambda each: [
                    _post(ada, "/v3/memories/search/", query=ASKED, filters={field: each or None}),
                    _sent(ada, "GET", "/v1/memories/", params={field: each, "page_size": 500}),
                ],
            )

        yield {
            "session": (
                lambda each, told: _post(ada, "/v1/conversation/record", session=each, user=told),
                lambda each: _sent(ada, "GET", "/v1/conversation/items", params={"session": each}),
            ),
            "session of a sentence": (
                lambda each, told: _post(ada, "/v1/remember", text=told, session=each),
                lambda each: _recalled(ada, session=each),
            ),
            "project": (in_project, entered),
            "agent": (
                lambda each, told: _post(seat("agent", each), "/v1/remember", text=told),
                lambda each: _recalled(seat("agent", each)),
            ),
            "tenant": (
                lambda each, told: _post(seat("tenant", each), "/v1/remember", text=told),
                lambda each: _recalled(seat("tenant", each)),
            ),
            "user of a key": (
                lambda each, told: _post(seat("user", each), "/v1/remember", text=told),
                lambda each: _recalled(seat("user", each)),
            ),
            "user in a header": (
                lambda each, told: _sent(
                    anybody, "POST", "/v1/remember", json={"text": told}, headers=header(each)
                ),
                lambda each: _sent(
                    anybody, "POST", "/v1/recall", json={"query": ASKED}, headers=header(each)
                ),
            ),
            "user of mem0": (
                lambda each, told: _post(
                    anybody,
                    "/v3/memories/add/",
                    messages=[{"role": "user", "content": told}],
                    user_id=each,
                ),
                lambda each: _post(
                    anybody, "/v3/memories/search/", query=ASKED, filters={"user_id": each}
                ),
            ),
            "run of mem0": labelled("run_id"),
            "agent of mem0": labelled("agent_id"),
            "app of mem0": labelled("app_id"),
            "namespace": (
                lambda each, told: _post(
                    ada, "/v1/documents", namespace=[each], key="k", value=told
                ),
                lambda each: _post(ada, "/v1/documents/within", namespace=[each]),
            ),
            "key": (
                lambda each, told: _post(
                    ada, "/v1/documents", namespace=["n"], key=each, value=told
                ),
                lambda each: _post(ada, "/v1/documents/get", namespace=["n"], key=each),
            ),
            "tag": (
                lambda each, told: _post(ada, "/v1/remember", text=told, tags=[each]),
                lambda each: _recalled(ada, tags=each),
            ),
            "source": (
                lambda each, told: _post(ada, "/v1/remember", text=told, source=each),
                lambda each: _recalled(ada, source=each),
            ),
        }


@contextmanager
def remote(_: Path) -> Iterator[Kinds]:
    """Our own client of the service, and the file for two chat proxies."""
    with serving(settings=Settings(policy=OPEN)) as service:
        key = service.key(role=Role.AGENT, agent="crowd", user="*")
        proxied = service.key(role=Role.AGENT, agent="chat", user="*")
        plain = service.key(role=Role.AGENT, agent="ada", user="tuff")
        one = Client(service.url, key=plain)
        clients = [one]

        @functools.cache
        def client(user: str) -> Client:
            clients.append(Client(service.url, key=key, user=user))
            return clients[-1]

        def chat() -> Any:  # noqa: ANN401 - a module that is loaded from a file
            return module.ChatMemory(service.url, proxied)

        def proxy(work: Coroutine[Any, Any, T]) -> T:
            try:
                return asyncio.run(work)
            except module.RefusedError as error:
                raise NotAdmittedError("INVALID_INPUT") from error

        module = loaded()
        asked = [{"role": "user", "content": ASKED}]
        yield {
            "session": (
                lambda each, told: one.conversation(session=each).record(user=told),
                lambda each: one.conversation(session=each).items(),
            ),
            "user": (
                lambda each, told: client(each).remember(told),
                lambda each: client(each).recall(ASKED).hits,
            ),
            "namespace": (
                lambda each, told: one.documents().put([each], "k", told),
                lambda each: one.documents().within([each]),
            ),
            "user of a chat proxy": (
                lambda each, told: proxy(chat().record(each, told, "Noted.", "monday")),
                lambda each: proxy(chat().with_known(each, asked)),
            ),
        }
        for each in clients:
            each.close()


# ── MCP, the terminal, the studio ───────────────────────────────────────────────────────────────


@contextmanager
def mcp(_: Path) -> Iterator[Kinds]:
    of = world.memory(OPEN)

    @functools.cache
    def seat(tenant: str = "main", agent: str = "ada", user: str = "tuff") -> MCPServer:
        its = of if tenant == "main" else of.beside(name(tenant, "tenant"), Channel.MCP)
        return server(its, of_words(its.tenant, agent, user))

    def called(tool: str, given: dict[str, object], **who: str) -> str:
        answer = asyncio.run(seat(**who).call_tool(tool, given))
        content = getattr(answer, "structured_content", None) or {}
        if "error_code" in content:
            raise NotAdmittedError(content["error_code"])
        return repr(answer)

    def speaking(which: str) -> tuple[Tell, Hear]:
        return (
            lambda each, told: called("remember", {"text": told}, **{which: each}),
            lambda each: called("recall", {"query": ASKED}, **{which: each}),
        )

    def told_with(field: str) -> tuple[Tell, Hear]:
        return (
            lambda each, told: called(
                "remember", {"text": told, field: [each] if field == "tags" else each}
            ),
            lambda each: called("recall", {"query": ASKED, "where": {field: each}}),
        )

    yield {
        "user": speaking("user"),
        "agent": speaking("agent"),
        "tenant": speaking("tenant"),
        "tags": told_with("tags"),
        "session": told_with("session"),
    }


@contextmanager
def terminal(folder: Path) -> Iterator[Kinds]:
    def ran(*words: str, **seat: str) -> str:
        given = {"user": "tuff"} | seat
        options = [f"--{each}={value}" for each, value in given.items()]
        result = Shell("--store", str(folder / "memory"), *options)(words[0], "--json", *words[1:])
        assert not result.exception or isinstance(result.exception, SystemExit), result.exception
        if result.exit_code:
            raise NotAdmittedError(json.loads(result.stdout)["error_code"])
        return result.stdout

    def speaking(seat: str) -> tuple[Tell, Hear]:
        return (
            lambda each, told: ran("remember", told, **{seat: each}),
            lambda each: ran("recall", ASKED, **{seat: each}),
        )

    yield {
        "user": speaking("user"),
        "tenant": speaking("tenant"),
        "session": (
            lambda each, told: ran("turn", "--said", told, f"--session={each}"),
            lambda each: ran("items", f"--session={each}"),
        ),
        "key": (
            lambda each, told: ran("documents", "put", "n", "--", each, told),
            lambda each: ran("documents", "get", "n", "--", each),
        ),
    }


@contextmanager
def studio(folder: Path) -> Iterator[Kinds]:
    place = str(folder / "memory")
    of = muniment.open(place, policy=OPEN)
    made = Studio(lambda: of, Sessions(TOKEN), place="./memory")

    def shown(path: str, **query: str) -> str:
        asked = PageRequest(path=path, query=query, who="grace", form_token="0" * 64)
        found = PAGES[path](made, asked)
        assert isinstance(found, RenderedPage)
        return render(environment(), made, asked, found)

    def ada(user: str = "tuff", *, agent: str = "ada") -> Agent:
        return of.agent(agent, user=user)

    yield {
        "session": (
            lambda each, told: ada().conversation(session=each).record(user=told),
            lambda each: shown("/memories", user="tuff", session=each),
        ),
        "source": (
            lambda each, told: ada("sue").remember(told, source=each),
            lambda each: shown("/memories", user="sue", source=each),
        ),
    }
    of.close()


# ── Adapters for frameworks ─────────────────────────────────────────────────────────────────────


@contextmanager
def adapters(_: Path) -> Iterator[Kinds]:
    of = world.memory(OPEN, clock=world.SteppingClock())
    run: Callable[[Coroutine[Any, Any, Any]], Any] = asyncio.run

    def one(adapter: str) -> Agent:
        return of.agent(adapter, user="tuff")

    def people(adapter: str) -> Callable[[str], Agent]:
        return lambda user: of.agent(adapter, user=name(user, "user"))

    store, of_people = MunimentStore(one("graph")), MunimentStore(people("graphs"), user=label(1))
    files = MunimentMemoryTool(one("claude"))
    events = MunimentMemoryService(people("adk"))
    chats = MunimentChatStore(one("llama"))
    history = MunimentHistoryProvider(one("framework"))
    of_states = MunimentHistoryProvider(people("states"))
    transcripts = MunimentSessionStore(one("transcripts"))
    talks = MunimentConversationStore(one("pydantic"))

    def said(text: str) -> Any:  # noqa: ANN401 - an item of the OpenAI Agents SDK
        return [{"role": "user", "content": text}]

    def session(app: str, user: str, its: str, text: str) -> Session:
        content = Content(parts=[Part(text=text)])
        event = Event(id=text, author="user", timestamp=5.5, content=content)
        return Session(id=its, app_name=app, user_id=user, events=[event])

    def path(each: str) -> str:
        return f"/memories/notes/{each}"

    def of_key(**key: str) -> dict[str, str]:
        return {"project_key": "p", "session_id": "s"} | key

    def transcript(field: str) -> tuple[Tell, Hear]:
        return (
            lambda each, told: run(
                transcripts.append(of_key(**{field: each}), [{"type": "user", "text": told}])
            ),
            lambda each: run(transcripts.load(of_key(**{field: each}))),
        )

    def talk(each: str, told: str, scope: str | None = None) -> object:
        message = ModelRequest(parts=[UserPromptPart(content=told)])
        kept = Conversation(messages=[message], conversation_id=each)
        return run(talks.save(kept, scope=scope))

    yield {
        "LangGraph: label": (
            lambda each, told: store.put(("n", each), "k", {"text": told}),
            lambda each: [store.get(("n", each), "k"), store.search(("n", each))],
        ),
        "LangGraph: key": (
            lambda each, told: store.put(("m",), each, {"text": told}),
            lambda each: store.get(("m",), each),
        ),
        "LangGraph: value of a filter": (
            lambda each, told: store.put(("f",), told, {"text": told, "k": each}),
            lambda each: store.search(("f",), filter={"k": each}, limit=500),
        ),
        "LangGraph: label behind": (
            lambda each, told: store.put(("b", told, each), "k", {"text": told}),
            lambda each: store.list_namespaces(prefix=("b",), suffix=(each,), limit=500),
        ),
        "LangGraph: user": (
            lambda each, told: of_people.put(("n", each), "k", {"text": told}),
            lambda each: of_people.search(("n", each)),
        ),
        "OpenAI Agents: session": (
            lambda each, told: run(MunimentSession(each, one("openai")).add_items(said(told))),
            lambda each: run(MunimentSession(each, one("openai")).get_items()),
        ),
        "OpenAI Agents: user": (
            lambda each, told: run(
                MunimentSession("s", people("o"), user=each).add_items(said(told))
            ),
            lambda each: run(MunimentSession("s", people("o"), user=each).get_items()),
        ),
        "Anthropic: path": (
            lambda each, told: files.call(
                {"command": "create", "path": path(each), "file_text": told}
            ),
            lambda each: files.call({"command": "view", "path": path(each)}),
        ),
        "ADK: app": (
            lambda each, told: run(events.add_session_to_memory(session(each, "tuff", "s", told))),
            lambda each: run(events.search_memory(app_name=each, user_id="tuff", query=ASKED)),
        ),
        "ADK: user": (
            lambda each, told: run(events.add_session_to_memory(session("a", each, "s", told))),
            lambda each: run(events.search_memory(app_name="a", user_id=each, query=ASKED)),
        ),
        "LlamaIndex: chat": (
            lambda each, told: chats.add_message(each, ChatMessage(content=told)),
            chats.get_messages,
        ),
        "Agent Framework: session": (
            lambda each, told: run(history.save_messages(each, [Message("user", [told])])),
            lambda each: [each.text for each in run(history.get_messages(each))],
        ),
        "Agent Framework: user": (
            lambda each, told: run(
                of_states.save_messages("s", [Message("user", [told])], state={"user_id": each})
            ),
            lambda each: [
                each.text for each in run(of_states.get_messages("s", state={"user_id": each}))
            ],
        ),
        "Claude Agent: project": transcript("project_key"),
        "Claude Agent: session": transcript("session_id"),
        "Claude Agent: subagent": transcript("subpath"),
        "Pydantic AI: scope": (
            lambda each, told: talk(told, told, each),
            lambda each: run(talks.read_records(scope=each)) if each else "",
        ),
        "Pydantic AI: conversation": (
            talk,
            lambda each: [
                run(talks.read_record(each)),
                getattr(run(talks.load(each)), "messages", None),
            ],
        ),
    }


DOORS = {
    "python": python,
    "http": http,
    "clients": remote,
    "mcp": mcp,
    "terminal": terminal,
    "studio": studio,
    "adapters": adapters,
}
