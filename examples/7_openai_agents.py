"""An agent of the OpenAI Agents SDK whose session lies in the log; its model is scripted here."""

import asyncio

from agents import Agent, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message

import muniment
from muniment.adapters.frameworks.openai_agents import MunimentSession

set_tracing_disabled(True)


async def main() -> None:
    with muniment.open(":memory:") as memory:
        ada = memory.agent("ada", user="tuff")
        session = MunimentSession("monday", ada)
        answers = ("Noted: green tea.", "You drink green tea.")
        model = ScriptedModel([[assistant_message(each)] for each in answers])
        waiter = Agent(name="waiter", model=model)

        for said in ("I drink green tea; write to tuff@example.com", "What do I drink?"):
            result = await Runner.run(waiter, said, session=session)
            print(f"{said} -> {result.final_output}")

        # The address was redacted before it was kept.
        for item in await session.get_items():
            print(item.get("role"), item.get("content"))

        before = ada.seq
        await session.clear_session()
        past = ada.documents().within(("openai-agents",), at=before)
        print(f"cleared: {await session.get_items()}, and the past still has {len(past)} items")
        print("decided again, and equal:", [proof.entries for proof in memory.prove()])


asyncio.run(main())
