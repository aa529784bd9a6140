"""An MCP client for tests: a seat at a memory, called in process or over stdio."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, MCPError, StdioServerParameters
from mcp.server.mcpserver import MCPServer

from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.gateway.work_queue import Lane, LoopLane
from muniment.adapters.mcp.server import build
from muniment.adapters.mcp.session import Seat, of_words
from muniment.engine.api.memory import Memory
from muniment.model.scope import Channel, Persona, Role

T = TypeVar("T")
Talk = Callable[[Client], Awaitable[T]]

# For who speaks by hand what a client of the protocol says.
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def call(number: int, tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def seated(
    memory: Memory,
    talk: Talk[T],
    *,
    role: Role = Role.AGENT,
    user: str = "",
    agent: str = "ada",
    persona: Persona = Persona.ACTOR,
    **client: Any,  # noqa: ANN401
) -> T:
    """Have a talk from one seat, in process."""
    grant = of_words(memory.tenant, agent, user, role=role, persona=persona)
    return with_client(Client(server(memory, grant), **client), talk)


def server(memory: Memory, grant: Grant, lane: Lane | None = None) -> MCPServer:
    """The server of whoever says on the command line who they are."""
    reception = Gateway(memory, MemoryCredentials(), channel=Channel.API)
    return build(Seat.local(reception, grant, lane or LoopLane()))


def with_client(client: Client, talk: Talk[T]) -> T:
    async def main() -> T:
        async with client as opened:
            return await talk(opened)

    return asyncio.run(main())


async def told(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """What a tool answered; an error is told by its code."""
    result = await client.call_tool(tool, arguments)
    content = result.structured_content or {}
    assert bool(result.is_error) == ("error_code" in content)
    return content


async def read(client: Client, uri: str) -> str:
    """A resource as text, or the code and the words of its error."""
    try:
        result = await client.read_resource(uri)
    except MCPError as error:
        return f"{error.error.code} {error.error.message}"
    return "".join(getattr(each, "text", "") for each in result.contents)


def process(store: Path, *words: str) -> StdioServerParameters:
    """The server as a process of its own, on a store that others use too."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "muniment", "mcp", "--store", str(store), *words]
    )
