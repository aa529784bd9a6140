"""Our MCP server for the conformance suite, which sends no token: the guard is tested elsewhere."""

import socket
import sys

import uvicorn

import muniment
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.mcp.server import local
from muniment.model.scope import Role


def main() -> None:
    who = Grant(agent="ada", user="tuff", role=Role.USER)
    with muniment.open(":memory:") as memory, local(memory, who, version="1") as server:
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        print(listening.getsockname()[1])
        sys.stdout.flush()
        app = server.streamable_http_app(streamable_http_path="/mcp")
        uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
