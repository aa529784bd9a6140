"""MCP resources: an item, a summary, and the entries of one command."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.types import INVALID_PARAMS

from muniment.adapters.http.routes import learning
from muniment.adapters.mcp.responses import document, plain, spelled
from muniment.adapters.mcp.session import Seat
from muniment.adapters.requests.learning import SummaryRequest
from muniment.log.entry import Line
from muniment.model.errors import InputError, MunimentError, NotFoundError
from muniment.model.events import Shredded

JSON = "application/json"
Found = TypeVar("Found")


def offer(server: MCPServer, seat: Seat) -> None:
    @server.resource("muniment://items/{item_id}", mime_type=JSON, title="An item")
    async def item(item_id: str) -> str:
        """One thing that is remembered, with its evidence."""
        return await _read(seat.episode(item_id), document)

    @server.resource("muniment://traces/{seq}", mime_type=JSON, title="A trace")
    async def trace(seq: str) -> str:
        """What one command became: every entry of its batch, with its place in the chain."""
        return await _read(seat.trace(seq), lambda lines: [_entry(line) for line in lines])

    @server.resource("muniment://summaries/{kind}", mime_type=JSON, title="A summary")
    async def summary(kind: str) -> str:
        """Who the user is (`profile`), or their session; each sentence with what it rests on."""
        asked = SummaryRequest(kind=kind)
        return await _read(seat.send(asked, learning.summary), document)


async def _read(work: Awaitable[Found], shown: Callable[[Found], object]) -> str:
    try:
        return spelled(shown(await work))
    except NotFoundError as error:
        raise ResourceNotFoundError(spelled(plain(error))) from None
    except InputError as error:  # the address is wrong, and not the server
        raise MCPError(INVALID_PARAMS, spelled(plain(error))) from None
    except MunimentError as error:
        raise ResourceError(spelled(plain(error))) from None
    except Exception:  # a mistake of ours: what it quotes may be private
        raise ResourceError(spelled(plain(MunimentError()))) from None


def _entry(line: Line) -> dict[str, object]:
    told = line.event
    content = told.public if isinstance(told, Shredded) else document(told)
    return {
        "seq": line.seq,
        "id": line.header.id,
        "type": line.header.type,
        "ts": line.header.ts,
        "hash": line.hash.hex(),
        "event": msgspec.to_builtins(content),
    }
