"""Serving MCP: over stdio, or over HTTP on loopback behind a token, a Host and an Origin check."""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment.adapters.mcp.answers import plain
from muniment.model.errors import InputError, PermissionDeniedError

PATH: Final = "/mcp"
BODY_BYTES_MAX: Final = 256 * 1024
TOKEN_CHARACTERS_MIN: Final = 32
UNAUTHORIZED: Final = 401


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where HTTP is served, and to whom."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""  # empty: one is drawn for this start
    origins: tuple[str, ...] = ()  # of web pages that may call; none by default
    hosts: tuple[
        str, ...
    ] = ()  # other names this door is reached by, as a trusted proxy sends them


def over_stdio(server: MCPServer) -> None:
    """Serve one client until it hangs up."""
    server.run("stdio")


def over_http(server: MCPServer, asked: Listening, told: Callable[[str, str], None]) -> None:
    """Serve until interrupted; `told` gets the address and the token beforehand."""
    check(asked)
    listening = listen(asked)
    token = asked.token or secrets.token_urlsafe(32)
    try:
        port = listening.getsockname()[1]
        app = guarded(server, asked, port, token)
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, server_header=False, lifespan="on"
        )
        told(f"http://{asked.host}:{port}{PATH}", token)
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


def check(asked: Listening) -> None:
    """Beyond loopback only with a token of one's own, behind a proxy that is named."""
    if asked.token and len(asked.token) < TOKEN_CHARACTERS_MIN:
        raise InputError(f"a token has at least {TOKEN_CHARACTERS_MIN} characters")
    if is_loopback(asked.host):
        return
    if not asked.token or not asked.hosts:
        raise InputError(
            "beyond this machine a token of your own (--token-file) and the name that a proxy "
            "with TLS sends (--behind HOST) are needed"
        )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(asked: Listening) -> socket.socket:
    family = socket.AF_INET6 if ":" in asked.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((asked.host, asked.port))
    except (OSError, OverflowError) as error:
        made.close()
        raise InputError(f"cannot listen at {asked.host}:{asked.port}: {error}") from None
    return made


def guarded(server: MCPServer, asked: Listening, port: int, token: str) -> ASGIApp:
    """The HTTP door: a bearer token first, then Host and Origin exactly, then the protocol."""
    own = [f"{asked.host}:{port}", f"localhost:{port}", f"127.0.0.1:{port}"]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*own, *asked.hosts],
        allowed_origins=[*(f"http://{host}" for host in own), *asked.origins],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_BYTES_MAX,
        transport_security=security,
        host=asked.host,
    )
    return _Bearer(app, token)


def read_token(path: Path) -> str:
    """A token from a file that only its owner can read."""
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the token cannot be read: {error}") from None
    if mode & 0o077:
        raise InputError(f"{path.name} can be read by others: chmod 600")
    return text


class _Bearer:
    """Nothing is answered, not even whether it exists, to who does not know the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._knows(scope):
            refused = JSONResponse(
                plain(PermissionDeniedError()),
                status_code=UNAUTHORIZED,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._expected)
