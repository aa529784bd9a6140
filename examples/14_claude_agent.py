"""Claude Agent SDK: the transcript of a session lies in the log, to be resumed anywhere.

With the SDK, `ClaudeAgentOptions(session_store=store)` fills it; here the lines are made by hand.
"""

import asyncio

import muniment
from muniment.adapters.frameworks.claude_agent import MunimentSessionStore

KEY = {"project_key": "tea-house", "session_id": "monday"}


def line(uuid: str, role: str, text: str) -> dict[str, object]:
    return {"type": role, "uuid": uuid, "message": {"role": role, "content": text}}


async def main() -> None:
    with muniment.open(":memory:") as memory:
        store = MunimentSessionStore(lambda user: memory.agent("ada", user=user), user="tuff")
        said = line("u1", "user", "I drink green tea; write to tuff@example.com")
        await store.append(KEY, [said, line("u2", "assistant", "Noted.")])
        await store.append(KEY, [said])  # a batch that is sent again changes nothing

        for entry in await store.load(KEY) or ():
            print(entry["message"])
        print([each["session_id"] for each in await store.list_sessions("tea-house")])
        print(
            "somebody else's:",
            await MunimentSessionStore(memory.agent("ada", user="eve")).load(KEY),
        )
        print("decided again, and equal:", [proof.entries for proof in memory.prove()])


asyncio.run(main())
