"""The MCP door: a few tools and resources for one principal that is fixed when it opens."""
