"""An MCP server whose one tool says back what it is told: what the SDK itself costs."""

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent

server = MCPServer("echo", log_level="CRITICAL")


@server.tool()
async def echo(text: str) -> CallToolResult:
    """Say it back, in the two forms in which a result is given."""
    said = TextContent(type="text", text=text)
    return CallToolResult(content=[said], structured_content={"text": text})


if __name__ == "__main__":
    server.run("stdio")
