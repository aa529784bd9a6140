"""One file remembers for whoever chats through Open WebUI or LiteLLM, for each by themselves."""

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tests.service import Running, serving

from muniment.model.scope import Role

FILE = Path(__file__).parents[3] / "clients" / "chat_proxies" / "muniment_memory.py"
TEA = {"role": "user", "content": "I drink green tea"}
ASKED = {"role": "user", "content": "Which tea do I drink?"}
NOTED = {"role": "assistant", "content": "Noted."}
ALICE, BOB = {"id": "alice"}, {"id": "bob"}


def loaded() -> Any:  # noqa: ANN401
    """As both proxies load it: a module made of this one file."""
    spec = importlib.util.spec_from_file_location("muniment_memory", FILE)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


@pytest.fixture
def key(service: Running) -> str:
    return service.key(role=Role.AGENT, agent="ada", user="*")


def filtering(service: Running, key: str) -> Any:  # noqa: ANN401
    found = loaded().Filter()
    found.valves = found.Valves(address=service.url, key=key)
    return found


def said(body: dict[str, Any]) -> list[str]:
    return [each["content"] for each in body["messages"]]


def test_open_webui_is_told_what_its_own_user_said_in_another_chat(
    service: Running, key: str
) -> None:
    memory = filtering(service, key)
    asyncio.run(memory.outlet({"chat_id": "monday", "messages": [TEA, NOTED]}, ALICE))

    known, *rest = said(asyncio.run(memory.inlet({"messages": [ASKED]}, ALICE)))

    assert "I drink green tea" in known
    assert rest == ["Which tea do I drink?"]
    assert said(asyncio.run(memory.inlet({"messages": [ASKED]}, BOB))) == ["Which tea do I drink?"]


@pytest.mark.parametrize("user", [None, {}, {"id": ""}])
def test_a_chat_of_nobody_is_refused(service: Running, key: str, user: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="no user: each call"):
        asyncio.run(filtering(service, key).inlet({"messages": [ASKED]}, user))


@pytest.mark.parametrize("user", ["alice ", " alice", "alice\n", "al\n ice", "al\tice"])
def test_a_name_that_a_header_would_change_is_refused(
    service: Running, key: str, user: str
) -> None:
    with pytest.raises(ValueError, match="must not begin or end with a space"):
        asyncio.run(filtering(service, key).inlet({"messages": [ASKED]}, {"id": user}))


def test_a_key_that_speaks_for_one_person_or_that_is_wrong_says_so(service: Running) -> None:
    for wrong in ("", "mk_wrong", service.key(role=Role.AGENT, agent="ada", user="tuff")):
        with pytest.raises(ValueError, match="the memory refused: 40"):
            asyncio.run(filtering(service, wrong).inlet({"messages": [ASKED]}, ALICE))


def test_the_chat_goes_on_while_the_memory_cannot_be_reached(
    key: str, caplog: pytest.LogCaptureFixture
) -> None:
    memory = loaded().Filter()
    memory.valves = memory.Valves(address="http://127.0.0.1:9", key=key)

    body = asyncio.run(memory.inlet({"messages": [ASKED]}, ALICE))

    assert said(body) == ["Which tea do I drink?"]
    assert "cannot be reached" in caplog.text


async def streamed(*pieces: str) -> AsyncIterator[Any]:
    for each in pieces:
        yield SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(content=each))])


async def a_completion(hooks: Any, key: object, text: str, *, stream: bool) -> list[str]:  # noqa: ANN401
    """The calls that LiteLLM's proxy makes around one; what the model is given."""
    data = {"model": "m", "messages": [{"role": "user", "content": text}]}
    data = await hooks.async_pre_call_hook(key, None, data, "acompletion")
    if stream:
        pieces = hooks.async_post_call_streaming_iterator_hook(key, streamed("No", "ted."), data)
        assert [each.choices[0].delta.content async for each in pieces] == ["No", "ted."]
    else:
        answer = SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="Yes"))])
        assert await hooks.async_post_call_success_hook(data, key, answer) is answer
    return said(data)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("end_users", [False, True])
def test_litellm_remembers_for_whom_the_key_or_the_trusted_caller_names(
    service: Running, key: str, *, stream: bool, end_users: bool
) -> None:
    module = loaded()
    hooks = module.LiteLLMMemory(module.ChatMemory(service.url, key), end_users=end_users)
    mine, other = f"carl-{stream}-{end_users}", f"dora-{stream}-{end_users}"

    def of(user: str) -> object:
        named = {"user_id": "server", "end_user_id": user} if end_users else {"user_id": user}
        return SimpleNamespace(**{"end_user_id": "forged", **named})

    asyncio.run(a_completion(hooks, of(mine), "I drink black coffee", stream=stream))

    asked = "Which coffee do I drink?"
    assert "black coffee" in asyncio.run(a_completion(hooks, of(mine), asked, stream=stream))[0]
    assert asyncio.run(a_completion(hooks, of(other), asked, stream=stream)) == [asked]
    for nobody in ("", "default_user_id"):
        with pytest.raises(ValueError, match="no user: each call"):
            asyncio.run(a_completion(hooks, of(nobody), asked, stream=stream))


def test_litellm_finds_each_hook_on_the_class_itself() -> None:
    own = vars(loaded().LiteLLMMemory)

    assert {name for name in own if name.startswith("async_")} == {
        "async_pre_call_hook",
        "async_post_call_success_hook",
        "async_post_call_streaming_iterator_hook",
    }


def test_a_call_that_is_no_chat_is_left_alone(service: Running, key: str) -> None:
    module = loaded()
    hooks = module.LiteLLMMemory(module.ChatMemory(service.url, key))
    data = {"model": "m", "input": "text"}

    assert asyncio.run(hooks.async_pre_call_hook(None, None, data, "aembedding")) is data
