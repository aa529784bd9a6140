"""MCP server: tools and resources for one principal that is fixed when it starts."""
