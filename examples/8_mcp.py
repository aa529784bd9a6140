"""An MCP client and a server with one seat: remember, recall, and a person who is asked."""

import asyncio
from typing import Any

from mcp import Client
from mcp.types import ElicitResult

import muniment
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.mcp.server import local
from muniment.model.scope import Role


async def person(context: object, params: Any) -> ElicitResult:  # noqa: ANN401
    """Whoever sits at the client; here they say yes to everything."""
    del context
    print("asked:", params.message.replace("\n", " | "))
    return ElicitResult(action="accept", content={"decision": "approve", "reason": "it is so"})


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    return (await client.call_tool(tool, arguments)).structured_content or {}


async def main() -> None:
    tuff = Grant(agent="ada", user="tuff", role=Role.USER)  # as `muniment mcp` serves it
    with muniment.open(":memory:") as memory, local(memory, tuff) as server:
        async with Client(server, elicitation_callback=person) as client:
            kept = await call(client, "remember", text="Remember my drink is green tea")
            found = await call(client, "recall", query="Which drink?")
            print("recalled:", [hit["text"] for hit in found["hits"]])
            asked = await call(client, "requests", id=kept["question"]["confirmation_id"])
            print("vote:", await call(client, "requests", id=asked["request_id"]))
        bob = memory.agent("bob", user="tuff")
        print("governed:", bob.sem_get("user/profile/user_tuff/drink").value)


asyncio.run(main())
