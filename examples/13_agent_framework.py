"""Microsoft Agent Framework: sessions lie in the log, and one remembers what another was told."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, FunctionInvocationLayer, Message

import muniment
from muniment.adapters.frameworks.agent_framework import (
    MunimentContextProvider,
    MunimentHistoryProvider,
)


class Echo(FunctionInvocationLayer, BaseChatClient):
    """A model of this file: it tells what it was given."""

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **_: object
    ) -> ChatResponse:
        given = " / ".join(each.text for each in messages)
        return ChatResponse(messages=[Message("assistant", [f"I was told: {given}"])])


async def main() -> None:
    with muniment.open(":memory:") as memory:
        ada = memory.agent("ada", user="tuff")
        keeps = [MunimentHistoryProvider(ada), MunimentContextProvider(ada)]
        waiter = Agent(Echo(), name="waiter", context_providers=keeps)
        for day, said in (("monday", "I drink green tea"), ("tuesday", "Which tea do I drink?")):
            answer = await waiter.run(said, session=waiter.create_session(session_id=day))
            print(f"{day}: {answer.text}")
        print([each.namespace[1] for each in ada.documents().within(("agent-framework",))])
        print("decided again, and equal:", [proof.entries for proof in memory.prove()])


asyncio.run(main())
