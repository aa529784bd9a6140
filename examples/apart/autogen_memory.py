"""AutoGen: an assistant is given what its user said before, and each user has their own memory."""

import asyncio
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.models import (
    ChatCompletionClient,
    CreateResult,
    LLMMessage,
    ModelFamily,
    ModelInfo,
    RequestUsage,
)

import muniment
from muniment.adapters.frameworks.autogen import MunimentMemory

NONE = RequestUsage(prompt_tokens=0, completion_tokens=0)
PLAIN = ModelInfo(
    vision=False,
    function_calling=False,
    json_output=False,
    family=ModelFamily.UNKNOWN,
    structured_output=False,
)


class Echo(ChatCompletionClient):  # type: ignore[misc]
    """A model of this file: it tells what it was given."""

    async def create(self, messages: Sequence[LLMMessage], **_: Any) -> CreateResult:  # noqa: ANN401
        given = " / ".join(str(each.content) for each in messages)
        return CreateResult(
            finish_reason="stop", content=f"I was told: {given}", usage=NONE, cached=False
        )

    def create_stream(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401
        raise NotImplementedError

    async def close(self) -> None:
        pass

    def actual_usage(self) -> RequestUsage:
        return NONE

    total_usage = actual_usage

    def count_tokens(self, messages: Sequence[LLMMessage], **_: Any) -> int:  # noqa: ANN401
        return len(messages)

    remaining_tokens = count_tokens

    @property
    def model_info(self) -> ModelInfo:
        return PLAIN

    capabilities = model_info


CALLER: ContextVar[str] = ContextVar("caller", default="")


def assistant(agents: Callable[[str], Any]) -> AssistantAgent:
    remembered = MunimentMemory(agents, user=CALLER.get)
    return AssistantAgent("waiter", model_client=Echo(), memory=[remembered], system_message=None)


async def main() -> None:
    with muniment.open(":memory:") as memory:
        people = MunimentMemory(lambda user: memory.agent("ada", user=user), user=CALLER.get)
        for user, words in (("alice", "I drink green tea"), ("bob", "I drink black coffee")):
            CALLER.set(user)
            await people.add(MemoryContent(content=words, mime_type=MemoryMimeType.TEXT))
        for user in ("alice", "bob"):
            CALLER.set(user)
            waiter = assistant(lambda name: memory.agent("ada", user=name))
            answer = await waiter.run(task="What do I drink?")
            print(f"{user}: {answer.messages[-1].to_text()}")
        print("decided again, and equal:", [proof.entries for proof in memory.prove()])


asyncio.run(main())
